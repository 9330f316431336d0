// Files that are generated.
import { readFile, writeFile } from 'node:fs/promises'

const root = new URL('../../', import.meta.url)

/** Writes a generated file; with `check` it compares instead, and sets the exit code to 1 when it is out of date. */
export async function keep(path, text, check) {
  const target = new URL(path, root)
  if (!check) {
    await writeFile(target, text)
  } else if ((await readFile(target, 'utf8').catch(() => '')) !== text) {
    console.error(`${path} is out of date: run npm run generate`)
    process.exitCode = 1
  }
}
