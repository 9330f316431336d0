// A file that a command writes. It gets its name when it is complete: whoever finds a file of this name may use it.

import { createWriteStream, type Stats } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'

/** The permissions of a new file, before the process removes those in its umask. */
const NEW_FILE = 0o666
const PERMISSIONS = 0o777

export class OutputFile {
  readonly stream: Writable
  readonly #path: string
  /** The name that it has meanwhile; the same for devices, which are written to as they are. */
  readonly #temporary: string

  private constructor(path: string, temporary: string, stream: Writable) {
    this.#path = path
    this.#temporary = temporary
    this.stream = stream
  }

  /** Begins a file that will stand at `path`. What stands there stays until this one is complete. */
  static async create(path: string): Promise<OutputFile> {
    const before = await stat(path).catch(() => undefined)
    // Where a name leads to another file, it is that one which is written.
    const target = before ? await realpath(path) : path
    const isOwn = before === undefined || before.isFile()
    const temporary = isOwn ? `${target}.${await randomName()}.partial` : target
    const file = await open(temporary, isOwn ? 'wx' : 'w', modeOf(before))
    return new OutputFile(target, temporary, createWriteStream(temporary, { fd: file, flush: isOwn }))
  }

  /** Gives it its name, when all is written and the stream closed. */
  async finish(): Promise<void> {
    if (this.#temporary !== this.#path) await rename(this.#temporary, this.#path)
  }

  /** Keeps what is written, if there is anything, as `….partial`; gives that name. */
  async abandon(): Promise<string | undefined> {
    if (this.#temporary === this.#path) return undefined
    const { size } = await stat(this.#temporary)
    const kept = `${this.#path}.partial`
    if (size > 0) await rename(this.#temporary, kept)
    else await rm(this.#temporary)
    return size > 0 ? kept : undefined
  }
}

async function randomName(): Promise<string> {
  const { randomBytes } = await import('node:crypto')
  return randomBytes(4).toString('hex')
}

function modeOf(before: Stats | undefined): number {
  return before ? before.mode & PERMISSIONS : NEW_FILE
}
