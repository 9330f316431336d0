// `xylem parse` and `xylem grammar`, as they were built.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Grammar } from '../../source/grammar/index.ts'
import { run } from '../support/command.ts'
import { isThorough } from '../support/extent.ts'

const fixture = (path: string) => fileURLToPath(new URL(`../../fixtures/grammar/${path}`, import.meta.url))
const json = fixture('json/json.bnf')
const log = fixture('log/log.bnf')
const lines = fixture('log/lines.input.log')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-parse-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('xylem parse', () => {
  test('prints values of any rule of a grammar with fields, and with --values or an option for them of any grammar', async () => {
    const emit = (...options: string[]) => run(['parse', '--limit', '2', '--emit', ...options], 'a,b\n')
    expect((await emit('cell', '-g', '@csv')).stdout).toBe('"a"\n"b"\n')
    const print = (...options: string[]) =>
      run(['parse', '-g', log, '--emit', 'status', '--limit', '1', ...options, lines])
    expect((await print('--values')).stdout).toBe('"200"\n')
    expect((await print('--as', 'status=integer')).stdout).toBe('200\n')
    expect((await print('--values', '--tree')).stderr).toContain('--values applies to values, not to trees')
  })

  test('with --on-error skip, reports rounds with errors, leaves them out, and exits with 1', async () => {
    const input = 'a=b\nc="d\ne=f\n'
    const read = (...options: string[]) => run(['parse', '-g', '@logfmt', '--on-error', 'skip', ...options], input)
    const { code, stdout, stderr } = await read()
    const lines = ['{"pairs":[{"key":"a","value":"b"}]}', '{"pairs":[{"key":"e","value":"f"}]}', '']
    expect({ code, stdout }).toEqual({ code: 1, stdout: lines.join('\n') })
    expect(stderr).toMatch(/^standard input: expected .* \(line 2, column 5, byte 8\); skipped\n$/)
    expect((await read('--tree', '--emit', 'line')).code).toBe(1)
    expect(await read('--check')).toEqual({ code: 1, stdout: '', stderr })
    expect((await run(['parse', '-g', '@logfmt', '--on-error', 'skip', '--check'], 'a=b\n')).code).toBe(0)
    const without = await run(['parse', '-g', json, '--on-error', 'skip'], '{}')
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--on-error: after an error')])
  })

  test('prints the tree as one line, as JSON.stringify would', async () => {
    const { code, stdout, stderr } = await run(['parse', '-g', json, fixture('json/object.input.json')])
    const grammar = Grammar.from(readFileSync(json, 'utf8'))
    const tree = grammar.parse(readFileSync(fixture('json/object.input.json')))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`${JSON.stringify(tree)}\n`)
  })

  test('prints the nodes of a rule one a line, from standard input as well, also compressed', async () => {
    const { stdout } = await run(['parse', '-g', log, '--emit', 'status', lines])
    const expected = stdout.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as { type: string }).type))
    expect(new Set(expected)).toEqual(new Set(['status', '']))
    expect((await run(['parse', '-g', log, '--emit', 'status', '-'], gzipSync(readFileSync(lines)))).stdout).toBe(
      stdout,
    )
    expect((await run(['parse', '-g', log, '--emit', 'status', '--limit', '1', lines])).stdout).toBe(
      `${stdout.split('\n')[0]}\n`,
    )
  })

  test('prints what was certain before an error, and says what is wrong, where, and what was expected', async () => {
    const { code, stdout, stderr } = await run(['parse', '-g', log, '--emit', 'level', fixture('log/level.bad.log')])
    expect(stdout.split('\n')).toHaveLength(2)
    expect(code).toBe(3)
    expect(stderr).toContain('expected level, but found "N" (line 2, column 22, byte 69)\n')
    expect(stderr).toContain('^')
  })

  test('refuses a grammar that is not UTF-8, and says where', async () => {
    const grammar = write('latin.bnf', Buffer.from('program ::=\n"é\xfc" ;', 'latin1'))
    const { code, stderr } = await run(['parse', '-g', grammar], 'ü')
    expect([code, stderr]).toEqual([
      3,
      `xylem: ${grammar}: the text is not valid UTF-8 here (line 2, column 2, byte 13)\n`,
    ])
  })

  test.runIf(isThorough)('prints trees of any depth', async () => {
    const grammar = write('deep.bnf', 'program ::= list ; list ::= "(" list? ")" ;')
    const depth = isThorough ? 50_000 : 12_000
    const { code, stdout } = await run(['parse', '-g', grammar], '('.repeat(depth) + ')'.repeat(depth))
    expect(code).toBe(0)
    expect(stdout.match(/"type":"list"/g)).toHaveLength(depth)
  })

  test('only reports whether the input matches, with --check', async () => {
    expect(await run(['parse', '-g', json, '--check'], '{"a": 1}')).toEqual({ code: 0, stdout: '', stderr: '' })
    const { code, stdout, stderr } = await run(['parse', '-g', json, '--check'], '{"a" 1}')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('expected ":" or blank, but found "1"')
  })

  test('ends with a limit that is passed, with and without --check, and names the option', async () => {
    const sums = write(
      'sums.bnf',
      'program ::= add | sub | term ;\nadd ::= term "+" program ;\nsub ::= term "-" program ;\nterm ::= "1" | ( "(" program ")" ) ;',
    )
    const nested = `${'('.repeat(20)}1${')'.repeat(20)}`
    const cases: [option: string, limit: string, grammar: string, input: string][] = [
      ['--max-depth', '10', json, '['.repeat(100)],
      ['--max-nodes', '10', json, `[${'1,'.repeat(100)}1]`],
      ['--max-retained', '10', json, `["${'x'.repeat(300_000)}"]`],
      ['--max-rewound', '1', sums, nested],
      ['--free-rewound', '100', sums, nested],
    ]
    for (const [option, limit, grammar, input] of cases) {
      const args =
        option === '--free-rewound'
          ? ['--max-rewound', '1']
          : option === '--max-rewound'
            ? ['--free-rewound', '100']
            : []
      for (const check of option === '--max-depth' ? [[], ['--check']] : [[]]) {
        const { code, stdout, stderr } = await run(['parse', '-g', grammar, option, limit, ...args, ...check], input)
        expect([option, code, stdout]).toEqual([option, 3, ''])
        expect(stderr).toContain(option)
        expect(stderr).toContain(limit)
      }
    }
    const { code, stderr } = await run(['parse', '-g', json, '--max-depth', '0'], '1')
    expect([code, stderr.includes('a whole number, 1 or greater')]).toEqual([2, true])
  })

  test('refuses rules that there are not, and lists those there are', async () => {
    const { code, stderr } = await run(['parse', '-g', log, '--emit', 'lines', lines])
    expect(code).toBe(2)
    expect(stderr).toContain('the grammar has no rule lines; it has program, entry')
  })

  test('prints what is at a path, and refuses one that leads nowhere', async () => {
    const grammar = write('paths.bnf', 'program ::= "{" one:item ":" items:item{* ","} "}" ; item ::= name:[a-z]+ ;')
    const parse = (...args: string[]) => run(['parse', '-g', grammar, ...args], '{a:b,c}')
    const { code, stdout } = await parse('--emit', 'program.items')
    expect([code, stdout]).toEqual([0, '{"name":"b"}\n{"name":"c"}\n'])
    expect((await parse('--emit', 'one.item,items.item', '--format', 'csv')).stdout).toBe('name\r\na\r\nb\r\nc\r\n')
    expect((await parse('--tree', '--emit', 'one.item')).stdout).toMatch(/^{"type":"item","start":1,"end":2,.*}\n$/)
    for (const args of [[], ['--tree']]) {
      const { code, stderr } = await parse('--emit', 'program.itms.item', ...args)
      expect([code, stderr.includes('there is no itms in program')]).toEqual([2, true])
    }
    const { stdout: report } = await run(['grammar', grammar, '--emit', 'program.items'])
    expect(report).toContain('for the nodes of program.items')
    expect((await run(['grammar', grammar, '--emit', 'itms'])).code).toBe(2)
  })

  test('shows all problems of a grammar, and where they are', async () => {
    const grammar = write('bad.bnf', 'program ::= x yy ;\ny ::= "a" "b ;\n')
    const { code, stderr } = await run(['parse', '-g', grammar], '')
    expect(code).toBe(3)
    expect(stderr).toContain('bad.bnf: the quotes are not closed (line 2, column 11)')
    expect(stderr).toContain('          ^')
  })

  test('reports a grammar that does not exist', async () => {
    const { code, stderr } = await run(['parse', '-g', join(folder, 'none.bnf')], '')
    expect(code).toBe(5)
    expect(stderr).toContain('none.bnf: no such file')
  })
})

