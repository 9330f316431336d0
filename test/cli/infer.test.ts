// `xylem infer`, and `xylem select --infer`, as they were built.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inPieces } from '../support/collect.ts'
import { run } from '../support/command.ts'
import { writeZip } from '../support/zip-writer.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-infer-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const row = (id: number | string, more = '') => `<row id="${id}"${more}><t>x</t></row>\n`
const ROWS = `<rows>\n${row(1)}${row(2)}</rows>\n`
const LINES = '{"id":1,"t":"x","rest":null}\n{"id":2,"t":"x","rest":null}\n'
const SHAPE = `{
  "id": { "path": "@id", "as": "integer" }, // in all 2; such as 1
  "t": "t", // in all 2; such as x
  "rest": { "as": "rest" } // what no other field has
}
`
/** More than the sample. */
const LATE = `<rows>\n${row(1)}${row(2)}${row(3, ' new="v"')}${row(4, ' new="w"')}<cell/></rows>\n`

describe('xylem infer', () => {
  test('prints a shape that select reads, with the command for it', async () => {
    const path = write('rows.xml', ROWS)
    const { code, stdout } = await run(['infer', path])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `// xylem select /rows/row ${path} --shape shape.json\n// 2 records in all of the document\n${SHAPE}`,
    })
    const shape = write('shape.json', stdout)
    expect(await run(['select', '/rows/row', path, '--shape', shape])).toEqual({ code: 0, stdout: LINES, stderr: '' })
  })

  test('writes it into a file, whose name is in the command', async () => {
    const [path, output] = [write('rows.xml', ROWS), join(folder, 'rows.json')]
    expect(await run(['infer', path, '--output', output])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(output, 'utf8')).toContain(`// xylem select /rows/row ${path} --shape ${output}\n`)
  })

  test.each([[[]], [['-']]])('reads standard input: %j', async (args) => {
    const { code, stdout } = await run(['infer', ...args], inPieces(Buffer.from(ROWS), 1))
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `// xylem select /rows/row - --shape shape.json\n// 2 records in all of the document\n${SHAPE}`,
    })
  })

  test('reads compressed files and members of archives', async () => {
    const gzip = write('rows.xml.gz', gzipSync(ROWS))
    const zip = write('rows.zip', writeZip([{ name: 'rows.xml', content: Buffer.from(ROWS) }]))
    for (const path of [gzip, `${zip}/rows.xml`]) expect((await run(['infer', path])).stdout).toContain(SHAPE)
  })

  test('looks at a sample, or at all', async () => {
    const path = write('late.xml', LATE)
    const size = 2 * row(1).length + 7
    expect((await run(['infer', path, '--sample', String(size)])).stdout).toContain(
      `// 2 records in its first ${size} bytes\n${SHAPE}`,
    )
    expect((await run(['infer', path, '--all'])).stdout).toContain('"new": "@new", // in 2 of 4; such as v')
  })

  test('takes other elements as records, and names those that repeat, too', async () => {
    const path = write(
      'two.xml',
      `<r>${'<a x="1"><b y="1"/><b y="2"/><c/><d/></a>'.repeat(3)}<z><q k="1"/><q k="2"/></z></r>`,
    )
    const { stdout } = await run(['infer', path, '--each', 'b', '--each', '*/c'])
    expect(stdout).toContain(`// xylem select b ${path} --path '*/c' --shape shape.json\n// 9 records`)
    expect(stdout).toContain('// /r/a repeats, too (3): --each /r/a\n// /r/z/q repeats, too (2): --each /r/z/q\n')
  })

  test('says what is required, if that is wanted', async () => {
    const { stdout } = await run(['infer', write('rows.xml', ROWS), '--required'])
    expect(stdout).toContain('"t": { "path": "t", "required": true }, // in all 2')
  })

  test('prints what stands before an error', async () => {
    const path = write('bad.xml', `<rows>${row(1)}${row(2)}</row>`)
    const { code, stdout, stderr } = await run(['infer', path])
    expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringContaining(SHAPE) })
    expect(stderr).toContain(`xylem: ${path}: the end tag </row>`)
  })

  test('makes one record of a document in which nothing repeats, and says so', async () => {
    const path = write('one.xml', '<a><b>1</b><c/></a>')
    const { code, stdout } = await run(['infer', path])
    const said = 'no elements repeat that records could be made of: the document is one record\n'
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`// 1 record in all of the document\n// ${said}{`),
    })
    expect(await run(['select', '--infer', path])).toEqual({
      code: 0,
      stdout: '{"b":1,"c":true,"rest":null}\n',
      stderr: `xylem: ${said}`,
    })
  })

  test('names only some of many documents without records', async () => {
    const paths = Array.from({ length: 7 }, (_, i) => write(`none${i}.xml`, '<a><b/></a>'))
    const { code, stderr } = await run(['infer', ...paths, '--each', 'd'])
    expect(code).toBe(1)
    expect(stderr).toContain(`${paths[4]} and 2 more: no element in the documents matches`)
  })

  test('says what was found where nothing can be a record', async () => {
    const path = write('one.xml', '<a><b/><c/></a>')
    expect(await run(['infer', path, '--sample', '8'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `xylem: ${path}: nothing in the first 7 bytes repeats that records could be made of; found /a, /a/b; --each says which elements are records\n`,
    })
    expect(await run(['infer', path, '--each', 'd'])).toMatchObject({
      code: 1,
      stderr: `xylem: ${path}: no element in the document matches --each d; found /a, /a/b, /a/c\n`,
    })
  })

  test('looks further than its usual sample where nothing repeats there', async () => {
    const path = write('late.xml', `<rows><head>${'x'.repeat(5 * 1024 * 1024)}</head>${row(1).repeat(40_000)}</rows>`)
    expect((await run(['infer', path])).stdout).toContain('"id": { "path": "@id", "as": "integer" }')
    expect(await run(['infer', path, '--sample', '4Mi'])).toMatchObject({ code: 1 })
  })

  test('reads several documents', async () => {
    const [one, two] = [write('one.xml', `<rows>${row(1)}</rows>`), write('two.xml', ROWS)]
    const { stdout } = await run(['infer', one, two])
    expect(stdout).toContain(
      `// xylem select /rows/row ${one} ${two} --shape shape.json\n// 3 records in all of 2 documents\n`,
    )
    const bad = write('bad.xml', `<rows>${row(1)}<x></rows>`)
    const { code, stderr } = await run(['infer', two, bad])
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`xylem: ${bad}: the end tag`) })
  })

  test.each([
    [['infer', 'missing.xml'], 5, 'missing.xml: no such file'],
    [['infer', '-', '--all', '--sample', '4k'], 2, '--all and --sample cannot be used together'],
    [['infer', '-', '--each', 'a[@b]'], 2, 'the path a[@b] must have names alone'],
    [['infer', '-', '--output', 'shape.csv'], 2, 'infer writes a shape in JSON, not .csv'],
    [['infer', '-', '--sample', 'much'], 2, "option '--sample <size>' argument 'much' is invalid"],
  ])('refuses %j', async (args, code, message) => {
    const outcome = await run(args, ROWS)
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toContain(message)
  })
})

