// `xylem types`, as it was built.

import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Grammar, makeSchema, writeTypes } from '../../source/grammar/index.ts'
import { run, start } from '../support/command.ts'
import { isThorough } from '../support/extent.ts'
import { writeZip } from '../support/zip-writer.ts'

const SOURCE =
  'program ::= line* ;\nline ::= key:word "=" size:word %"\\n" ;\nword ::= [a-z0-9]+ ;\ntwo ::= word word ;\n'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-types-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const pathOf = (name: string) => join(folder, name)
function write(name: string, text: string): string {
  writeFileSync(pathOf(name), text)
  return pathOf(name)
}

describe('xylem types', () => {
  test('writes the module of types, with the options that say how values are made', async () => {
    const grammar = write('print.bnf', SOURCE)
    const { code, stdout, stderr } = await run(['types', grammar])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(writeTypes(Grammar.from(SOURCE)))
    const options = ['--as', 'size=integer', '--type', '--positions', '--lenient']
    const given = await run(['types', grammar, ...options])
    const form = { as: { size: 'integer' }, type: true, positions: true, lenient: true } as const
    expect(given.stdout).toBe(writeTypes(Grammar.from(SOURCE), form))
  })

  test('writes the JSON Schema of a rule', async () => {
    const grammar = write('schema.bnf', SOURCE)
    const { code, stdout } = await run(['types', grammar, '--schema', '--entry', 'line'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(makeSchema(Grammar.from(SOURCE), 'line'))
    const other = await run(['types', grammar, '--schema', '--entry', 'two'])
    expect(other.code).toBe(2)
    expect(other.stderr).toContain('schema.bnf: there is no schema of two: it gives no value: two has 2 parts')
  })

  test('checks whether a file is up to date, and says in a line that it is not', async () => {
    const grammar = write('check.bnf', SOURCE)
    const output = pathOf('check.types.ts')
    const check = (...options: string[]) => run(['types', grammar, '--output', output, '--check', ...options])
    const missing = await check()
    expect(missing.code).toBe(1)
    expect(missing.stderr).toMatch(/^xylem: .*check\.types\.ts does not exist; write it .* without --check\n$/)
    expect(existsSync(output)).toBe(false)
    expect((await run(['types', grammar, '--output', output])).code).toBe(0)
    expect(await check()).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await check('--positions')).code).toBe(1)
    write('check.bnf', SOURCE.replace('key:', 'name:'))
    const stale = await check()
    expect(stale.code).toBe(1)
    expect(stale.stderr).toMatch(/^xylem: .*check\.types\.ts is not up to date with .*check\.bnf; .*\n$/)
    write('check.bnf', 'program ::= ')
    expect((await check()).code).toBe(3)
  })

  test.each<[options: string[], message: string]>([
    [['--output', 'log.d.ts'], 'types writes a module that a program imports, not declarations alone (log.d.ts)'],
    [['--output', 'log.json'], 'types writes TypeScript, not .json (log.json)'],
    [['--schema', '--output', 'log.csv'], 'types --schema writes a JSON Schema, not .csv'],
    [['--entry', 'line'], '--entry needs --schema'],
    [['--check'], '--check needs a file: use --output'],
    [['--watch', '--output', '-'], '--watch needs a file: use --output'],
    [['--check', '--watch', '--output', 'log.ts'], '--check and --watch cannot be used together'],
    [['--as', 'line=integer'], 'line gives no text that could be of a kind'],
  ])('refuses %j', async (options, message) => {
    const { code, stdout, stderr } = await run(['types', write('refused.bnf', SOURCE), ...options])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('watches a grammar: writes again when it changes or is replaced, reports what is wrong, and ends by Ctrl-C', {
    timeout: 60_000,
  }, async () => {
    const grammar = write('watch.bnf', SOURCE)
    const output = pathOf('watch.types.ts')
    const child = start('types', grammar, '--output', output, '--watch')
    let told = ''
    child.stderr.on('data', (text) => {
      told += text
    })
    const has = async (condition: () => boolean) => {
      await expect.poll(condition, { timeout: 15_000 }).toBe(true)
    }
    const isWritten = (text: string) =>
      existsSync(output) && readFileSync(output, 'utf8') === writeTypes(Grammar.from(text))
    await has(() => isWritten(SOURCE))
    const changed = SOURCE.replace('key:', 'name:')
    writeFileSync(grammar, changed)
    await has(() => isWritten(changed))
    writeFileSync(grammar, 'program ::= ')
    await has(() => told.includes('watch.bnf: expected'))
    expect(isWritten(changed)).toBe(true)
    renameSync(write('new.bnf', SOURCE), grammar)
    await has(() => isWritten(SOURCE))
    // What is written is reported a moment later.
    await has(() => told.match(/xylem: wrote .*watch\.types\.ts/g)?.length === 3)
    const exit = once(child, 'exit')
    child.kill('SIGINT')
    expect(await exit).toEqual([130, null])
    expect(told).not.toContain('Error')
  })

  test.runIf(isThorough)('watches the archive that has a grammar', { timeout: 60_000 }, async () => {
    const writeArchive = (content: string) => writeFileSync(pathOf('new.zip'), writeZip([{ name: 'log.bnf', content }]))
    const replace = () => renameSync(pathOf('new.zip'), pathOf('grammars.zip'))
    writeArchive(SOURCE)
    replace()
    const output = pathOf('member.types.ts')
    const child = start('types', `${pathOf('grammars.zip')}/log.bnf`, '--output', output, '--watch')
    const isWritten = (text: string) => () =>
      existsSync(output) && readFileSync(output, 'utf8') === writeTypes(Grammar.from(text))
    await expect.poll(isWritten(SOURCE), { timeout: 15_000 }).toBe(true)
    const changed = SOURCE.replace('key:', 'name:')
    writeArchive(changed)
    replace()
    await expect.poll(isWritten(changed), { timeout: 15_000 }).toBe(true)
    const exit = once(child, 'exit')
    child.kill('SIGINT')
    expect(await exit).toEqual([130, null])
  })

  test('watches no address, and nothing in a folder that there is not', async () => {
    const address = await run(['types', 'https://example.org/log.bnf', '--watch', '--output', pathOf('x.ts')])
    expect(address.code).toBe(2)
    expect(address.stderr).toContain('--watch needs a grammar that is a file')
    const missing = await run(['types', pathOf('none/log.bnf'), '--watch', '--output', pathOf('x.ts')])
    expect(missing.code).toBe(5)
    expect(missing.stderr).toContain('log.bnf: no such file')
  })
})
