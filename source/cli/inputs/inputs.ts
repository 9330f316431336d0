// The inputs of commands, by the names that stand on the command line: files, members of archives, patterns for both, URLs, and - for standard input.

import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { detectCompression } from '../../compression/detect.ts'
import type { HttpSource } from '../../stream/sources/http.ts'
import { FileSource, StandardInput } from '../../stream/sources/node.ts'
import { InputError, UsageError } from '../errors/errors.ts'
import { tell } from '../terminal/terminal.ts'
import { compareNames } from '../terminal/word-list.ts'
import { addFormats } from './added-formats.ts'
import type { Archive } from './archive.ts'
import type { MemberSource } from './member-source.ts'

export type InputSource = FileSource | HttpSource | MemberSource | StandardInput

/** An input that can be read. */
export interface Input {
  /** As messages name it. */
  readonly name: string
  /** Undefined for URLs, standard input and members of archives. */
  readonly path: string | undefined
  /** The file that has its bytes: that of a member is the archive. Undefined for URLs and standard input. */
  readonly storedIn: string | undefined
  /** In bytes, as a file has them, or a member is when it is extracted; undefined where that is not known before it is read. */
  readonly size: number | undefined
  /** The bytes of the file or of the member, which may be compressed. `signal` ends requests to a server. */
  open(signal: AbortSignal): InputSource
}

/** What patterns are made of. */
const MAY_BE_PATTERN = /[*?[\]{}()!@+]/
/** Bytes by which a zip archive is recognised. */
const ZIP_HEAD = 4
const URL_SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i

/** Archives whose directories were read, by their paths. */
type Archives = Map<string, Archive>

/**
 * The inputs that names stand for. Files and members that match a pattern come in the order of their names, numbers in them by their size: so the parts
 * of a dump come in the order of their pages.
 *
 * Throws a `UsageError` for an empty name, for a pattern that nothing matches, and where standard input is named twice. What cannot be read is reported
 * as an `InputError`, before any of the others is read: it is thrown, or given to `onUnreadable`, and the others are returned.
 */
export async function findInputs(
  names: readonly string[],
  onUnreadable: (error: InputError) => void = (error) => {
    throw error
  },
): Promise<Input[]> {
  const inputs: Input[] = []
  const archives: Archives = new Map()
  const attempt = async (find: () => Promise<void>) => {
    try {
      await find()
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      onUnreadable(error)
    }
  }
  for (const name of names) {
    await attempt(async () => {
      for (const single of await expand(name, archives))
        await attempt(async () => void inputs.push(await findInput(single, archives)))
    })
  }
  return inputs
}

/** The input that a name stands for, which is not a pattern. Throws like `findInputs`. */
export async function findInput(name: string, archives: Archives = new Map()): Promise<Input> {
  addFormats()
  if (name === '') throw new UsageError('the name of an input is empty')
  if (name === '-') return takeStandardInput()
  if (URL_SCHEME.test(name) && !(await exists(name))) return await makeRemoteInput(name)
  return (await findMember(name, archives)) ?? (await findFile(name, archives))
}

/** The names, or that of standard input where there are none. */
export function orStandardInput(names: readonly string[]): readonly string[] {
  return names.length === 0 ? ['-'] : names
}

/** The names of inputs that can be read from any offset: files, and URLs if `what` is that. Throws a `UsageError` for others; `reader` is what cannot read them. */
export function requireFiles(inputs: readonly Input[], reader: string, what = 'files'): string[] {
  return inputs.map((input) => {
    const { name, storedIn } = input
    const isUrl = what !== 'files' && storedIn === undefined && URL_SCHEME.test(name)
    if (pathOfRegular(input) === undefined && !isUrl)
      throw new UsageError(`${reader} can read ${what} only, not ${describe(input)}`)
    return name
  })
}

/** An input that can be read from any offset. Throws a `UsageError` for standard input, pipes and members of archives; `reason` is why it is needed. */
export function openSeekable(input: Input, reason: string, signal: AbortSignal): FileSource | HttpSource {
  const source = input.open(signal)
  const isPipe = input.path !== undefined && pathOfRegular(input) === undefined
  if (!('from' in source) || isPipe) throw new UsageError(`${reason}; give a file or a URL, not ${describe(input)}`)
  return source
}