describe('xylem select --infer', () => {
  test('reads all of its arguments with the shape of all', async () => {
    const [one, two] = [write('one.xml', ROWS), write('two.xml', `<rows>${row(3, ' new=""')}</rows>`)]
    expect(await run(['select', '--infer', one, two])).toEqual({
      code: 0,
      stdout:
        '{"id":1,"new":null,"t":"x","rest":null}\n{"id":2,"new":null,"t":"x","rest":null}\n{"id":3,"new":"","t":"x","rest":null}\n',
      stderr: '',
    })
  })

  test('keeps the sample of standard input between files, and looks at no more than is said', async () => {
    const [one, two] = [write('one.xml', ROWS), write('two.xml', `<rows>${row(4, ' new=""')}</rows>`)]
    const { code, stdout, stderr } = await run(
      ['select', '--infer', '--sample', '80', one, '-', two],
      inPieces(Buffer.from(`<rows>${row(3)}</rows>`), 1),
    )
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${LINES}{"id":3,"t":"x","rest":null}\n{"id":4,"t":"x","rest":[{"name":"row","attributes":[["new",""]],"children":[]}]}\n`,
    })
    expect(stderr).toBe('xylem: not in the sample: @new in 1 record (see the field rest)\n')
  })

  test('takes the records of all inputs by their namespaces, whatever the prefixes are', async () => {
    const one = write('one.xml', ROWS.replace('<rows>', '<rows xmlns="u">'))
    const [two, three] = ['h', 'g'].map((p) =>
      write(`${p}.xml`, `<${p}:rows xmlns:${p}="u"><${p}:row id="3"><${p}:t>x</${p}:t></${p}:row></${p}:rows>`),
    ) as [string, string]
    const late = '{"id":3,"t":"x","rest":null}\n'
    const all = { code: 0, stderr: '' }
    const [middle, last] = [
      [two, one, three],
      [one, two, three],
    ]
    expect(await run(['select', '--infer', ...last])).toEqual({ ...all, stdout: LINES + late + late })
    expect(await run(['select', '--infer', ...middle])).toEqual({ ...all, stdout: late + LINES + late })
    // Only the first is in the sample.
    const sampled = ['select', '--infer', '--sample', '80']
    expect(await run([...sampled, ...last])).toEqual({ ...all, stdout: LINES + late + late })
    expect(await run([...sampled, one, '-'], inPieces(Buffer.from(readFileSync(two)), 1))).toEqual({
      ...all,
      stdout: LINES + late,
    })
    const shape = join(folder, 'shape.json')
    await run(['infer', ...middle, '--output', shape])
    expect(readFileSync(shape, 'utf8')).toContain(
      `// xylem select /h:rows/h:row ${middle.join(' ')} --prefix 'h=u' --shape`,
    )
    const again = await run([
      'select',
      '/h:rows/h:row',
      ...middle,
      '--prefix',
      'h=u',
      '--shape',
      shape,
      '--format',
      'csv',
    ])
    expect(again.stdout).toBe('id,t,rest\r\n3,x,\r\n1,x,\r\n2,x,\r\n3,x,\r\n')
  })

  test('does not mix elements of different namespaces', async () => {
    const [one, two] = ['u', 'v'].map((namespace) =>
      write(`${namespace}.xml`, ROWS.replace('<rows>', `<rows xmlns="${namespace}">`)),
    ) as [string, string]
    const { code, stdout, stderr } = await run(['select', '--infer', one, two])
    expect({ code, stdout }).toEqual({ code: 1, stdout: LINES })
    expect(stderr).toContain(`xylem: no record found in ${two}\n`)
    const mixed = write(
      'mixed.xml',
      `<r xmlns:a="u"><x><a:t>1</a:t><a:t xmlns:a="v">2</a:t></x><x><a:t>3</a:t></x></r>`,
    )
    expect(await run(['select', '--infer', mixed])).toMatchObject({
      code: 0,
      stdout: '{"t":1,"t_2":2,"rest":null}\n{"t":3,"t_2":null,"rest":null}\n',
    })
  })

  test('has the exit code 1 where an input has no record', async () => {
    const [one, two] = [write('one.xml', ROWS), write('other.xml', '<others><x/></others>')]
    const { code, stdout, stderr } = await run(['select', '--infer', one, two, '--where', 'id=1'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '{"id":1,"t":"x","rest":null}\n' })
    expect(stderr).toContain(`xylem: no record found in ${two}\n`)
    expect(stderr).not.toContain('prefix')
    expect(await run(['select', '--infer', one, two, '--limit', '1'])).toMatchObject({ code: 0, stderr: '' })
    expect(await run(['select', '--infer', one, two, '--allow-empty'])).toMatchObject({ code: 0 })
  })

  test.each([
    ['in one piece', (bytes: Buffer) => [bytes]],
    ['byte by byte', (bytes: Buffer) => inPieces(bytes, 1)],
  ])('reads standard input that is longer than the sample %s', async (_, cut) => {
    const { code, stdout, stderr } = await run(['select', '--infer', '--sample', '60', '-'], cut(Buffer.from(LATE)))
    expect({ code, lines: stdout.split('\n').length - 1 }).toEqual({ code: 0, lines: 5 })
    expect(stdout).toContain('{"id":4,"t":"x","rest":[{"name":"row","attributes":[["new","w"]],"children":[]}]}\n')
    expect(stderr).toBe('xylem: not in the sample: @new in 2 records, /rows/cell in 1 record (see the field rest)\n')
  })

  test('shows all of it where the sample is all of it', async () => {
    const path = write('late.xml', LATE)
    const sampled = await run(['select', '--infer', path])
    expect(sampled).toEqual(await run(['select', '--infer', '--all', path]))
    expect(sampled).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('{"id":4,"new":"w","t":"x","rest":null}\n'),
      stderr: 'xylem: in no record: /rows/cell (1)\n',
    })
  })

  test('writes every format, with conditions and a limit', async () => {
    const output = join(folder, 'rows.csv')
    const path = write('late.xml', LATE)
    await run(['select', '--infer', path, '--where', 'id>1', '--limit', '2', '--output', output])
    expect(readFileSync(output, 'utf8')).toBe('id,new,t,rest\r\n2,,x,\r\n3,v,x,\r\n')
  })

  test('counts no elements beside the records towards the limit', async () => {
    const { stdout } = await run(
      ['select', '--infer', '-', '--limit', '2'],
      `<rows><head/>${row(1)}<head/>${row(2)}${row(3)}</rows>`,
    )
    expect(stdout).toBe(LINES)
  })

  test('takes the elements that are said', async () => {
    expect(await run(['select', '--infer', '--each', 't', '-'], ROWS)).toMatchObject({
      stdout: '{"text":"x","rest":null}\n'.repeat(2),
    })
  })

  test('names the place, the field and ways out for a value of another kind, after the records before it', async () => {
    const { code, stdout, stderr } = await run(
      ['select', '--infer', '--sample', '60', '-'],
      `<rows>\n${row(1)}${row(2)}${row('x')}</rows>`,
    )
    expect({ code, stdout }).toEqual({ code: 3, stdout: LINES })
    expect(stderr).toContain(
      'standard input: the value "x" of the field id is not a whole number from -9007199254740991 to 9007199254740991; the shape has "id": { "path": "@id", "as": "integer" }: ' +
        'use --lenient, or --shape with a shape of xylem infer in which the kind is changed (line 4, column 6, ',
    )
  })

  test('leaves such a value out with --lenient, and counts it', async () => {
    const { code, stdout, stderr } = await run(
      ['select', '--infer', '--lenient', '--sample', '60', '-'],
      `<rows>\n${row(1)}${row(2)}${row('x')}</rows>`,
    )
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${LINES}{"id":null,"t":"x","rest":[{"name":"row","attributes":[["id","x"]],"children":[]}]}\n`,
    })
    expect(stderr).toBe('xylem: not of the kind of the sample: @id in 1 record (see the field rest)\n')
  })

  test('prints what stands before an error', async () => {
    const { code, stdout } = await run(['select', '--infer', '-'], `<rows>${row(1)}${row(2)}</row>`)
    expect({ code, stdout }).toEqual({ code: 3, stdout: LINES })
  })

  test('says nothing with --no-warnings', async () => {
    expect(await run(['select', '--infer', '--no-warnings', '--sample', '60', '-'], LATE)).toMatchObject({
      code: 0,
      stderr: '',
    })
  })

  test('has the exit code 1 where nothing repeats', async () => {
    expect(await run(['select', '--infer', '-'], '<a/>')).toMatchObject({ code: 1, stdout: '' })
  })

  test.each([
    [['--infer', '--field', 'a', '-'], '--infer cannot be used together with --field'],
    [['--infer', '--shape', 'a', '-'], '--infer cannot be used together with --shape'],
    [['--infer', '--xml', '-'], '--infer cannot be used together with --xml'],
    [['--infer', '--path', 'a', '-'], '--infer cannot be used together with --path; use --each'],
    [['--infer', '--prefix', 'a=b', '-'], '--infer cannot be used together with --prefix'],
    [['--infer', '--nested', 'all', '-'], '--infer cannot be used together with --nested'],
    [['--each', 'a', 'b', '-'], '--each needs --infer'],
    [['--sample', '4k', 'b', '-'], '--sample needs --infer'],
    [['--all', 'b', '-'], '--all needs --infer'],
    [['--infer', '--all', '-'], '--all reads an input twice, and standard input can be read only once; give a file'],
    [
      ['--infer', 'row', 'rows.xml'],
      'no such file: row; with --infer all arguments are documents, and --each row says which elements are records',
    ],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await run(['select', ...args], ROWS)
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `xylem: ${message}\n` })
  })
})

test('names with dots in records in records are names like others', async () => {
  const row = '<row><q.r a.b="1"><c.d>x</c.d></q.r></row>'
  const { code, stdout, stderr } = await run(['select', '--infer', '-'], `<rows>${row}${row}</rows>`)
  const line = '{"q.r":{"a.b":1,"c.d":"x"},"rest":null}\n'
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: line + line, stderr: '' })
})

test('select --lenient prints null for values that are not of their kind', async () => {
  const args = ['select', 'row', '-', '--field', 'id:integer=@id']
  expect(await run(args, `<rows>${row('x')}</rows>`)).toMatchObject({ code: 3, stdout: '' })
  const { code, stdout } = await run([...args, '--lenient'], `<rows>${row('x')}${row(1)}</rows>`)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"id":null}\n{"id":1}\n' })
})
