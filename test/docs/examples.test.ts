// The README and the pages of docs/ show what is really printed. After a change that is meant, `npx vitest run test/docs --update --config
// vitest.all.config.ts` writes them anew.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countExamples, ExampleRunner, findOtherExamples } from '../support/examples.ts'
import { isThorough } from '../support/extent.ts'
import { pages, readPage, root } from '../support/markdown.ts'

// The examples of the grammar language give trees and messages as well: grammar.test.ts runs its pages.
const others = pages.filter((path) => !/^docs\/grammar(-reference)?\.md$/.test(path))

let runner: ExampleRunner
beforeAll(() => {
  runner = new ExampleRunner()
})
afterAll(() => runner.close())

describe('examples', () => {
  test.each(pages)('all of %s are run', (path) => {
    expect(findOtherExamples(readPage(path))).toEqual([])
  })

  // Most of them start programs: in npm test those of the README alone.
  const withExamples = others.filter((path) => countExamples(readPage(path)) > 0)
  test.each(isThorough ? withExamples : withExamples.filter((path) => path === 'README.md'))(
    'of %s print what stands below them',
    async (path) => {
      await expect(runner.render(readPage(path))).toMatchFileSnapshot(join(root, path))
    },
  )

  test('are found where there are any', () => {
    const counts = Object.fromEntries(pages.map((path) => [path, countExamples(readPage(path))]))
    expect(counts['README.md']).toBeGreaterThan(3)
    expect(counts['docs/dumps.md']).toBeGreaterThan(5)
    expect(counts['docs/recipes.md']).toBeGreaterThan(7)
    expect(counts['docs/xml.md']).toBeGreaterThan(4)
  })

  test.runIf(isThorough)('may be typed with npx in a clone', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    // In a new clone npm would build dist/ again, under the feet of other tests.
    const printed = execFileSync('npx', ['--ignore-scripts', '--no-install', 'xylem', '--version'], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    expect(printed.trim()).toBe(version)
  })
})
