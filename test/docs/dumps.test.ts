// The page on dumps shows what is really printed. After a change that is meant, `npx vitest run test/docs --update` writes it anew.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const path = join(root, 'docs', 'dumps.md')
const page = readFileSync(path, 'utf8')
const COMMAND = /```console\n\$ (.*?)\n(.*?)```/gs
const PROGRAM = /```js\n(.*?)```\n\n```text\n(.*?)```/gs

function runProgram(code: string): string {
  const file = join(root, 'build', `dump-example-${process.pid}.mjs`)
  mkdirSync(join(root, 'build'), { recursive: true })
  writeFileSync(file, code)
  try {
    // Node 20 may lock up at the end of a process that has just compiled much.
    return execFileSync(process.execPath, ['--no-concurrent-recompilation', file], { cwd: root, encoding: 'utf8' })
  } finally {
    rmSync(file)
  }
}

test('the commands and programs of docs/dumps.md print what stands below them', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'xylem-bin-'))
  symlinkSync(join(root, 'dist', 'cli.js'), join(bin, 'xylem'))
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  const runCommand = (command: string): string => {
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8', env })
    return stdout + stderr
  }
  let count = 0
  const expected = page
    .replace(COMMAND, (_, command: string) => {
      count++
      return `\`\`\`console\n$ ${command}\n${runCommand(command)}\`\`\``
    })
    .replace(PROGRAM, (_, code: string) => {
      count++
      return `\`\`\`js\n${code}\`\`\`\n\n\`\`\`text\n${runProgram(code)}\`\`\``
    })
  rmSync(bin, { recursive: true })
  expect(count).toBe(8)
  await expect(expected).toMatchFileSnapshot(path)
})
