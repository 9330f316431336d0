// Files that commands write: under which name, and what stands there before.

import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from '../../support/command.ts'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-output-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const save = (output: string) => run(['edit', '--rename', 'a=b', '--output', output], '<a/>')

test('a symbolic link that leads to no file yet stays, and the file is written where it leads', async () => {
  mkdirSync(join(folder, 'there'))
  symlinkSync('there/second', join(folder, 'first'))
  symlinkSync('new.txt', join(folder, 'there/second'))
  expect(await save(join(folder, 'first'))).toMatchObject({ code: 0, stderr: '' })
  expect(readlinkSync(join(folder, 'first'))).toBe('there/second')
  expect(readlinkSync(join(folder, 'there/second'))).toBe('new.txt')
  expect(readFileSync(join(folder, 'there/new.txt'), 'utf8')).toBe('<b/>')
  expect(readdirSync(join(folder, 'there')).sort()).toEqual(['new.txt', 'second'])
})

test.each([
  ['to a folder that is missing', 'missing/new.txt', 'there is no such folder'],
  ['to itself', 'link', 'ELOOP'],
])('a symbolic link that leads %s is an error, and stays', async (_, target, message) => {
  const link = join(folder, 'link')
  symlinkSync(target, link)
  expect(await save(link)).toMatchObject({ code: 5, stderr: expect.stringContaining(message) })
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readdirSync(folder)).toEqual(['link'])
})

test.skipIf(process.platform === 'win32').each(['/dev/stdout', 'out.xml'])(
  'a file that is standard output as well is written as that, and what stands there stays: %s',
  (path) => {
    writeFileSync(join(folder, 'out.xml'), 'before\n')
    const output = openSync(join(folder, 'out.xml'), 'a')
    const args = [main, 'edit', '--rename', 'a=b', '--output', path]
    spawnSync(process.execPath, args, { cwd: folder, input: '<a/>\n', stdio: ['pipe', output, 'inherit'] })
    closeSync(output)
    expect(readFileSync(join(folder, 'out.xml'), 'utf8')).toBe('before\n<b/>\n')
    expect(readdirSync(folder)).toEqual(['out.xml'])
  },
)

test.each([[['select', 'a']], [['edit', '--remove', 'b']], [['pages', '-']], [['index', '-']], [['read', '-']]])(
  'an output has a name: %j',
  async (args) => {
    const before = readdirSync('.')
    expect(await run([...args, '--output', ''], '<a><b/></a>')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('It must be a name.'),
    })
    expect(readdirSync('.')).toEqual(before)
    expect(existsSync('.partial')).toBe(false)
  },
)
