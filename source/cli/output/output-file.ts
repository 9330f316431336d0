// A file that a command writes. It gets its name when it is complete: whoever finds a file of this name may use it.

import { createWriteStream, type Stats } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'

/** The permissions of a new file, before the process removes those in its umask. */
const NEW_FILE = 0o666
const PERMISSIONS = 0o777

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
    const { before, target, temporary } = place
    const isOwn = temporary !== target
    const file = await open(temporary, isOwn ? 'wx' : 'w', modeOf(before))
    // The umask would take away permissions that the file has had.
    if (isOwn && before) await file.chmod(modeOf(before))
    const stream = createWriteStream(temporary, { fd: file, flush: isOwn })
    return new OutputFile(place, stream) as OutputFile & { readonly stream: Writable }
  }

  /** A file that others write at its `path`, which is a new one: undefined if a device stands there. */
  static async reserve(path: string): Promise<OutputFile | undefined> {
    const place = await findPlace(path)
    if (place.temporary === place.target) return undefined
    await (await open(place.temporary, 'wx', modeOf(place.before))).close()
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
  const before = await stat(path).catch(() => undefined)
  // Where a name leads to another file, it is that one which is written.
  const target = before ? await realpath(path) : path
  const isOwn = before === undefined || before.isFile()
  return { before, target, temporary: isOwn ? `${target}.${await randomName()}.partial` : target }
}

async function randomName(): Promise<string> {
  const { randomBytes } = await import('node:crypto')
  return randomBytes(4).toString('hex')
}

function modeOf(before: Stats | undefined): number {
  return before ? before.mode & PERMISSIONS : NEW_FILE
}
