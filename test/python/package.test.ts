// The package for Python as its users get it: built, installed elsewhere, with a Node that is not on the path.

import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isThorough } from '../support/extent.ts'
import { fixturePath } from '../support/fixtures.ts'
import { root } from '../support/markdown.ts'
import { findReaders } from '../support/python.ts'

const source = join(root, 'python')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const PROGRAM = `
import sys, xylem_reader
assert xylem_reader.__file__.startswith(sys.argv[1])
print(xylem_reader.__version__, xylem_reader.read(sys.argv[2], dump='pages').read_all().num_rows)`

test('the package for Python has the licence of the project', () => {
  expect(readFileSync(join(source, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
})

/** A Python that builds packages, in tests that try everything. */
function findBuilder(): string | undefined {
  const python = isThorough ? findReaders() : undefined
  try {
    if (python) execFileSync(python, ['-c', 'import hatchling, pip'], { stdio: 'ignore' })
    return python
  } catch {
    return undefined
  }
}

const python = findBuilder() as string

describe.runIf(python)('the package for Python, built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-python-'))
  const built = join(folder, 'dist')
  const run = async (args: readonly string[], env: NodeJS.ProcessEnv = process.env, cwd = folder) => {
    const { stdout } = await promisify(execFile)(python, args, { cwd, env })
    return stdout
  }

  // A copy, because others test the package at the same time.
  beforeAll(async () => {
    cpSync(source, join(folder, 'python'), { recursive: true })
    await run(
      ['-m', 'hatchling', 'build', '-d', built, '-t', 'sdist', '-t', 'wheel'],
      process.env,
      join(folder, 'python'),
    )
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('is a wheel and a source distribution', () => {
    const names = [`xylem_reader-${version}-py3-none-any.whl`, `xylem_reader-${version}.tar.gz`]
    expect(readdirSync(built).sort()).toEqual(names)
  })

  test.each(['.whl', '.tar.gz'])('reads a dump where %s is installed', async (ending) => {
    const file = readdirSync(built).find((name) => name.endsWith(ending)) as string
    const target = join(folder, `installed${ending}`)
    const offline = ['--no-index', '--no-deps', '--no-build-isolation', '--disable-pip-version-check', '--quiet']
    await run(['-m', 'pip', 'install', ...offline, '--target', target, join(built, file)])
    const env = { PYTHONPATH: target, PATH: '', XYLEM_NODE: process.execPath }
    const printed = await run(['-c', PROGRAM, target, fixturePath('mediawiki/small-dump.xml.bz2')], env)
    expect(printed).toBe(`${version} 10\n`)
    expect(readdirSync(join(target, 'xylem_reader'))).toContain('py.typed')
    expect(readdirSync(target)).toContain('pyspark_xylem')
  })
})
