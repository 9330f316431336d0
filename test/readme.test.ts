// The README shows what is really printed: its examples are run, and their output is compared.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')

const programs = [...readme.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```/gs)]
const commands = [...readme.matchAll(/```console\n\$ (.*?)\n(.*?)```/gs)]

// Node 20's V8 can lock up at exit when a thread that compiles wants a garbage collection then.
const STABLE_EXIT = '--no-concurrent-recompilation'

// A folder on the path where `xylem` is the command that was built.
let bin = ''
beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), 'xylem-bin-'))
  symlinkSync(join(root, 'dist', 'cli', 'main.js'), join(bin, 'xylem'))
})
afterAll(() => rmSync(bin, { recursive: true }))

describe('the README', () => {
  test('has examples', () => {
    expect(programs.length).toBeGreaterThan(2)
    expect(commands.length).toBeGreaterThan(1)
  })

  test.each(programs.map(([, code, output]) => [code?.split('\n')[0], code, output]))(
    'example: %s',
    (_, code, output) => {
      const file = join(root, 'build', `example-${process.pid}.mjs`)
      mkdirSync(join(root, 'build'), { recursive: true })
      writeFileSync(file, code as string)
      try {
        expect(
          execFileSync(process.execPath, [STABLE_EXIT, file], { cwd: root, encoding: 'utf8', timeout: 60_000 }),
        ).toBe(output)
      } finally {
        rmSync(file)
      }
    },
  )

  test.each(commands.map(([, command, output]) => [command, output]))('example: %s', (command, output) => {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
    const { stdout, stderr } = spawnSync('sh', ['-c', command as string], { cwd: root, encoding: 'utf8', env })
    expect(stdout + stderr).toBe(output)
  })
})