/** The path of a regular file. A pipe and a device cannot be read from any offset: whoever opens a pipe again waits for another writer, and no signal ends that. */
export function pathOfRegular({ path, size }: Input): string | undefined {
  return size === undefined ? undefined : path
}

/** An input that is not a regular file, for messages. */
function describe({ name, path }: Input): string {
  return path === undefined ? name : `${name}, which is not a regular file`
}

/** The paths of the files that have the inputs. */
export function pathsOf(inputs: readonly Input[]): string[] {
  return inputs.flatMap(({ storedIn }) => storedIn ?? [])
}

/** Streams that will be read. */
const taken = new WeakSet<object>()

/** Standard input, which can be read once. */
function takeStandardInput(): Input {
  if (taken.has(process.stdin)) throw new UsageError('standard input can be read only once; give - only once')
  taken.add(process.stdin)
  return { name: 'standard input', path: undefined, storedIn: undefined, size: undefined, open: openStandardInput }
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
  const open = (signal: AbortSignal) => new Source(name, { signal })
  return { name, path: undefined, storedIn: undefined, size: undefined, open }
}

/** The names that a name stands for, which may be a pattern. */
async function expand(name: string, archives: Archives): Promise<string[]> {
  if (!MAY_BE_PATTERN.test(name) || URL_SCHEME.test(name) || (await exists(name))) return [name]
  const place = await findPlace(name)
  if (place) {
    const archive = await openArchive(place.path, archives)
    return archive.expand(place.member).map((member) => `${place.path}/${member}`)
  }
  const { glob, isDynamicPattern } = await import('tinyglobby')
  if (!isDynamicPattern(name)) return [name]
  const paths = await glob(name, { expandDirectories: false, absolute: false })
  if (paths.length === 0) {
    const advice = /\.\w+\//.test(name) ? '; patterns for members need the name of one archive before them' : ''
    throw new UsageError(`no file matches ${name}${advice}`)
  }
  return paths.sort(compareNames)
}

/** A member of an archive; undefined where the name is not that of something under a regular file. */
async function findMember(name: string, archives: Archives): Promise<Input | undefined> {
  const place = (await exists(name)) ? undefined : await findPlace(name)
  if (!place) return undefined
  const member = (await openArchive(place.path, archives)).find(place.member)
  const { MemberSource: Source } = await import('./member-source.ts')
  const { uncompressedSize: size } = member.entry
  return { name, path: undefined, storedIn: place.path, size, open: () => new Source(member) }
}

/** Where a path continues under a regular file: that file, and the rest of the path. */
async function findPlace(name: string): Promise<{ path: string; member: string } | undefined> {
  for (let end = name.indexOf('/', 1); end !== -1; end = name.indexOf('/', end + 1)) {
    const path = name.slice(0, end)
    const status = await stat(path).catch(() => undefined)
    if (!status) return undefined
    if (status.isFile()) return { path, member: name.slice(end + 1) }
  }
  return undefined
}

async function openArchive(path: string, archives: Archives): Promise<Archive> {
  const known = archives.get(path)
  if (known) return known
  // Loaded when it is needed, which is seldom.
  const { Archive: Opened } = await import('./archive.ts')
  const archive = await Opened.open(path)
  archives.set(path, archive)
  return archive
}

async function findFile(path: string, archives: Archives): Promise<Input> {
  const { size, isArchive } = await inspectFile(path)
  if (isArchive) throw new InputError(path, (await openArchive(path, archives)).describeUse())
  return { name: path, path, storedIn: path, size, open: () => new FileSource(path) }
}

/** The size of a file, where it has one, and whether it is a zip archive. Throws an `InputError` for what cannot be read. */
async function inspectFile(path: string): Promise<{ size: number | undefined; isArchive: boolean }> {
  try {
    await access(path, constants.R_OK)
    const status = await stat(path)
    if (status.isFile())
      return { size: status.size, isArchive: detectCompression(await readHead(path, ZIP_HEAD)) === 'zip' }
    if (!status.isDirectory()) return { size: undefined, isArchive: false }
  } catch (error) {
    throw new InputError(path, error)
  }
  throw new InputError(path, Object.assign(new Error('EISDIR'), { code: 'EISDIR', syscall: 'read' }))
}

/** The first bytes of a file. */
export async function readHead(path: string, length: number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
