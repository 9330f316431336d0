// The data source in real engines, each in a virtual environment outside of this folder: `npm run test:engines`. The tests are those of python/engines.

import { execFile, execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { ExampleRunner } from '../support/examples.ts'
import { readPage, root } from '../support/markdown.ts'

const python = process.env.XYLEM_PYTHON || 'python3'
const source = join(root, 'python')
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'xylem-engines')

interface Engine {
  readonly name: string
  readonly packages: readonly string[]
  readonly needsJava: boolean
  /** Modules of tests. */
  readonly tests: readonly string[]
}

const SPARK = { needsJava: true, tests: ['engines.test_spark', 'engines.test_cluster'] } as const
const ENGINES: readonly Engine[] = [
  { name: 'spark-oldest', packages: ['pyspark==4.0.*', 'pyarrow', 'pandas<3'], ...SPARK },
  { name: 'spark-newest', packages: ['pyspark>=4.3', 'pyarrow', 'pandas<3'], ...SPARK },
  // Sail says which Spark it speaks like.
  {
    name: 'sail',
    packages: ['pysail', 'pyspark[connect]==4.0.*', 'pyarrow', 'pandas<3'],
    needsJava: false,
    tests: ['engines.test_sail'],
  },
]

/** Why the tests of an engine cannot run; undefined if they can. */
function findReason({ needsJava }: Engine): string | undefined {
  if (!succeeds(python, '-c', 'import venv, ensurepip')) return 'there is no Python 3 with venv'
  if (needsJava && !succeeds('java', '-version')) return 'there is no Java'
  return undefined
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs a program, and returns what it prints. An error has that, too. */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, PYTHONPATH: source }
  const ended = promisify(execFile)(program, args, { cwd: source, env, maxBuffer: 256 * 1024 * 1024 })
  const { stdout, stderr } = await ended.catch(({ stdout, stderr }) => {
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`)
  })
  return stdout + stderr
}

for (const engine of ENGINES) {
  const { name, packages, tests } = engine
  const reason = findReason(engine)
  describe.skipIf(reason)(reason ? `${name} (${reason})` : name, () => {
    const environment = join(cache, name)
    const own = join(environment, 'bin', 'python')

    beforeAll(async () => {
      if (!existsSync(own)) await run(python, '-m', 'venv', environment)
      await run(own, '-m', 'pip', 'install', '--quiet', '--upgrade', ...packages)
      console.log(`${name}: ${(await run(own, '-m', 'pip', 'freeze')).trim().split('\n').join(', ')}`)
    }, 20 * 60_000)

    test.each(tests)('%s', async (module) => {
      const printed = await run(own, '-m', 'unittest', '-v', module)
      const [counts] = /^Ran .*\n+.*$/mu.exec(printed) ?? []
      console.log(`${name}: ${module}: ${counts?.replace(/\n+/u, ': ')}`)
      expect(counts).toContain('OK')
    })

    test.runIf(name === 'spark-newest')('prints what docs/spark.md says', () => {
      rmSync(join(root, 'build', 'reports'), { recursive: true, force: true })
      const runner = new ExampleRunner(own)
      try {
        const page = readPage('docs/spark.md')
        expect(runner.render(page)).toBe(page)
      } finally {
        runner.close()
      }
    })
  })
}
