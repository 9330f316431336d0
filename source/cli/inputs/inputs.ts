// The inputs of commands, by the names that stand on the command line: files, patterns for files, URLs, and - for standard input.

import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { HttpSource } from '../../stream/sources/http.ts'
import { FileSource, StandardInput } from '../../stream/sources/node.ts'
import { InputError, UsageError } from '../errors/errors.ts'
import { tell } from '../terminal/terminal.ts'

export type InputSource = FileSource | HttpSource | StandardInput

/** An input that can be read. */
export interface Input {
  /** As messages name it. */
  readonly name: string
  /** Undefined for URLs and standard input. */
  readonly path: string | undefined
  /** In bytes, as it is stored; undefined where that is not known before it is read. */
  readonly size: number | undefined
  /** Its bytes as they are stored. `signal` ends requests to a server. */
  open(signal: AbortSignal): InputSource
}

/** What patterns are made of. */
const MAY_BE_PATTERN = /[*?[\]{}()!@+]/
const URL_SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i

/**
 * The inputs that names stand for. Files that match a pattern come in the order of their names, numbers in them by their size: so the parts
 * of a dump come in the order of their pages.
 *
 * Throws a `UsageError` for a pattern that nothing matches, and where standard input is named twice. A file that cannot be read is reported
 * as an `InputError`, before any of the others is read: it is thrown, or given to `onUnreadable`, and the others are returned.
 */
export async function findInputs(
  names: readonly string[],
  onUnreadable: (error: InputError) => void = (error) => {
    throw error
  },
): Promise<Input[]> {
  const inputs: Input[] = []
  for (const name of names) {
    for (const single of await expand(name)) {
      try {
        inputs.push(await findInput(single))
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        onUnreadable(error)
      }
    }
  }
  return inputs
}

/** The input that a name stands for, which is not a pattern. Throws like `findInputs`. */
export async function findInput(name: string): Promise<Input> {
  if (name === '-') return takeStandardInput()
  if (URL_SCHEME.test(name) && !(await exists(name))) return await makeRemoteInput(name)
  return { name, path: name, size: await requireReadable(name), open: () => new FileSource(name) }
}

/** The names, or that of standard input where there are none. */
export function orStandardInput(names: readonly string[]): readonly string[] {
  return names.length === 0 ? ['-'] : names
}

/** Throws a `UsageError` for inputs that are not files; `reader` is what can read files only. */
export function requireFiles(inputs: readonly Input[], reader: string): string[] {
  return inputs.map(({ name, path }) => {
    if (path === undefined) throw new UsageError(`${reader} can read files only, not ${name}`)
    return path
  })
}

/** An input that can be read from any offset. Throws a `UsageError` for standard input; `reason` is why it is needed. */
export function openSeekable(input: Input, reason: string, signal: AbortSignal): FileSource | HttpSource {
  const source = input.open(signal)
  if (source instanceof StandardInput) throw new UsageError(`${reason}; give a file or a URL, not ${input.name}`)
  return source
}

/** The paths of those inputs that are files. */
export function pathsOf(inputs: readonly Input[]): string[] {
  return inputs.flatMap(({ path }) => path ?? [])
}

/** Streams that will be read. */
const taken = new WeakSet<object>()

/** Standard input, which can be read once. */
function takeStandardInput(): Input {
  if (taken.has(process.stdin)) throw new UsageError('standard input can be read only once; give - only once')
  taken.add(process.stdin)
  return { name: 'standard input', path: undefined, size: undefined, open: openStandardInput }
}

/** Where it is a terminal, it is said what is waited for. */
function openStandardInput(): StandardInput {
  if (process.stdin.isTTY)
    tell('xylem: reading standard input from the terminal; end it with Ctrl-D, or give a file name')
  return new StandardInput()
}

async function makeRemoteInput(name: string): Promise<Input> {
  const [, scheme = ''] = URL_SCHEME.exec(name) ?? []
  if (!/^https?$/i.test(scheme))
    throw new UsageError(`cannot read ${scheme}: URLs (${name}); give a file, or an http(s) URL`)
  if (!URL.canParse(name)) throw new UsageError(`not a valid URL: ${name}`)
  // Loaded when it is needed: the first page of a file is not to wait for it.
  const { HttpSource: Source } = await import('../../stream/sources/http.ts')
  return { name, path: undefined, size: undefined, open: (signal) => new Source(name, { signal }) }
}

async function expand(name: string): Promise<string[]> {
  if (!MAY_BE_PATTERN.test(name) || URL_SCHEME.test(name) || (await exists(name))) return [name]
  const { glob, isDynamicPattern } = await import('tinyglobby')
  if (!isDynamicPattern(name)) return [name]
  const paths = await glob(name, { expandDirectories: false, absolute: false })
  if (paths.length === 0) throw new UsageError(`no file matches ${name}`)
  return paths.sort(compareNames)
}

/** Numbers in names by their size: `…p1p41242` before `…p41243p151573`. */
function compareNames(one: string, two: string): number {
  return one.localeCompare(two, 'en', { numeric: true })
}

/** The size of a file, where it has one. */
async function requireReadable(path: string): Promise<number | undefined> {
  try {
    await access(path, constants.R_OK)
    const status = await stat(path)
    if (!status.isDirectory()) return status.isFile() ? status.size : undefined
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
