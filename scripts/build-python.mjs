// npm run build:python: makes the wheel and the source distribution of the package for Python, in python/dist. Before, `npm run build` puts xylem into
// the package, as one file. What builds packages (hatchling) is installed outside of this folder if the Python that is found has none.

import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../python', import.meta.url))
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'xylem-hatchling')
const isWindows = process.platform === 'win32'

function fail(message) {
  console.error(`build:python: ${message}`)
  process.exit(1)
}

function run(program, ...args) {
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
}

/** A Python that can be run. */
function findPython() {
  const { XYLEM_PYTHON: named } = process.env
  const found = (named ? [named] : ['python3', 'python']).find((name) => run(name, '-c', 'import sys').status === 0)
  return found ?? fail(`${named ?? 'python3'} cannot be run: install Python 3.11 or newer, or name one in XYLEM_PYTHON`)
}

/** A Python with hatchling: that one, or one of a virtual environment that is made of it. */
function withHatchling(python) {
  if (run(python, '-c', 'import hatchling').status === 0) return python
  const own = join(cache, isWindows ? 'Scripts/python.exe' : 'bin/python')
  if (run(own, '-c', 'import hatchling').status === 0) return own
  const made = run(python, '-m', 'venv', '--clear', cache)
  if (made.status !== 0)
    fail(`no virtual environment could be made: is Python's venv installed?\n${made.stdout}${made.stderr}`)
  const installed = run(own, '-m', 'pip', 'install', '--quiet', 'hatchling')
  if (installed.status !== 0) fail(`hatchling could not be installed by pip\n${installed.stderr}`)
  return own
}

const python = withHatchling(findPython())
const dist = join(folder, 'dist')
rmSync(dist, { recursive: true, force: true })
const built = run(python, '-m', 'hatchling', 'build', '-d', dist, '-t', 'sdist', '-t', 'wheel')
if (built.status !== 0) fail(`hatchling has failed\n${built.stdout}${built.stderr}`)
for (const name of readdirSync(dist)) console.log(join('python/dist', name))
