// The files of plans: those of this machine, and those that servers have.

import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { takeFingerprint } from '../../mediawiki/head/fingerprint.ts'
import { SourceError } from '../../stream/errors.ts'
import type { HttpSource } from '../../stream/sources/http.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { InputChanged, InputError } from '../errors/errors.ts'
import { sha256Of } from './seal.ts'

/** By what a file is known again. */
export interface FileIdentity {
  /** In bytes. */
  readonly size: number
  /** When it was changed last, in milliseconds since 1970; 0 where a server does not say. */
  readonly mtime: number
  /** The entity tag that a server has given, if it has given a strong one. */
  readonly etag?: string
}

/** A file that can be read from any offset: a path or an http(s) URL. */
export class PlannedFile {
  readonly name: string
  readonly #signal: AbortSignal | undefined
  /** Of what a server has: all requests must be answered with one state of it. */
  #remote: HttpSource | undefined

  constructor(name: string, signal?: AbortSignal) {
    this.name = name
    this.#signal = signal
  }

  get isRemote(): boolean {
    return isUrl(this.name)
  }

  /** A source of its bytes. */
  async open(): Promise<FileSource | HttpSource> {
    return this.isRemote ? await this.#openRemote() : new FileSource(this.name)
  }

  /** By what it is known again, without reading its content. Throws an `InputError` where it cannot be read. */
  async identify(): Promise<FileIdentity> {
    try {
      if (this.isRemote) return await this.#identifyRemote()
      const { size, mtimeMs } = await stat(this.name)
      return { size, mtime: Math.floor(mtimeMs) }
    } catch (error) {
      throw new InputError(this.name, error)
    }
  }

  /** A digest of its size, its beginning and its end. */
  async takeFingerprint(): Promise<string> {
    try {
      return sha256Of(JSON.stringify(await takeFingerprint(await this.open()))).slice(0, 16)
    } catch (error) {
      throw new InputError(this.name, error)
    }
  }

  /** Throws an `InputChanged` when it is not what it was when the plan was made. A file that was touched or copied is the same one. */
  async requireUnchanged(planned: FileIdentity & { readonly fingerprint: string }): Promise<void> {
    const now = await this.identify()
    const isSame = now.etag === planned.etag && now.mtime === planned.mtime && (now.etag ?? now.mtime) !== 0
    if (now.size === planned.size && (isSame || (await this.takeFingerprint()) === planned.fingerprint)) return
    throw new InputChanged(`${this.name}: the file has changed since the plan was created`)
  }

  async #openRemote(): Promise<HttpSource> {
    const { HttpSource: Source } = await import('../../stream/sources/http.ts')
    this.#remote ??= new Source(this.name, this.#signal && { signal: this.#signal })
    return this.#remote
  }

  async #identifyRemote(): Promise<FileIdentity> {
    const source = await this.#openRemote()
    try {
      for await (const _ of source.from(0, 1));
      const size = await source.size()
      const etag = source.tags.get('ETag')
      const mtime = Date.parse(source.tags.get('Last-Modified') ?? '') || 0
      return { size, mtime, ...(etag?.startsWith('"') && { etag }) }
    } catch (error) {
      if (this.#signal?.aborted || error instanceof SourceError) throw error
      throw new SourceError('source-failed', (error as Error).message, 0, error)
    }
  }
}

/** The name of a file without its folder, and without what belongs to the request alone. */
export function baseNameOf(file: string): string {
  return basename(isUrl(file) ? new URL(file).pathname : file)
}

function isUrl(name: string): boolean {
  return /^https?:\/\//i.test(name) && URL.canParse(name)
}
