// `xylem check` and `xylem select`, as they were built.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseXml } from '../../source/xml/index.ts'
import { inPieces } from '../support/collect.ts'
import { run } from '../support/command.ts'
import { extent, isThorough } from '../support/extent.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-xml-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('xylem check', () => {
  test('says nothing of what is well-formed', async () => {
    const good = write('good.xml', '<a/>')
    const compressed = write('good.xml.gz', gzipSync('<?xml version="1.0"?><a b="c">é</a>'))
    expect(await run(['check', good, compressed])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('prints a line for each error, and an excerpt, and continues with the next document', async () => {
    const one = write('one.xml', '<a>\n <b></c>\n</a>')
    const other = write('other.xml', '<a><b/>')
    const { code, stdout } = await run(['check', one, other])
    expect(code).toBe(1)
    expect(stdout).toBe(
      `${one}:2:7: the end tag </c> does not match <b> opened at 2:2 [WFC: Element Type Match]\n   <b></c>\n        ^\n` +
        `${other}:1:8: the input ends, but <a> opened at 1:1 is not closed\n  <a><b/>\n         ^\n`,
    )
  })

  test('reads standard input, with options', async () => {
    expect((await run(['check', '-'], '<a:b/>')).stdout).toContain('standard input:1:1: the prefix a of a:b')
    expect((await run(['check', '--no-namespaces', '-'], '<a:b/>')).code).toBe(0)
    expect((await run(['check', '--fragment', '-'], '<a/><b>')).code).toBe(0)
    expect((await run(['check', '--max-depth', '3', '-'], '<a><b><c/></b></a>')).code).toBe(0)
  })

  const entities = '<!DOCTYPE a [<!ENTITY e "xyz">]>\n<a>&e;&e;</a>'
  test.each([
    [
      ['--max-depth', '2'],
      '<a>\n<b><c/></b></a>',
      '<c> is nested too deeply: more than 2 elements are open (--max-depth)',
    ],
    [['--max-names', '1'], '<a>\n<b/></a>', 'more than 1 different names of elements and attributes (--max-names)'],
    [['--max-retained', '9'], `<a>\n<b c="${'x'.repeat(200_000)}"/></a>`, ' is larger than 9 bytes (--max-retained)'],
    [
      ['--max-nodes', '9'],
      `<a>\n<b ${Array.from({ length: 20 }, (_, i) => `c${i}="&#65;"`).join(' ')}/></a>`,
      '--max-nodes',
    ],
    [
      ['--max-amplification', '0', '--free-expansion', '4'],
      entities,
      'with the entity e, 39 bytes of input expand to 6 UTF-16 units of text',
    ],
  ])('exits with 3 where a limit is passed, and names its option: %j', async (options, text, message) => {
    for (const command of [['check'], ['select', 'a'], ['select', 'a', '--field', '.']]) {
      const { code, stdout, stderr } = await run([...command, '-', ...options], text)
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect(stderr).toContain(`xylem: standard input: `)
      expect(stderr).toContain(message)
      expect(stderr).toContain('(line 2, column ')
      expect(stderr).toContain(options[0])
    }
    expect((await run(['check', '-', ...options.map((one) => one.replace(/^\d+$/, '1000000'))], text)).stderr).toBe('')
  })

  test('refuses an unknown encoding, and limits that are not numbers', async () => {
    for (const command of [['check'], ['select', 'a']]) {
      for (const wrong of [
        ['--encoding', 'wood'],
        ['--max-depth', '-1'],
        ['--max-names', 'x'],
      ]) {
        const { code, stdout, stderr } = await run([...command, '-', ...wrong], '<a/>')
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
        expect(stderr).toContain(wrong[0])
      }
    }
    expect((await run(['check', '--encoding', 'latin1', '-'], Buffer.from('<a>é</a>', 'latin1'))).code).toBe(0)
  })

  test('shows no excerpt where there is nothing to be seen', async () => {
    expect((await run(['check', '-'], '')).stdout).toBe('standard input:1:1: the document is empty\n')
    expect((await run(['check', '-'], '<a>\n')).stdout).toBe(
      'standard input:2:1: the input ends, but <a> opened at 1:1 is not closed\n',
    )
  })

  test('reports a file that does not exist', async () => {
    const missing = join(folder, 'missing.xml')
    expect(await run(['check', missing])).toEqual({ code: 5, stdout: '', stderr: `xylem: ${missing}: no such file\n` })
  })

  test('reads the others where one cannot be read, and exits with the worse code', async () => {
    const missing = join(folder, 'missing.xml')
    const bad = write('bad.xml', '<a>')
    const broken = write('broken.xml.gz', gzipSync(`<a>${'<b/>'.repeat(100)}</a>`).subarray(0, 25))
    const { code, stdout, stderr } = await run(['check', missing, folder, broken, bad, write('good.xml', '<a/>')])
    expect(code).toBe(5)
    expect(stdout).toContain(`${bad}:1:4:`)
    const told = stderr.split('\n').filter((line) => line.startsWith('xylem: '))
    expect(told.map((line) => line.slice(7, line.indexOf(': ', 8)))).toEqual([missing, folder, broken])
    expect((await run(['check', broken, bad])).code).toBe(3)
  })

  test('reads standard input once', async () => {
    expect(await run(['check', '-', '-'], '<a/>')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('xylem select', () => {
  test('prints all nested matches where they are wanted, inner ones first', async () => {
    const text = '<r><a id="1"><a id="2">x</a></a><a id="3"/></r>'
    const elements = await run(['select', 'a', '-', '--xml', '--nested', 'all'], text)
    expect(elements.stdout).toBe('<a id="2">x</a>\n<a id="1"><a id="2">x</a></a>\n<a id="3"/>\n')
    const fields = await run(['select', 'a', '-', '--field', 'id=@id', '--field', 'text=.', '--nested', 'all'], text)
    expect(fields.stdout).toBe('{"id":"2","text":"x"}\n{"id":"1","text":"x"}\n{"id":"3","text":""}\n')
    const refused = await run(['select', 'a', '-', '--nested', 'inner'], text)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('It must be outermost, innermost or all.')
  })

  const text = '<r><a x="1">1<b/></a><a>2 &amp; é</a></r>'

  test('prints elements as lines, as JSON.stringify would', async () => {
    const { code, stdout } = await run(['select', 'a', '-'], text)
    expect(code).toBe(0)
    const lines = parseXml(text)
      .root.childrenNamed('a')
      .map((element) => `${JSON.stringify(element)}\n`)
    expect(stdout).toBe(lines.join(''))
  })

  test('prints them as they stand in the input where that is wanted', async () => {
    const { stdout } = await run(['select', '--xml', '--limit', '1', '/r/a', '-'], text)
    expect(stdout).toBe('<a x="1">1<b/></a>\n')
  })

  test('prints elements of any depth', async () => {
    const depth = isThorough ? 100_000 : 20_000
    const { code, stdout } = await run(['select', '/a', '-'], `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`)
    expect(code).toBe(0)
    expect(stdout.match(/"name":"a"/g)).toHaveLength(depth)
  })

  test('prints everything before an error', async () => {
    const { code, stdout, stderr } = await run(['select', '--xml', 'a', '-'], `${text.slice(0, -4)}</x>`)
    expect(code).toBe(3)
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stderr).toContain('the end tag </x> does not match <r> opened at 1:1')
  })

  test('prints fields of them where some are named', async () => {
    const fields = ['--field', '@x', '--field', 'text=.', '--field', 'b[]=b', '--field', 'n=name()', '--field', 'none']
    const { code, stdout, stderr } = await run(['select', 'a', '-', ...fields], text)
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'xylem: nothing found for the field none\n' })
    expect(stdout).toBe(
      [
        '{"@x":"1","text":"1","b":[""],"n":"a","none":null}\n',
        '{"@x":null,"text":"2 & é","b":[],"n":"a","none":null}\n',
      ].join(''),
    )
    const all = await run(['select', 'r', '-', '--field', 'a[]', '--limit', '1'], text)
    expect(all.stdout).toBe('{"a":["1","2 & é"]}\n')
    const limited = await run(['select', 'a', '-', '--field', '.', '--limit', '1'], text)
    expect(limited.stdout).toBe('{".":"1"}\n')
  })

  test('warns of references that are to be left out, as a check does', async () => {
    const references = ['a', 'b', 'c', 'd', 'e', 'f', 'f'].map((name) => `&${name};`).join('')
    const document = `<!DOCTYPE r SYSTEM "r.dtd"><r><a>M&a;ller</a>${references}</r>`
    const selected = await run(['select', 'a', '-', '--field', '.', '--entities', 'skip'], document)
    expect(selected).toMatchObject({ code: 0, stdout: '{".":"Mller"}\n' })
    const names = '&a; (2, first at byte 34), &b; (1, first at byte 48), &c; (1, first at byte 51), '
    const warning =
      'xylem: warning: standard input: 8 references to entities were left out, because the declarations outside of the document were not read: ' +
      `${names}&d; (1, first at byte 54), &e; (1, first at byte 57), others (2)\n`
    expect(selected.stderr).toContain(warning)
    expect(await run(['check', '-'], document)).toEqual({ code: 0, stdout: '', stderr: warning })
    expect((await run(['check', '-'], '<!DOCTYPE r SYSTEM "r.dtd"><r>&lt;</r>')).stderr).toBe('')
  })

  test('refuses a text that lacks an entity, and reads it with the DTD or the names of HTML', async () => {
    const path = write(
      'entities.xml',
      '<!DOCTYPE r SYSTEM "r.dtd" [<!ENTITY more SYSTEM "more.xml">]>\n<r><a>A</a>\n<a b="&auml;">M&uuml;ller</a></r>',
    )
    const dtd = write(
      'r.dtd',
      Buffer.from('<?xml encoding="ISO-8859-1"?><!ENTITY uuml "\xfc"><!ENTITY auml "\xe4">', 'latin1'),
    )
    const message =
      'entities.xml: the text of the entity auml is missing, because the DTD was not read: use --dtd FILE or --entities html'
    const commands = [
      ['select', 'a', path, '--field', '.', '--field', '@b'],
      ['select', 'a', path],
      ['infer', path],
      ['select', '--infer', path],
    ]
    for (const [i, command] of commands.entries()) {
      const refused = await run(command)
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(message) })
      expect(refused.stderr).toContain('(line 3, column 7')
      if (i < 2) expect(refused.stdout).toMatch(/^.*A.*\n$/)
      const [known, declared] = await Promise.all([
        run([...command, '--entities', 'html']),
        run([...command, '--dtd', dtd]),
      ])
      expect(known).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(command[0] === 'infer' ? 'such as ä' : 'Müller'),
      })
      expect(declared).toEqual(known)
    }
    expect(await run(['edit', path, '--rename', 'a=c'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('M&uuml;ller'),
    })
    const outside = write(
      'outside.xml',
      '<!DOCTYPE r SYSTEM "r.dtd" [<!ENTITY more SYSTEM "more.xml">]><r><a>&more;</a></r>',
    )
    expect((await run(['select', 'a', outside, '--dtd', dtd])).stderr).toContain(
      'the text of the entity more is missing',
    )
    expect(await run(['check', path, '--dtd', join(folder, 'none.dtd')])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('none.dtd: no such file'),
    })
  })

  test('gives plans what entities stand for', async () => {
    const path = write('planned.xml', '<!DOCTYPE r SYSTEM "r.dtd">\n<r><a>A</a>\n<a>M&uuml;ller</a></r>')
    const dtd = write('planned.dtd', '<!ENTITY uuml "ü">')
    const read = async (...options: string[]) => {
      const { stdout } = await run(['plan', '--each', 'a', '--field', 'a=.', path, ...options])
      return run(['read', stdout.trim().split('\n').at(-1) as string])
    }
    expect(await read()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('use --dtd FILE or --entities html'),
    })
    for (const options of [
      ['--dtd', dtd],
      ['--entities', 'html'],
      ['--entities', 'html', '--cuts', 'verified'],
    ])
      expect(await read(...options)).toMatchObject({ code: 0, stdout: expect.stringContaining('{"a":"Müller"}') })
    expect((await run(['plan', path, '--entities', 'html'])).stderr).toContain('use it together with --each')
  })

  test('knows the names of HTML in documents without a document type', async () => {
    const document = '<r><a>1&nbsp;2</a></r>'
    const all = [
      ['select', 'a', '-', '--field', '.'],
      ['check', '-'],
      ['edit', '-', '--rename', 'a=b'],
    ]
    for (const command of all) {
      const refused = await run(command, document)
      expect(refused.code).toBe(command[0] === 'check' ? 1 : 3)
      expect(refused.stdout + refused.stderr).toContain('the entity nbsp is not declared (xylem select --entities html')
      expect((await run([...command, '--entities', 'html'], document)).code).toBe(0)
    }
  })

  test('reads documents that follow each other', async () => {
    const document = (i: number) => `<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY e "${i}">]><r><a>&e;</a><a/></r>\n`
    const all = document(1) + document(2) + document(3)
    const fields = ['select', 'a', '-', '--field', 'a=.']
    expect((await run([...fields, '--documents'], all)).stdout).toBe(
      [1, 2, 3].map((i) => `{"a":"${i}"}\n{"a":""}\n`).join(''),
    )
    expect((await run([...fields, '--documents', '--limit', '3'], all)).stdout).toBe('{"a":"1"}\n{"a":""}\n{"a":"2"}\n')
    expect((await run(['select', 'a', '-', '--xml', '--documents'], all)).stdout).toBe('<a>&e;</a>\n<a/>\n'.repeat(3))
    expect(await run(['check', '-', '--documents'], all)).toEqual({ code: 0, stdout: '', stderr: '' })
    const wrong = await run(['check', '-', '--documents'], all.replace('3">]', '">'))
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('standard input:6:') })
    for (const input of [all, '<r/><r/>']) {
      const refused = await run(fields, input)
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('--documents reads several documents') })
    }
    const options = ['--fragment', '--documents']
    expect((await run([...fields, ...options], all)).code).toBe(2)
    expect((await run(['select', '--infer', '--documents', '-'], all)).code).toBe(2)
  })

  test('takes XML declarations between the roots of a fragment', async () => {
    const all = '<?xml version="1.0"?><a>1</a>\n<?xml version="1.0" encoding="UTF-8"?>\n<a>2</a>'
    const select = ['select', 'a', '-', '--field', 'a=.', '--fragment']
    expect((await run(select, all)).stdout).toBe('{"a":"1"}\n{"a":"2"}\n')
    expect((await run(select, '<a><?xml version="1.0"?></a>')).code).toBe(3)
  })

  test('takes two slashes for any depth', async () => {
    const [slashes, asterisks] = await Promise.all([
      run(['select', '/r//a', '-', '--field', 'b[]=//b', '--field', 'ids[]=.//@x'], text),
      run(['select', '/r/**/a', '-', '--field', 'b[]=**/b', '--field', 'ids[]=**/@x'], text),
    ])
    expect(slashes.stdout).toContain('"ids":["1"]')
    expect(slashes).toEqual(asterisks)
  })

  test('writes fields in the order in which they are named, also where names are whole numbers', async () => {
    const count = extent(50, 500, 500)
    const many = `<r xmlns:p="u">${'<a x="1"><p:b>&#50;</p:b></a><a><b>é</b><!-- --></a>'.repeat(count)}</r>`
    const args = ['select', 'a', '-', '--field', '2=*:b', '--field', 'b', '--field', '1=@x', '--field', '0[]=*:b']
    const line = '{"2":"2","b":null,"1":"1","0":["2"]}\n{"2":"é","b":"é","1":null,"0":["é"]}\n'
    for (const input of [many, inPieces(Buffer.from(many), 1)]) {
      expect(await run(args, input)).toEqual({ code: 0, stdout: line.repeat(count), stderr: '' })
    }
  })

  test('takes an asterisk for any namespace, in paths, fields and conditions', async () => {
    const document = '<r xmlns:p="u"><p:a p:x="1">1</p:a><a x="2">2</a><q:a xmlns:q="v" xmlns:x="no">3</q:a></r>'
    const { stdout } = await run(['select', '*:a[@*:x]', '-', '--field', 'x=@*:x', '--field', 't=.'], document)
    expect(stdout).toBe('{"x":"1","t":"1"}\n{"x":"2","t":"2"}\n')
  })

  test('refuses invalid fields', async () => {
    const wrong = [
      ['--field', 'b', '--field', 'b=c'],
      ['--field', 'b=/c'],
      ['--field', '.', '--xml'],
    ]
    for (const options of wrong) {
      const { code, stdout, stderr } = await run(['select', 'a', '-', ...options], text)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/field name b is used twice|invalid path "\/c"|cannot be used together with --field/)
    }
  })

  test('refuses an invalid path', async () => {
    const { code, stderr } = await run(['select', 'a///b', '-'], text)
    expect(code).toBe(2)
    expect(stderr).toBe('xylem: invalid path "a///b": it has three slashes in a row\n')
  })
})
