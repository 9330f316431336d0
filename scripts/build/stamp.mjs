// What a build was made of and what it made, as digests: a build that would make the same is left out. All of both is read, so that nothing
// is taken for new that is not: neither times nor sizes are trusted.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'

const root = new URL('../..', import.meta.url)
const file = new URL('build/built.sha256', root)
/** What is installed is in the list that npm keeps beside it. */
const inputs = [
  ...['source', 'scripts/build', 'scripts/build.mjs', 'package.json', 'tsconfig.json', 'tsconfig.build.json'],
  'node_modules/.package-lock.json',
]

const outputs = ['dist', 'python/xylem_reader/js']

/** Whether dist/ is what the last build made, of what there is now. */
export async function isBuilt() {
  return (await readFile(file, 'utf8').catch(() => '')) === (await makeStamp())
}

/** Keeps what dist/ is and what it was made of, for `isBuilt`. */
export async function stampBuild() {
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, await makeStamp())
}

async function makeStamp() {
  const lines = [process.version, ...(await Promise.all([...inputs, ...outputs].map(digest)))]
  return `${lines.join('\n')}\n`
}

/** A digest of a file, or of the names and contents of all that is in a folder. */
async function digest(path) {
  const hash = createHash('sha256')
  const names = await readdir(new URL(`${path}/`, root), { recursive: true }).catch(() => [])
  for (const name of ['', ...names.sort()]) {
    // A folder has no content.
    const content = await readFile(new URL(name ? `${path}/${name}` : path, root)).catch(() => '')
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
