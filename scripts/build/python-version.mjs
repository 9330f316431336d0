// The version of the package for Python, which is that of package.json: pyproject.toml reads it from a file of Python. It is written only if it
// has changed, so builds at the same time do not disturb each other.

import { readFile, writeFile } from 'node:fs/promises'

const root = new URL('../../', import.meta.url)

export async function writePythonVersion() {
  const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
  const file = new URL('python/xylem_reader/_version.py', root)
  const text = `__version__ = "${version}"\n`
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) await writeFile(file, text)
}
