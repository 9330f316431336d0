// What `xylem select` can ask for, as it was built: shapes, lists of records, kinds, several paths, prefixes and conditions.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KIND_NAMES } from '../../source/record/kinds.ts'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { inPieces } from '../support/collect.ts'
import { run } from '../support/command.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-select-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const SUITES = `<suites>
  <suite name="one"><case name="a" time="1.5"><tag>x</tag><tag>y</tag></case><case name="b &amp; c"/></suite>
  <suite name="two"><case name="d" time="20"/></suite>
</suites>`

/** The same for a document of one line and for many of it, complete and byte by byte. */
async function select(args: readonly string[], document = SUITES, said = { code: 0, stderr: '' }): Promise<string> {
  const outcome = await run(['select', ...args], document)
  expect(outcome).toEqual(await run(['select', ...args], inPieces(Buffer.from(document), 1)))
  expect(outcome).toMatchObject(said)
  return outcome.stdout
}

async function refuse(args: readonly string[], document = SUITES): Promise<string> {
  const { code, stdout, stderr } = await run(['select', ...args], document)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  return stderr.replace(/^xylem: /, '').trimEnd()
}

describe('lists of records', () => {
  const fields = ['--field', 'cases[].name=case/@name', '--field', 'cases[].time:number=case/@time']

  test('keep the values of an element together, also where some are absent', async () => {
    expect(await select(['suite', '-', '--field', '@name', ...fields])).toBe(
      '{"@name":"one","cases":[{"name":"a","time":1.5},{"name":"b & c","time":null}]}\n' +
        '{"@name":"two","cases":[{"name":"d","time":20}]}\n',
    )
  })

  test('are JSON in a table', async () => {
    expect(await select(['suite', '-', ...fields, '--format', 'csv'])).toBe(
      'cases\r\n"[{""name"":""a"",""time"":1.5},{""name"":""b & c""}]"\r\n"[{""name"":""d"",""time"":20}]"\r\n',
    )
  })

  test('may be in each other', async () => {
    const nested = ['s[].name=suite/@name', 's[].cases[].name=suite/case/@name', 's[].cases[].tags[]=suite/case/tag']
    expect(await select(['suites', '-', ...nested.flatMap((field) => ['--field', field])])).toBe(
      '{"s":[{"name":"one","cases":[{"name":"a","tags":["x","y"]},{"name":"b & c","tags":[]}]},' +
        '{"name":"two","cases":[{"name":"d","tags":[]}]}]}\n',
    )
  })

  test('are refused where their fields have no element in common, or an invalid path', async () => {
    expect(await refuse(['suites', '-', '--field', 'l[].a=suite/@name', '--field', 'l[].b=case/@name'])).toBe(
      'the fields of l[] have no element in common that the records could be made of: suite/@name, case/@name; begin each with the same element',
    )
    expect(await refuse(['suites', '-', '--field', 'l[].a=suite/text()'])).toBe(
      'the field l.a: invalid path "text()": "text()" is not an element name (for the text of an element, use --field text=.)',
    )
  })
})

describe('a kind', () => {
  test('says what a value becomes, and what is an error', async () => {
    const fields = ['name', 'time:number=@time', 'tags[]:present=tag', 'open:boolean=@open', 'at:offset=.'].flatMap(
      (field) => ['--field', field],
    )
    const said = { code: 1, stderr: 'xylem: nothing found for the fields name, open\n' }
    expect(await select(['case[@time]', '-', ...fields], SUITES, said)).toBe(
      '{"name":null,"time":1.5,"tags":[true,true],"open":null,"at":29}\n' +
        '{"name":null,"time":20,"tags":[],"open":null,"at":139}\n',
    )
    const help = await run(['select', '--help'])
    for (const kind of KIND_NAMES) expect(help.stdout).toContain(kind)
    const { code, stdout, stderr } = await run(['select', 'case', '-', '--field', 'n:integer=@time'], SUITES)
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('the value "1.5" of the field n is not a whole number')
  })
})

describe('a shape in a file', () => {
  const SHAPE = `{ // what we want of a suite
  "name": "@name", // "not" a field
  "site": { "path": "@name", "unless": "@url=\\"http://example.org//\\"" },
  "cases": [{ "of": "case", "fields": { "name": "@name", "time": { "path": "@time", "as": "number" } } }]
}`

  test('is JSON with comments, and may say everything that a shape of the library says', async () => {
    const shape = write('shape.json', SHAPE)
    expect(await select(['suite', '-', '--shape', shape])).toBe(
      '{"name":"one","site":"one","cases":[{"name":"a","time":1.5},{"name":"b & c","time":null}]}\n' +
        '{"name":"two","site":"two","cases":[{"name":"d","time":20}]}\n',
    )
    const compressed = write('shape.json.gz', gzipSync(`\ufeff${SHAPE}`))
    expect(await select(['suite', '-', '--shape', compressed, '--field', 'tags[]=case/tag', '--limit', '1'])).toBe(
      '{"name":"one","site":"one","cases":[{"name":"a","time":1.5},{"name":"b & c","time":null}],"tags":["x","y"]}\n',
    )
  })

  test('is written in each format, by its name or by the ending of the output', async () => {
    const shape = write('few.json', '{"n":"@name","t":{"path":"@time","as":"number","hidden":true},"tags":["tag"]}')
    const texts: Record<string, string> = {
      jsonl: '{"n":"a","tags":["x","y"]}\n{"n":"b & c","tags":[]}\n{"n":"d","tags":[]}\n',
      json: '[{"n":"a","tags":["x","y"]},\n{"n":"b & c","tags":[]},\n{"n":"d","tags":[]}]\n',
      csv: 'n,tags\r\na,"[""x"",""y""]"\r\nb & c,[]\r\nd,[]\r\n',
      tsv: 'n\ttags\na\t["x","y"]\nb & c\t[]\nd\t[]\n',
    }
    for (const [format, text] of Object.entries(texts)) {
      expect(await select(['case', '-', '--shape', shape, '--format', format])).toBe(text)
      const output = join(folder, `cases.${format}`)
      expect(await select(['case', '-', '--shape', shape, '-o', output])).toBe('')
      expect(readFileSync(output, 'utf8')).toBe(text)
    }
  })

  test.each([
    ['{ "a": "b",\n}', 'expected a string', 'line 2, column 1, byte 12', '  }\n  ^'],
    ['// é // b\n{ "a" "b" }', 'expected ":"', 'line 2, column 7, byte 17', '  { "a" "b" }\n        ^'],
    ['{ "a": \'b\' }', 'expected a value', 'line 1, column 8, byte 7', '  { "a": \'b\' }'],
    ['{ "é": "x" "b": "y" }', 'expected', 'line 1, column 12, byte 12', ''],
    ['{ "a": "b" ', 'but the input ends', 'line 1, column 12, byte 11', ''],
    ['', 'but the input ends', 'line 1, column 1, byte 0', ''],
    ['{ /* a */ }', 'expected', 'line 1, column 3, byte 2', ''],
  ])('that is not JSON is an error with its place: %j', async (text, what, place, excerpt) => {
    const shape = write('bad.json', text)
    const error = await refuse(['a', '-', '--shape', shape])
    expect(error.startsWith(`${shape}: `)).toBe(true)
    expect(error).toContain(what)
    expect(error).toContain(`(${place})`)
    expect(error).toContain(excerpt)
  })

  test.each([
    ['{"a":{"of":"b","fields":{"c":{"pth":"x"}}}}', 'the field a.c: unknown property pth: did you mean path?'],
    ['{"a":[{"of":"b","fields":{"c":{"path":"x","as":"int"}}}]}', 'the field a.c: as must be one of string, integer'],
    ['{"a":"b/"}', 'the field a: invalid path "b/": it ends with "/"'],
    ['{"a":"qq:b"}', 'the field a: invalid path "qq:b": the prefix qq is not given with --prefix; did you mean q?'],
    ['["a"]', 'fields must be an object with a path for each field'],
    ['null', 'fields must be an object with a path for each field, not null'],
    ['{"a":"b","\\u0061":"c"}', 'the name a is twice in an object'],
    [
      '{"b":{"path":"b","as":"number"},"a":{"path":"q:a","as":"xml","as":"number"}}',
      'the name as is twice in an object',
    ],
  ])('that says something invalid is an error with the field: %s', async (text, what) => {
    const shape = write('wrong.json', text)
    expect(await refuse(['a', '-', '--shape', shape, '--prefix', 'q=u'])).toContain(`${shape}: ${what}`)
  })

  test('is not overwritten by the output, and has other fields than --field', async () => {
    const shape = write('kept.json', SHAPE)
    expect(await refuse(['suite', '-', '--shape', shape, '--output', shape])).toContain('would overwrite the input')
    expect(await refuse(['suite', '-', '--shape', shape, '--field', 'name=.'])).toBe(
      'the field name name is used twice',
    )
    expect(await refuse(['suite', '-', '--shape', shape, '--xml'])).toBe('--xml cannot be used together with --shape')
    const missing = await run(['select', 'suite', '-', '--shape', join(folder, 'none.json')], SUITES)
    expect(missing).toMatchObject({ code: 5, stderr: `xylem: ${join(folder, 'none.json')}: no such file\n` })
  })
})

describe('elements as objects', () => {
  test('are printed with their names, in formats of JSON', async () => {
    const one = '{"suite":{"@name":"one","case":[{"@name":"a","@time":"1.5","tag":["x","y"]},{"@name":"b & c"}]}}'
    const two = '{"suite":{"@name":"two","case":{"@name":"d","@time":"20"}}}'
    expect(await select(['suite', '-', '--as-object'])).toBe(`${one}\n${two}\n`)
    expect(await select(['suite', '-', '--as-object', '--limit', '1'])).toBe(`${one}\n`)
    const json = await select(['suite', '-', '--as-object', '--format', 'json'])
    expect(JSON.parse(json)).toEqual([JSON.parse(one), JSON.parse(two)])
    expect(await select(['tag', '-', '--as-object'])).toBe('{"tag":"x"}\n{"tag":"y"}\n')
    expect(await select(['x', '-', '--as-object'], '<x><__proto__/></x>')).toBe('{"x":{"__proto__":""}}\n')
  })

  test('are fields of the kind object, without their names', async () => {
    expect(await select(['suite', '-', '--field', 'tags:object=case'])).toBe(
      '{"tags":{"@name":"a","@time":"1.5","tag":["x","y"]}}\n{"tags":{"@name":"d","@time":"20"}}\n',
    )
    expect(await select(['case', '-', '--field', 'tag:object=tag', '--format', 'csv'])).toBe('tag\r\nx\r\n""\r\n""\r\n')
  })

  test('cannot be printed in other formats, or with fields', async () => {
    const as = ['suite', '-', '--as-object']
    for (const [option, ...value] of [['--xml'], ['--field', '.'], ['--shape', 'x']] as const) {
      expect(await refuse([...as, option, ...value])).toMatch(`cannot be used together with ${option}`)
    }
    expect(await refuse([...as, '--format', 'csv'])).toMatch('not as csv; use --field for a table')
    expect(await refuse(['--infer', '--as-object', '-'])).toBe('--infer cannot be used together with --as-object')
  })
})

describe('several paths', () => {
  test('give their records in the order of the document', async () => {
    const fields = ['--field', 'kind=name()', '--field', 'name=@name']
    expect(
      await select([
        'tag',
        '-',
        '--path',
        '/suites/suite[@name="two"]',
        '--path',
        'suite/case',
        '--nested',
        'all',
        ...fields,
      ]),
    ).toBe(
      [
        '{"kind":"tag","name":null}\n'.repeat(2),
        '{"kind":"case","name":"a"}\n{"kind":"case","name":"b & c"}\n{"kind":"case","name":"d"}\n',
        '{"kind":"suite","name":"two"}\n',
      ].join(''),
    )
    expect(await select(['case[@time]', '-', '--path', 'tag', '--nested', 'innermost', '--xml'])).toBe(
      '<tag>x</tag>\n<tag>y</tag>\n<case name="d" time="20"/>\n',
    )
  })

  test('are asked for with --path, and each is checked', async () => {
    expect(await refuse(['suite|case', '-'])).toBe(
      'invalid path "suite|case": "suite|case" is not an element name (in select, use --path for each of several paths; in other commands, repeat the option)',
    )
    expect(await refuse(['tag', '-', '--path', 'case[not(tag)]'])).toBe(
      'invalid path "case[not(tag)]": of several paths, all must have the same predicates on children',
    )
    expect(await refuse(['suite', '-', '--path', 'case/'])).toBe('invalid path "case/": it ends with "/"')
    expect(await refuse(['suite', '-', '--field', 'x=name|title'])).toBe(
      'the field x: invalid path "name|title": "name|title" is not an element name (firstOf in a --shape takes the first value of several paths)',
    )
  })

  test.each([
    ['<a><b><a/></b></a>', '1 matching element lies in 1 record and was'],
    ['<a><a/><a/></a>', '2 matching elements lie in 1 record and were'],
    ['<r><a><a/></a><a><a/></a></r>', '2 matching elements lie in 2 records and were'],
  ])('that match in a record of %s are counted in a warning', async (document, said) => {
    expect(await run(['select', 'a', '-', '--field', 'n=name()'], document)).toMatchObject({
      code: 0,
      stderr: `xylem: warning: ${said} left out; --nested all gives all of them\n`,
    })
  })

  test('are elements without fields, to which kinds do not apply', async () => {
    expect(await refuse(['suite', '-', '--lenient'])).toBe(
      '--lenient applies to fields; name them with --field or --shape',
    )
  })

  test('are elements for which conditions on paths hold', async () => {
    const found = (...args: string[]) => select(['case', '-', '--xml', ...args])
    const [first, second] = ['<case name="a" time="1.5"><tag>x</tag><tag>y</tag></case>', '<case name="b &amp; c"/>']
    expect(await found('--where', 'tag=y')).toBe(`${first}\n`)
    expect(await found('--where', '!@time')).toBe(`${second}\n`)
    expect(await found('--where', '@time<10')).toBe(`${first}\n`)
    expect(await found('--where', '@name=b & c')).toBe(`${second}\n`)
    expect(await found('--where', 'tag|@name=d')).toBe('<case name="d" time="20"/>\n')
    expect(await select(['case', '-', '--as-object', '--where', '@time>10'])).toBe(
      '{"case":{"@name":"d","@time":"20"}}\n',
    )
    expect(await select(['case', '-', '--where', '@time>10'])).toBe(
      '{"name":"case","attributes":[["name","d"],["time","20"]],"children":[]}\n',
    )
    expect(await found('--where', 'tag', '--limit', '1')).toBe(`${first}\n`)
    const entities = '<!DOCTYPE r [<!ENTITY e "<i><t>9</t></i>">]><r>&e;<i><t>8</t></i></r>'
    expect(await select(['i', '-', '--xml', '--where', 't=9'], entities)).toBe('<i><t>9</t></i>\n')
    const large = `<r><i>${'x'.repeat(9000)}<t>1</t></i></r>`
    expect(await run(['select', 'i', '-', '--xml', '--where', 't=1', '--max-retained', '4000'], large)).toMatchObject({
      code: 3,
    })
  })
})

describe('a path that is written as elsewhere', () => {
  test.each([
    ['//case/@name', 'for an attribute of it, use --field id=@id'],
    ['case/text()', 'for the text of an element, use --field text=.'],
    ['..', 'paths lead down: a condition on a child is [title]'],
    ['suite/./case', 'leave it out'],
    ['child::case', 'there are no axes: a/b is a child, a//b at any depth'],
    ['case[1]', '--limit 1 prints the first record'],
    ['case[last()]', '--limit 1 prints the first record'],
    ['case[@time=20]', 'a value stands in quotes'],
    ['case[]', 'for all values, write [] after the name of the field: tags[]=tag'],
  ])('%s is refused with the way out', async (path, advice) => {
    expect(await refuse([path, '-'])).toContain(advice)
  })
})

describe('a prefix', () => {
  const FEED =
    '<f:feed xmlns:f="urn:atom" xmlns:g="urn:g"><f:entry g:id="1"><f:title>T</f:title></f:entry><entry g:id="2"/></f:feed>'

  test('stands for its namespace in paths, fields and shapes, whatever the document calls it', async () => {
    const prefixes = ['--prefix', 'atom=urn:atom', '--prefix', 'x=urn:g']
    const fields = ['--field', 'id=@x:id', '--field', 'titles[].t=atom:title/.']
    expect(await select(['atom:entry', '-', ...prefixes, ...fields], FEED)).toBe('{"id":"1","titles":[{"t":"T"}]}\n')
    const shape = write('prefix.json', '{"title":"atom:title"}')
    expect(await select(['atom:entry[atom:title]', '-', ...prefixes, '--shape', shape], FEED)).toBe('{"title":"T"}\n')
    expect(await select(['atom:title', '-', ...prefixes, '--xml'], FEED)).toBe('<f:title>T</f:title>\n')
    expect(await select(['f:entry', '-', '--field', 'id=@g:id'], FEED)).toBe('{"id":"1"}\n')
  })

  test('is refused where it is not given, or where there are no namespaces', async () => {
    expect(await refuse(['atm:entry', '-', '--prefix', 'atom=urn:atom'], FEED)).toBe(
      'invalid path "atm:entry": the prefix atm is not given with --prefix; did you mean atom?',
    )
    expect(await refuse(['atom:entry', '-', '--prefix', 'atom'], FEED)).toMatch(/^--prefix atom: it must be a prefix/)
    expect(await refuse(['atom:entry', '-', '--prefix', 'atom=u', '--no-namespaces'], FEED)).toBe(
      '--prefix cannot be used together with --no-namespaces',
    )
  })
})

describe('a predicate', () => {
  test('asks for a child, or for an attribute that is not there', async () => {
    expect(await select(['case[not(@time)]', '-', '--xml'])).toBe('<case name="b &amp; c"/>\n')
    expect(await select(['case[tag]', '-', '--field', '@name'])).toBe('{"@name":"a"}\n')
    expect(await select(['case[not(tag)][@time]', '-'])).toBe(
      '{"name":"case","attributes":[["name","d"],["time","20"]],"children":[]}\n',
    )
    expect(await refuse(['suite[case]/case', '-'])).toContain(
      '"suite[case]" asks for a child, which is known only when the element ends; that works in the last step',
    )
  })
})

describe('where', () => {
  const fields = ['--field', 'name=@name', '--field', 'time:number=@time', '--field', 'tags[]=tag']

  test('prints the records for which all conditions hold', async () => {
    const empty = (name: string) => ({
      code: 0,
      stderr: `xylem: warning: the field ${name} is empty in every record\n`,
    })
    expect(await select(['case', '-', ...fields, '--where', 'time>1.5'], SUITES, empty('tags'))).toBe(
      '{"name":"d","time":20,"tags":[]}\n',
    )
    expect(
      await select(['case', '-', ...fields, '--where', 'time>=1.5', '--where', 'name!=d', '--format', 'csv']),
    ).toBe('name,time,tags\r\na,1.5,"[""x"",""y""]"\r\n')
    const without = await run(['select', 'case', '-', ...fields, '--where', '!time'], SUITES)
    expect(without).toMatchObject({ code: 0, stdout: '{"name":"b & c","time":null,"tags":[]}\n' })
    expect(without.stderr).toBe('xylem: warning: the fields time, tags are empty in every record\n')
    expect(await select(['case', '-', ...fields, '--where', 'tags=y', '--limit', '1'])).toContain('{"name":"a"')
    expect(
      await select(['suite', '-', '--field', 'c[].t:number=case/@time', '--field', '@name', '--where', 'c.t<2']),
    ).toBe('{"c":[{"t":1.5},{"t":null}],"@name":"one"}\n')
  })

  test('sees fields of a shape that are not printed', async () => {
    const shape = write('where.json', '{"name":"@name","time":{"path":"@time","as":"number","hidden":true}}')
    expect(await select(['case', '-', '--shape', shape, '--where', 'time<2'])).toBe('{"name":"a"}\n')
  })

  test('is for the elements of one path after its name and a colon', async () => {
    const text = '<r><a n="1"/><b n="2"/><a n="3"/><b n="4"/></r>'
    const paths = ['a', '-', '--path', 'b']
    const ofEach = ['--where', 'a: @n>1', '--where', 'b: @n<=2', '--where', '@n!=9']
    expect(await select([...paths, '--xml', ...ofEach], text)).toBe('<b n="2"/>\n<a n="3"/>\n')
    const ofFields = ['--field', 'n:integer=@n', '--where', 'a: n>1', '--where', 'b: n<=2']
    expect(await select([...paths, ...ofFields], text)).toBe('{"n":2}\n{"n":3}\n')
    expect(await refuse([...paths, '--field', '@n', '--where', 'a: m=1'])).toContain("--where 'm=1': unknown field m")
    expect(await refuse([...paths, '--field', '@n', '--where', 'c: @n=1'])).toContain('unknown field c: @n')
  })

  test('is refused for a field that there is not, with the one that may be meant, and for a value of another kind', async () => {
    expect(await refuse(['case', '-', ...fields, '--where', 'tme>2'])).toBe(
      "--where 'tme>2': unknown field tme: did you mean time?",
    )
    expect(await refuse(['case', '-', ...fields, '--where', 'time>x'])).toContain(
      `--where 'time>x': "x" is not a finite decimal number`,
    )
    expect(await refuse(['case', '-', ...fields, '--where', 'name>2'])).toContain('name is a text; ask for a number')
  })
})

describe('lists of the same elements', () => {
  const fields = ['--field', 'names[]=case/@name', '--field', 'times[]=case/@time']
  const advice =
    'so their values do not go together; a list of records keeps them together: ' +
    `--field 'list[].names=case/@name' --field 'list[].times=case/@time'\n`

  test('that have different lengths in a record are warned of once, at the end', async () => {
    const one = write('one.xml', SUITES)
    const { code, stdout, stderr } = await run(['select', 'suite', one, one, ...fields])
    const lines = '{"names":["a","b & c"],"times":["1.5"]}\n{"names":["d"],"times":["20"]}\n'
    expect({ code, stdout }).toEqual({ code: 0, stdout: lines.repeat(2) })
    expect(stderr).toBe(
      `xylem: warning: names and times are lists of the same elements (case) with different lengths in some records, ${advice}`,
    )
    const table = await run(['select', 'suite', ...fields, '--format', 'tsv'], SUITES.repeat(1))
    expect(table.stderr).toBe(stderr)
    const limited = await run(['select', 'suite[@name="two"]', ...fields], SUITES)
    expect(limited.stderr).toBe('')
  })

  test('are found in shapes, and where one of them is of the texts of the elements', async () => {
    const shape = write('lists.json', '{"tags":[".//tag"],"ids":[{"path":"//tag/@id","as":"string"}]}')
    const { stdout, stderr } = await run(['select', 'suite', '--shape', shape], SUITES)
    expect(stdout).toBe('{"tags":["x","y"],"ids":[]}\n{"tags":[],"ids":[]}\n')
    expect(stderr).toContain('tags and ids are lists of the same elements (//tag) with different lengths')
    expect(stderr).toContain(`--field 'list[].tags=//tag/.' --field 'list[].ids=//tag/@id'`)
  })

  test('are not warned of where they are of other elements, or are lists of records', async () => {
    for (const [missing, ...other] of [
      ['tags', '--field', 'names[]=case/@name', '--field', 'tags[]=case/tag/@id'],
      ['others', '--field', 'cases[]=case', '--field', 'others[]=other'],
      ['', '--field', 'l[].a=case/@name', '--field', 'l[].b=case/@time'],
      ['', '--field', 'names[]=case/@name', '--field', 'time=case/@time'],
      [
        '',
        '--shape',
        write('chosen.json', '{"names":["case/@name"],"times":[{"path":"case/@time","unless":"@name=\\"a\\""}]}'),
      ],
    ]) {
      const said = missing ? { code: 1, stderr: `xylem: nothing found for the field ${missing}\n` } : undefined
      expect(await select(['suite', '-', ...other], SUITES, said)).not.toBe('')
    }
  })
})

describe('characters and bytes that do not belong in a text', () => {
  const text = '<r><i n="a\u0001b"/>\n<i n="2"/></r>'
  const said = { code: 0, stderr: 'xylem: warning: 1 character was replaced, because XML does not allow it\n' }

  test('is replaced and counted with --no-strict', async () => {
    expect(await select(['i', '-', '--no-strict', '--field', 'n=@n'], text, said)).toBe('{"n":"a?b"}\n{"n":"2"}\n')
    expect(await select(['i', '-', '--no-strict', '--xml'], text, said)).toBe('<i n="a?b"/>\n<i n="2"/>\n')
    const file = write('no-text.xml', text)
    expect(await run(['select', '--infer', file, '--no-strict'])).toMatchObject({
      ...said,
      stdout: expect.stringContaining('a?b'),
    })
    const named = said.stderr.replace('1 character', `${file}: 1 character`)
    expect(await run(['check', file, '--no-strict'])).toMatchObject({ code: 0, stderr: named })
    const inferred = await run(['infer', file, '--no-strict', '--encoding', 'utf-8'])
    expect(inferred).toMatchObject({
      ...said,
      stdout: expect.stringContaining(' --no-strict --encoding utf-8 --shape '),
    })
    expect(await run(['check', file])).toMatchObject({ code: 1 })
  })
})

describe('errors in records', () => {
  const bad = '<suites>\n<case n="1"/>\n<case n=2/>\n<case n="x"/>\n<case n="4"/></suites>'
  const skip = ['--on-error', 'skip']

  test('are reported with what was left out, also where --limit or --max-input ends reading', async () => {
    for (const end of [
      ['--limit', '2'],
      ['--max-input', '60'],
    ])
      for (const [form, line] of [
        [['--xml'], (n: string) => `<case n="${n}"/>\n`],
        [['--field', 'n=@n'], (n: string) => `{"n":"${n}"}\n`],
      ] as const) {
        const { code, stdout, stderr } = await run(['select', 'case', '-', ...skip, ...end, ...form], bad)
        expect({ code, stdout }).toEqual({ code: end[0] === '--limit' ? 1 : 3, stdout: line('1') + line('x') })
        expect(stderr).toContain('standard input: 1 record and 12 bytes were left out\n')
      }
  })

  test('are skipped with --on-error, and the exit code says so', async () => {
    const tag = 'standard input: expected a value in quotes, but found "2" (line 3, column 9, byte 31); skipped\n'
    const value = `standard input: the value "x" of the field n is not a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER} (line 4, column 10, byte 44); skipped\n`
    const left = (text: string) => `standard input: ${text} were left out\n`
    const texts = { code: 1, stderr: tag + left('1 record and 12 bytes') }
    expect(await select(['case', '-', '--field', 'n=@n', ...skip], bad, texts)).toBe(
      '{"n":"1"}\n{"n":"x"}\n{"n":"4"}\n',
    )
    const numbers = { code: 1, stderr: tag + value + left('2 records and 25 bytes') }
    expect(await select(['case', '-', '--field', 'n:integer=@n', ...skip], bad, numbers)).toBe('{"n":1}\n{"n":4}\n')
    expect(await select(['case', '-', '--as-object', ...skip], bad, texts)).toBe(
      '{"case":{"@n":"1"}}\n{"case":{"@n":"x"}}\n{"case":{"@n":"4"}}\n',
    )
  })

  test('in what is left of damaged bzip2 are skipped with skip-block', async () => {
    const damaged = encodeBzip2(Buffer.from('"1"/><case n="2"/>'))
    damaged[12] = (damaged[12] as number) ^ 8
    const parts = [
      encodeBzip2(Buffer.from('<r><case n="0"/><case n=')),
      damaged,
      encodeBzip2(Buffer.from('<case n="3"/></r>')),
    ]
    const file = write('damaged.xml.bz2', Buffer.concat(parts))
    const args = ['select', 'case', file, '--field', 'n=@n', '--on-error']
    const { code, stdout, stderr } = await run([...args, 'skip-block'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '{"n":"0"}\n{"n":"3"}\n' })
    expect(stderr).toMatch(/damaged\.xml\.bz2: bzip2: .*; skipped\n.*1 record and 8 bytes were left out\n$/)
    expect(await run([...args, 'skip'])).toMatchObject({ code: 3, stdout: '{"n":"0"}\n' })
  })

  test('are refused where it is not known how to read on', async () => {
    expect(await refuse(['*', '-', ...skip])).toMatch(
      /^--on-error: after an error, reading continues at the next element with a name/,
    )
  })

  test('are skipped in each of several documents, and in documents whose shape is inferred', async () => {
    const said = (line: number, byte: number) =>
      `standard input: expected a value in quotes, but found "2" (line ${line}, column 9, byte ${byte}); skipped\n`
    const two = {
      code: 1,
      stderr: `${said(3, 31)}${said(8, 103)}standard input: 2 records and 24 bytes were left out\n`,
    }
    const texts = ['1', 'x', '4', '1', 'x', '4'].map((n) => `{"n":"${n}"}\n`).join('')
    const documents = ['case', '-', '--documents', ...skip]
    expect(await select([...documents, '--field', 'n=@n'], `${bad}\n${bad}`, two)).toBe(texts)
    expect(await select([...documents, '--xml', '--where', '@n=4'], `${bad}\n${bad}`, two)).toBe(
      '<case n="4"/>\n'.repeat(2),
    )
    const file = write('inferred.xml', '<r>\n<i n="1"/><i n="2"/>\n<i n=3/>\n<i n="x"/>\n<i n="5"/></r>')
    const { code, stdout, stderr } = await run(['select', '--infer', file, ...skip])
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: '{"n":1,"rest":null}\n{"n":2,"rest":null}\n{"n":5,"rest":null}\n',
    })
    expect(stderr).toMatch(
      /found "3".*; skipped\n.*"x" of the field n.*; skipped\n.*2 records and 19 bytes were left out\n/,
    )
  })
})
