// Files that are made once and kept in scripts/bench/data/ (git-ignored) for the next time.

import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../data/', import.meta.url)

/** The path of the file of this name, made unless it is there: a name stands for one content. */
export async function keepFile(
  name: string,
  makeContent: () => string | Uint8Array | Promise<string | Uint8Array>,
): Promise<string> {
  const path = fileURLToPath(new URL(name, FOLDER))
  if (await stat(path).catch(() => undefined)) return path
  await mkdir(FOLDER, { recursive: true })
  // Renamed when it is complete: a run that breaks off leaves no incomplete file under the name.
  const partial = `${path}.${process.pid}.partial`
  await writeFile(partial, await makeContent())
  await rename(partial, path)
  return path
}
