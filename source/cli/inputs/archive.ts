// Zip archives: which members they have, and where the data of each begins. yauzl reads both.

import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type ZipFile } from 'yauzl'
import { detectCompression } from '../../compression/detect.ts'
import { CompressionError, type CompressionErrorCode } from '../../compression/errors.ts'
import { findNearest } from '../../stream/nearest.ts'
import { ArchiveError, InputError, inInput, MissingMember, UsageError } from '../errors/errors.ts'
import { compareNames } from '../terminal/word-list.ts'

/** Bytes of the directory of an archive that are read at a time. yauzl asks for each entry, and for its name, by itself. */
const WINDOW = 64 * 1024
/** Names in a message. */
const MOST_NAMES = 5
const CENTRAL_HEADER = 0x02014b50
/** The flag of an entry whose name is UTF-8. */
const UTF8_NAME = 0x800

/** Methods that are read. */
export const STORED = 0
const DEFLATED = 8
/** Methods that members may be compressed with, and that are not read (APPNOTE 4.4.5). */
const METHODS: Readonly<Record<number, string>> = {
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'zstd',
  95: 'xz',
  98: 'PPMd',
  99: 'AES encryption',
}

/** What is kept of an entry: a tenth of it, as there may be a million. */
interface MemberEntry
  extends Readonly<
    Pick<Entry, 'compressedSize' | 'uncompressedSize' | 'compressionMethod' | 'crc32' | 'relativeOffsetOfLocalHeader'>
  > {
  readonly isEncrypted: boolean
}

/** A member that can be read. */
export interface Member {
  /** The path of the archive. */
  readonly archive: string
  readonly entry: MemberEntry
}

export class Archive {
  readonly #path: string
  /** By name, without folders. A name may be there several times. */
  readonly #entries: ReadonlyMap<string, readonly MemberEntry[]>

  private constructor(path: string, entries: ReadonlyMap<string, readonly MemberEntry[]>) {
    this.#path = path
    this.#entries = entries
  }

  /** Reads the directory of an archive. Throws an `InputError` for a file that is not an archive, and where the directory cannot be read. */
  static async open(path: string): Promise<Archive> {
    const entries = new Map<string, MemberEntry[]>()
    const list = async (zip: ZipFile, file: FileHandle) => {
      for await (const entry of zip.eachEntry()) {
        const name = nameOf(entry)
        if (name.endsWith('/')) continue
        const { compressedSize, uncompressedSize, compressionMethod, crc32, relativeOffsetOfLocalHeader } = entry
        const sizes = { compressedSize, uncompressedSize, relativeOffsetOfLocalHeader }
        const kept = { ...sizes, compressionMethod, crc32, isEncrypted: entry.isEncrypted() }
        const others = entries.get(name)
        if (others) others.push(kept)
        else entries.set(name, [kept])
      }
      await requireEnd(zip, file)
    }
    await inInput(path, () => withArchive(path, list))
    return new Archive(path, entries)
  }