describe('xylem grammar', () => {
  test('shows what the passes did, where the machine may go back, and the program', async () => {
    const { code, stdout, stderr } = await run(['grammar', json, '--program'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Optimisations:')
    expect(stdout).toContain('Places where the machine can have to go back: ')
    expect(stdout).toContain('BEGIN_PART')
  })

  test('names another notation, and prints a rule that begins with itself as it may be', async () => {
    const other = await run(['grammar', write('other.bnf', '<digit> ::= "0" | "1"\n')])
    expect(other.code).toBe(3)
    expect(other.stderr).toContain('this looks like BNF with names in angle brackets (line 1, column 1)')
    expect(other.stderr).toContain('digit ::= "0" | "1" ;')
    const recursive = await run([
      'grammar',
      write('recursive.bnf', 'sum ::= sum "+" digit | digit ;\ndigit ::= [0-9] ;\n'),
    ])
    expect(recursive.stderr).toContain('use a repetition instead:  sum ::= digit ( left:< "+" right:digit )* ;')
  })

  test('warns on standard error', async () => {
    const grammar = write('mixed.bnf', 'program ::= "a" "b" | "c" ;')
    const { code, stderr } = await run(['grammar', grammar, '--dialect', 'bnf-parser'])
    expect(code).toBe(0)
    expect(stderr).toContain('warning: sequence and choice are mixed without brackets')
  })

  test('is read with sequences first, and warned of once where no dialect is given and the other one reads it otherwise', async () => {
    const grammar = write('other.bnf', 'letters ::= "a" "b" | "c" "d" ;')
    const warning = `xylem: warning: ${grammar}: a sequence binds stronger than a choice; the dialect bnf-parser reads this otherwise (line 1, column 13)
  letters ::= "a" "b" | "c" "d" ;
              ^^^^^^^^^^^^^^^^^
  write  ( "a" "b" ) | ( "c" "d" )  or give the dialect

`
    const parse = ['parse', '-g', grammar, '--check']
    expect(await run(parse, 'ab')).toEqual({ code: 0, stdout: '', stderr: warning })
    expect(await run([...parse, '--no-warnings'], 'cd')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await run([...parse, '--dialect', 'xylem'], 'ab')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await run([...parse, '--dialect', 'bnf-parser'], 'abd')).toEqual({ code: 0, stdout: '', stderr: '' })
    const { stderr } = await run(['grammar', grammar])
    expect(stderr.split('warning:').length).toBe(2)
  })

  test('warns of options that parse nested input again at each level', async () => {
    const grammar = write('sums.bnf', 'program ::= ( term "+" program ) | term ; term ::= "1" | ( "(" program ")" ) ;')
    const { code, stderr } = await run(['grammar', grammar])
    expect(code).toBe(0)
    expect(stderr).toContain('warning: in program, more than one way to continue here begins with term')
    expect(stderr).toContain('factor out the common beginning')
  })
})

describe('grammars that come along', () => {
  test('are listed, with what they are for', async () => {
    const { code, stdout, stderr } = await run(['grammar', '--list'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
      '@combined',
      '@csv',
      '@json',
      '@json-lines',
      '@logfmt',
      '@ntriples',
      '@syslog',
      '@syslog-bsd',
      '',
    ])
    expect(stdout).toContain('@json        JSON (RFC 8259): one value\n')
  })

  test('are read by name wherever a grammar is, whatever the dialect of files is', async () => {
    expect(await run(['parse', '-g', '@json-lines', '--dialect', 'bnf-parser'], '1\n"a"\n')).toEqual({
      code: 0,
      stdout: '1\n"a"\n',
      stderr: '',
    })
    expect((await run(['grammar', '@csv'])).stdout).toContain('rules, entry program')
    expect((await run(['types', '@csv'])).code).toBe(0)
  })

  test('are suggested for names that there are not', async () => {
    const { code, stderr } = await run(['parse', '-g', '@sylog'], '')
    expect(code).toBe(2)
    expect(stderr).toBe(
      'xylem: there is no grammar @sylog; did you mean @syslog? The grammars are @combined, @csv, @json, @json-lines, @logfmt, @ntriples, @syslog, @syslog-bsd; write ./@sylog for a file\n',
    )
    expect((await run(['types', '@x'])).stderr).toContain('there is no grammar @x. The grammars are @combined,')
  })

  test('are listed instead of a grammar, not beside one', async () => {
    expect((await run(['grammar'])).stderr).toContain('name a grammar, or list those that come along with --list')
    expect((await run(['grammar', '@json', '--list'])).code).toBe(2)
  })

  test('give the cells of rows names with --header', async () => {
    const input = 'id,name\r\n1,"a, b"\r\n2,\r\n'
    const print = async (...options: string[]) => await run(['parse', '-g', '@csv', '--header', ...options], input)
    expect((await print()).stdout).toBe('{"id":"1","name":"a, b"}\n{"id":"2","name":""}\n')
    expect((await print('--limit', '1', '--format', 'json')).stdout).toBe('[{"id":"1","name":"a, b"}]\n')
    expect((await print('--fields', 'name,id', '--format', 'tsv')).stdout).toBe('name\tid\na, b\t1\n\t2\n')
    const file = write('rows.csv', input)
    expect((await run(['parse', '-g', '@csv', '--header', file, file])).stdout).toBe(
      '{"id":"1","name":"a, b"}\n{"id":"2","name":""}\n'.repeat(2),
    )
  })

  test.each([
    [['-g', '@csv', '--header', '--format', 'csv'], 2, '--header with --format csv needs --fields'],
    [['-g', '@csv', '--header', '--format', 'arrow'], 2, '--header with --format arrow needs --fields'],
    [
      ['-g', '@csv', '--header', '--fields', 'c'],
      3,
      'the header has no name "c"; it has "a", "b" (line 1, column 1, byte 0)',
    ],
    [['-g', '@csv', '--header', '--tree'], 2, '--header applies to values, not to trees'],
    [['-g', '@csv', '--header', '--check'], 2, 'cannot be used together with --header'],
    [['-g', '@csv', '--header', '--positions'], 2, '--header and --positions cannot be used together'],
    [['-g', '@logfmt', '--header'], 2, '--header is for records that have a list of cells'],
    [
      ['-g', '@csv', '--header'],
      3,
      'expected 2 cells, as many as there are names, but found 1 (line 2, column 1, byte 4)',
    ],
  ])('refuse %j', async (options, expected, message) => {
    const { code, stderr } = await run(['parse', ...options], 'a,b\n1\n')
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)])
  })
})
