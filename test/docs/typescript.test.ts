// Readers copy examples into TypeScript of their own: every program of the documentation compiles there, with the strictest settings, against
// the published types under their published names.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTypes } from '../support/examples.ts'
import { isThorough } from '../support/extent.ts'
import { otherPages, pages, root } from '../support/markdown.ts'
import { checkPrograms } from '../support/type-check.ts'

const SCRIPT = /<script type="module">(.*?)<\/script>/gs

const sources = readdirSync(join(root, 'source'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.includes('generated'))
  .map((path) => `source/${path.replaceAll('\\', '/')}`)

/** The programs of a text and the scripts of its HTML, by the paths that they would have in the package. */
function findPrograms(path: string): [file: string, code: string][] {
  const text = readFileSync(join(root, path), 'utf8')
  const programs = [...text.matchAll(/^[ *]*```(?:js|ts)\n(.*?)^[ *]*```$/gms), ...text.matchAll(SCRIPT)]
  return programs.map(({ index, 1: code = '' }) => {
    const line = text.slice(0, index).split('\n').length
    return [`${path}:${line}.ts`, `${toModule(code)}\nexport {}\n`]
  })
}

/** A program as its reader copies it: without the stars of a comment, and with published names, for which browsers have paths. */
function toModule(code: string): string {
  return withTypes(code)
    .replace(/^ *\* ?/gm, '')
    .replace(/'\.\/node_modules\/xylem\/dist\/(\w+)\.js'/, "'xylem/$1'")
    .replace("'./xylem.min.js'", "'xylem'")
}

const programs = new Map([...pages, ...otherPages, ...sources].flatMap(findPrograms))
const WRONG =
  "import { Grammar } from 'xylem/grammar'\nconst tree = Grammar.from('program ::= \"a\" ;').parse('a')\ntree.vale\n"

test('programs are found in the documentation and in doc comments', () => {
  expect(programs.size).toBeGreaterThan(30)
})

// One run of the compiler: it reads the types of the DOM and of Node each time.
test.runIf(isThorough)(
  'every program of the documentation and of doc comments compiles in strict TypeScript, and a wrong one would not',
  () => {
    const problems = checkPrograms(new Map([...programs, ['wrong.ts', WRONG]]))
    expect(problems).toEqual([expect.stringMatching(/^wrong\.ts:3 .*vale/)])
  },
)
