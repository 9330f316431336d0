// The package for Python in a new virtual environment, with what it needs from the index, on a machine without Node.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixturePath } from '../support/fixtures.ts'
import { root } from '../support/markdown.ts'

const python = process.env.XYLEM_PYTHON || 'python3'
const dist = join(root, 'python', 'dist')

function hasPython(): boolean {
  try {
    execFileSync(python, ['-c', 'import venv'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.runIf(hasPython())('the package for Python', () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-install-'))
  beforeAll(() => execFileSync('npm', ['run', 'build:python'], { cwd: root, stdio: 'pipe' }))
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each(['.whl', '.tar.gz'])('runs with the Node of its extra where %s is installed', (ending) => {
    const file = readdirSync(dist).find((name) => name.endsWith(ending)) as string
    const environment = join(folder, ending)
    execFileSync(python, ['-m', 'venv', environment])
    const own = join(environment, 'bin', 'python')
    execFileSync(own, ['-m', 'pip', 'install', '--quiet', `${join(dist, file)}[node]`], { stdio: 'pipe' })
    const program = `
import sys, xylem_reader
from xylem_reader.node import find_node
assert find_node().startswith(sys.argv[1]), find_node()
print(xylem_reader.read(sys.argv[2], dump='pages').read_all().num_rows)`
    const args = ['-c', program, environment, fixturePath('mediawiki/small-dump.xml.bz2')]
    expect(execFileSync(own, args, { cwd: folder, encoding: 'utf8', env: { PATH: '' } })).toBe('10\n')
  })

  test('says what to install where there is no Node', () => {
    const environment = join(folder, 'without')
    execFileSync(python, ['-m', 'venv', environment])
    const own = join(environment, 'bin', 'python')
    const wheel = readdirSync(dist).find((name) => name.endsWith('.whl')) as string
    execFileSync(own, ['-m', 'pip', 'install', '--quiet', join(dist, wheel)], { stdio: 'pipe' })
    const program = `
import xylem_reader
try:
    xylem_reader.read('a.xml', dump='pages')
except xylem_reader.NodeMissingError as error:
    print(error)`
    const printed = execFileSync(own, ['-c', program], { cwd: folder, encoding: 'utf8', env: { PATH: '' } })
    expect(printed).toContain("pip install 'xylem-reader[node]'")
  })
})
