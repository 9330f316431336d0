// The page on XML shows what is really printed. After a change that is meant, `npx vitest run test/docs --update` writes it anew.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const path = join(root, 'docs', 'xml.md')
const page = readFileSync(path, 'utf8')
const PROGRAM = /```js\n(.*?)```\n\n```console\n(.*?)```/gs
const programs = [...page.matchAll(PROGRAM)].map(([, code]) => code as string)

/** What a program prints. */
function run(code: string, index: number): string {
  const file = join(root, 'build', `xml-example-${index}-${process.pid}.mjs`)
  mkdirSync(join(root, 'build'), { recursive: true })
  writeFileSync(file, code)
  try {
    // Node 20 may lock up at the end of a process that has just compiled much.
    return execFileSync(process.execPath, ['--no-concurrent-recompilation', file], { encoding: 'utf8' })
  } finally {
    rmSync(file)
  }
}

test('the programs of docs/xml.md print what stands below them', async () => {
  expect(programs.length).toBeGreaterThan(4)
  const printed = programs.map(run)
  let next = 0
  const expected = page.replace(
    PROGRAM,
    (_, code) => `\`\`\`js\n${code}\`\`\`\n\n\`\`\`console\n${printed[next++]}\`\`\``,
  )
  await expect(expected).toMatchFileSnapshot(path)
})
