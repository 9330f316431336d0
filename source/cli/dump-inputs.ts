// The dumps that a command reads, by name.

import { access, constants, stat } from 'node:fs/promises'
import { FileSource, StandardInput } from '../stream/sources/node.ts'
import { InputError, UsageError } from './errors.ts'

/** Bytes that are read at a time, and ahead for each thread. Smaller ones take less memory, and wait more often (512 MB of a dump: 3.8 s with 128 KiB, 2.6 s with 1 MiB). */
const CHUNK_SIZE = 1024 * 1024
export const READ_AHEAD = 2 * CHUNK_SIZE

/** What patterns are made of. */
const MAY_BE_PATTERN = /[*?[\]{}()!@+]/

/** A dump to be read. */
export interface DumpInput {
  /** As it is named in messages. */
  readonly name: string
  /** Undefined for standard input. */
  readonly path: string | undefined
  open(): FileSource | StandardInput
}

/**
 * The dumps that the arguments mean: files, patterns for files, and `-` for standard input. Parts of a dump come in the order of their
 * page ranges, other files in that of their names. Throws a `UsageError` for a pattern that nothing matches, and an `InputError` for a file
 * that is not there: it is better to know that before the first of them is read.
 */
export async function findInputs(names: readonly string[]): Promise<DumpInput[]> {
  const inputs: DumpInput[] = []
  for (const name of names) {
    if (name === '-') {
      inputs.push({ name: 'standard input', path: undefined, open: () => new StandardInput() })
      continue
    }
    const paths = MAY_BE_PATTERN.test(name) && !(await exists(name)) ? await expand(name) : [name]
    for (const path of paths) {
      await requireReadable(path)
      inputs.push({ name: path, path, open: () => new FileSource(path, { chunkSize: CHUNK_SIZE }) })
    }
  }
  return inputs
}

async function expand(pattern: string): Promise<string[]> {
  // Loaded when it is needed: the first page is not to wait for it.
  const { glob, isDynamicPattern } = await import('tinyglobby')
  if (!isDynamicPattern(pattern)) return [pattern]
  const paths = await glob(pattern, { expandDirectories: false, absolute: false })
  if (paths.length === 0) throw new UsageError(`no file matches ${pattern}`)
  return paths.sort(compareNames)
}

/** Numbers in names by their size: `…p1p41242` before `…p41243p151573`. */
function compareNames(one: string, two: string): number {
  return one.localeCompare(two, 'en', { numeric: true })
}

async function requireReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK)
    if (!(await stat(path)).isDirectory()) return
  } catch (error) {
    throw new InputError(path, error)
  }
  throw new InputError(path, Object.assign(new Error('EISDIR'), { code: 'EISDIR', syscall: 'read' }))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
