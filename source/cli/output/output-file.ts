// A file that a command writes. It gets its name when it is complete: whoever finds a file of this name may use it.

import { createWriteStream, type Stats } from 'node:fs'
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import type { Writable } from 'node:stream'

/** The permissions of a new file, before the process removes those in its umask. */
const NEW_FILE = 0o666
const PERMISSIONS = 0o777
/** Symbolic links that lead to one file; systems follow about as many. */
const MOST_LINKS = 40

/** What stands under the name of an output, where it is written, and under which name meanwhile: the same one for devices, which are written to as they are. */
interface Place {
  readonly before: Stats | undefined
  readonly target: string
  readonly temporary: string
}

export class OutputFile {
  /** What is written goes there; undefined where others write the file. */
  readonly stream: Writable | undefined
  readonly #target: string
  readonly #temporary: string

  private constructor({ target, temporary }: Place, stream?: Writable) {
    this.#target = target
    this.#temporary = temporary
    this.stream = stream
  }

  /** Begins a file that will stand at `path`. What stands there stays until this one is complete. */
  static async create(path: string): Promise<OutputFile & { readonly stream: Writable }> {
    const place = await findPlace(path)
    const flush = place.temporary !== place.target
    const stream = createWriteStream(place.temporary, { fd: await openPlace(place), flush })
    return new OutputFile(place, stream) as OutputFile & { readonly stream: Writable }
  }

  /** A file that others write at its `path`, which is a new one: undefined if a device stands there. */
  static async reserve(path: string): Promise<OutputFile | undefined> {
    const place = await findPlace(path)
    if (place.temporary === place.target) return undefined
    await (await openPlace(place)).close()
    return new OutputFile(place)
  }

  /** The path that it has meanwhile. */
  get path(): string {
    return this.#temporary
  }

  /** Gives it its name, when all is written and the stream closed. */
  async finish(): Promise<void> {
    if (!this.stream) {
      const file = await open(this.#temporary, 'r+')
      await file.sync().finally(() => file.close())
    }
    if (this.#temporary !== this.#target) await rename(this.#temporary, this.#target)
  }

  /** Takes it away, when the stream is closed. */
  async discard(): Promise<void> {
    if (this.#temporary !== this.#target) await rm(this.#temporary)
  }

  /** Keeps what is written, if there is anything, as `….partial`; gives that name. */
  async abandon(): Promise<string | undefined> {
    if (this.#temporary === this.#target) return undefined
    const { size } = await stat(this.#temporary)
    const kept = `${this.#target}.partial`
    if (size > 0) await rename(this.#temporary, kept)
    else await rm(this.#temporary)
    return size > 0 ? kept : undefined
  }
}

async function findPlace(path: string): Promise<Place> {
  const before = await stat(path).catch((error) => {
    if (error.code === 'ELOOP') throw error
    return undefined
  })
  // Where a name leads to another file, it is that one which is written.
  const target = before ? await realpath(path) : await followLinks(path)
  const isOwn = before === undefined || before.isFile()
  return { before, target, temporary: isOwn ? `${target}.${await randomName()}.partial` : target }
}

/** Begins what is written at a place: a new file like the one before, or a device. */
async function openPlace({ before, target, temporary }: Place): Promise<FileHandle> {
  const isOwn = temporary !== target
  const file = await open(temporary, isOwn ? 'wx' : 'w', before ? before.mode & PERMISSIONS : NEW_FILE)
  if (isOwn && before) await makeLike(file, before)
  return file
}

/** The path to which a symbolic link leads where no file is yet; the path itself if it is no link. */
async function followLinks(path: string): Promise<string> {
  let target = path
  for (let count = 0; count < MOST_LINKS; count++) {
    const link = await readlink(target).catch(() => undefined)
    if (link === undefined) break
    target = isAbsolute(link) ? link : `${await realpath(dirname(target))}/${link}`
  }
  return target
}

/** Gives a file the owner of another, where the system allows it, and its permissions, which the umask would take away. */
async function makeLike(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat()
  // Only the superuser may do that; others own what they write.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => {})
  await file.chmod(mode & PERMISSIONS)
}

async function randomName(): Promise<string> {
  const { randomBytes } = await import('node:crypto')
  return randomBytes(4).toString('hex')
}