  /** Throws an `InputError` where there is no such member, or it cannot be read. */
  find(name: string): Member {
    const [entry, ...others] = this.#entries.get(name) ?? []
    const refuse = (error: Error) => new InputError(`${this.#path}/${name}`, error)
    if (!entry) throw refuse(this.#describeMissing(name))
    if (others.length > 0)
      throw refuse(
        new ArchiveError(`the archive has ${others.length + 1} members with this name; extract the right one`),
      )
    if (entry.isEncrypted) throw refuse(new ArchiveError('it is encrypted; extract it first: unzip -p FILE MEMBER'))
    const { compressionMethod: method } = entry
    if (method !== STORED && method !== DEFLATED) {
      const what = METHODS[method] ?? 'an unknown method'
      throw refuse(
        new ArchiveError(`it is compressed with ${what} (${method}), and only Deflate is read; extract it first`),
      )
    }
    return { archive: this.#path, entry }
  }

  /** The names of the members that a pattern matches, if it is one, in the order of files. Throws a `UsageError` if there are none. */
  expand(pattern: string): string[] {
    if (!/[*?]/.test(pattern) || this.#entries.has(pattern)) return [pattern]
    const matcher = compilePattern(pattern)
    const names = [...this.#entries.keys()].filter((name) => matcher.test(name)).sort(compareNames)
    if (names.length > 0) return names
    throw new UsageError(`no member of ${this.#path} matches ${pattern}; ${this.#listMembers()}`)
  }

  /** Says how the archive can be read, where it was given as an input itself. */
  describeUse(): ArchiveError {
    const names = [...this.#entries.keys()]
    const sizeOf = (name: string) => this.#entries.get(name)?.[0]?.uncompressedSize ?? 0
    const documents = names.filter((name) => /^[^[]*\.xml(\.(gz|bz2|zst|xz))?$/i.test(name))
    // The largest has the data: the first of a workbook, [Content_Types].xml, is about its members.
    const [example = names[0]] = documents.sort((one, two) => sizeOf(two) - sizeOf(one))
    if (example === undefined) return new ArchiveError('it is a zip archive without members')
    return new ArchiveError(`it is a zip archive; name a member of it, such as ${this.#path}/${example}`)
  }

  #describeMissing(name: string): Error {
    if (name === '') return this.describeUse()
    const names = [...this.#entries.keys()]
    if (names.some((other) => other.startsWith(name.endsWith('/') ? name : `${name}/`)))
      return new MissingMember(
        `it is a folder of the archive; a pattern such as '${this.#path}/${name.replace(/\/$/, '')}/*' matches its members`,
      )
    const outer = names.find((other) => name.startsWith(`${other}/`))
    if (outer !== undefined)
      return new ArchiveError(`an archive within an archive is not read; extract ${this.#path}/${outer} first`)
    const nearest = names.find((other) => other.endsWith(`/${name}`)) ?? findNearest(name, names)
    const advice = nearest === undefined ? '' : `; did you mean ${this.#path}/${nearest}?`
    return new MissingMember(`no such member; ${this.#listMembers()}${advice}`)
  }

  #listMembers(): string {
    const names = [...this.#entries.keys()].sort(compareNames)
    if (names.length === 0) return 'the archive has no members'
    const more = names.length - MOST_NAMES
    const others = more > 0 ? `, and ${more.toLocaleString('en')} more` : ''
    return `the archive has ${names.slice(0, MOST_NAMES).join(', ')}${others}`
  }
}

/** Some programs write UTF-8 without saying so. By the book, these names were in code page 437, which hardly any name is that is valid UTF-8. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_NAME : generalPurposeBitFlag
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
}

/** The offset of the data of a member in its archive. */
export function findData({ archive, entry }: Member): Promise<number> {
  return withArchive(
    archive,
    // No more of the entry is asked for.
    async (zip) => (await zip.readLocalFileHeaderPromise(entry as unknown as Entry, { minimal: true })).fileDataStart,
  )
}

/** Opens an archive while it is used. What yauzl throws becomes a `CompressionError`, or a `MissingMember` for a file that is not an archive. */
async function withArchive<T>(path: string, use: (zip: ZipFile, file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = await readAt(file, 0, 4)
    let zip: ZipFile | undefined
    try {
      const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
      zip = await fromRandomAccessReaderPromise(new FileReader(file), size, options)
      return await use(zip, file)
    } catch (error) {
      if (!(error instanceof Error) || 'syscall' in error || error instanceof CompressionError) throw error
      if (!zip && detectCompression(head) !== 'zip')
        throw new MissingMember('it is not a zip archive, so it has no members')
      const message = `the archive is cut off or corrupt: ${error.message.replace(/\.$/, '')}`
      throw makeZipError('corrupt', message, size, error)
    }
  } finally {
    await file.close()
  }
}

/** Throws a `CompressionError` where the directory goes on after its last entry: the number of its entries is wrong then, and members would be lost. */
async function requireEnd(zip: ZipFile, file: FileHandle): Promise<void> {
  const end = zip.readEntryCursor as unknown as number // its declaration is wrong
  const next = await readAt(file, end, 4)
  if (next.length === 4 && next.readUInt32LE(0) === CENTRAL_HEADER)
    throw makeZipError('corrupt', 'the archive has more members than its end says', end)
}

/** An error in an archive, with the offset in it. */
export function makeZipError(
  code: CompressionErrorCode,
  message: string,
  byteOffset: number,
  cause?: unknown,
): CompressionError {
  return new CompressionError('zip', code, message, { byteOffset }, cause)
}

/** Gives yauzl parts of a file, which is read in larger pieces. */
class FileReader extends RandomAccessReader {
  readonly #file: FileHandle
  #window: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: FileHandle) {
    super()
    this.#file = file
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#readWindow(position, length).then(
      () => done(null, this.#window.copy(target, offset, position - this.#start, position - this.#start + length)),
      done,
    )
  }

  async #readWindow(position: number, length: number): Promise<void> {
    if (position >= this.#start && position + length <= this.#start + this.#window.length) return
    this.#window = await readAt(this.#file, position, Math.max(WINDOW, length))
    this.#start = position
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const WILD: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }

/** `*` and `?` match within a folder, `**` matches through folders. Any other character is itself: names of members have brackets. */
function compilePattern(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|[*?]|[\^$\\.+()[\]{}|]/g, (part) => WILD[part] ?? `\\${part}`)
  return new RegExp(`^${source}$`, 'su')
}
