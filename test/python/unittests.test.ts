// The tests of the package for Python, which are Python's own: python/tests.

import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isThorough } from '../support/extent.ts'
import { root } from '../support/markdown.ts'
import { findReaders } from '../support/python.ts'

const folder = join(root, 'python')
const modules = readdirSync(join(folder, 'tests')).flatMap((name) => /^(test_\w+)\.py$/.exec(name)?.[1] ?? [])

/** The modules that start no Node, or only a script that stands in for xylem. */
const QUICK = ['test_question', 'test_stream']

describe('the package for Python', () => {
  test('has tests', () => {
    expect(modules.length).toBeGreaterThan(5)
  })

  test.for(isThorough ? modules : QUICK)('%s', async (module, { skip }) => {
    const python = findReaders()
    if (!python) return skip('XYLEM_PYTHON does not name a Python with the packages of test/support/requirements.txt')
    const args = ['-W', 'error::ResourceWarning', '-m', 'unittest', `tests.${module}`]
    const output = await new Promise<string>((resolve) =>
      execFile(python, args, { cwd: folder }, (error, stdout, stderr) =>
        resolve(error ? `${error}${stdout}${stderr}` : ''),
      ),
    )
    expect(output).toBe('')
  })
})
