// The files of plans: those of this machine, and those that servers have.

import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { takeFingerprint } from '../../mediawiki/head/fingerprint.ts'
import { SourceError } from '../../stream/errors.ts'
import type { HttpSource } from '../../stream/sources/http.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { InputChanged, inInput } from '../errors/errors.ts'
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

/** What a file is at a moment. Whole numbers that JSON does not have exactly are text. */
export interface InputState {
  /** In bytes. */
  readonly size: number
  /** Of a file: the host that has read it, and the numbers of its device and its inode there. */
  readonly host?: string
  readonly dev?: string
  readonly ino?: string
  /** Of a file: when it was written last, in nanoseconds since 1970. */
  readonly mtimeNs?: string
  /** Of a URL: what the server has sent. */
  readonly etag?: string
  readonly lastModified?: string
}

/** This host, as a part of a file's name. */
export const HOST = sha256Of(hostname()).slice(0, 8)

/** Whether two states are equal. Hosts have numbers of their own for a device that they share. */
export function isSameState(one: InputState, two: InputState): boolean {
  const names = ['size', 'ino', 'mtimeNs', 'etag', 'lastModified'] as const
  return names.every((name) => one[name] === two[name]) && (one.host !== two.host || one.dev === two.dev)
}

/** Whether a state tells more than the size: a server need not say more. */
export function isKnownState({ mtimeNs, etag, lastModified }: InputState): boolean {
  return (mtimeNs ?? etag ?? lastModified) !== undefined
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
    return identityOf(await this.readState())
  }

  /** What it is now. Throws an `InputError` where it cannot be read. */
  async readState(): Promise<InputState> {
    return await inInput(this.name, async () => {
      if (this.isRemote) return await this.#readRemoteState()
      const { dev, ino, size, mtimeNs } = await stat(this.name, { bigint: true })
      return { size: Number(size), host: HOST, dev: `${dev}`, ino: `${ino}`, mtimeNs: `${mtimeNs}` }
    })
  }

  /** A digest of its size, its beginning and its end. */
  async takeFingerprint(): Promise<string> {
    const fingerprint = await inInput(this.name, async () => await takeFingerprint(await this.open()))
    return sha256Of(JSON.stringify(fingerprint)).slice(0, 16)
  }

  /**
   * What it is now. Throws an `InputChanged` when it cannot be what it was when the plan was made. A file that was touched or copied may be
   * the same one, so its beginning and its end are compared.
   */
  async requireUnchanged(planned: FileIdentity & { readonly fingerprint: string }): Promise<InputState> {
    const state = await this.readState()
    const now = identityOf(state)
    const isSame = now.etag === planned.etag && now.mtime === planned.mtime && (now.etag ?? now.mtime) !== 0
    if (now.size === planned.size && (isSame || (await this.takeFingerprint()) === planned.fingerprint)) return state
    throw new InputChanged(`${this.name}: the file has changed since the plan was created`)
  }

  async #openRemote(): Promise<HttpSource> {
    const { HttpSource: Source } = await import('../../stream/sources/http.ts')
    this.#remote ??= new Source(this.name, this.#signal && { signal: this.#signal })
    return this.#remote
  }

  async #readRemoteState(): Promise<InputState> {
    const source = await this.#openRemote()
    try {
      for await (const _ of source.from(0, 1));
      const size = await source.size()
      const [etag, lastModified] = ['ETag', 'Last-Modified'].map((name) => source.tags.get(name))
      return { size, ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) }
    } catch (error) {
      if (this.#signal?.aborted || error instanceof SourceError) throw error
      throw new SourceError('source-failed', (error as Error).message, 0, error)
    }
  }
}

function identityOf({ size, mtimeNs, etag, lastModified = '' }: InputState): FileIdentity {
  const mtime = mtimeNs === undefined ? Date.parse(lastModified) || 0 : Number(BigInt(mtimeNs) / 1_000_000n)
  return { size, mtime, ...(etag?.startsWith('"') && { etag }) }
}

/** The name of a file without its folder, and without what belongs to the request alone. */
export function baseNameOf(file: string): string {
  return basename(isUrl(file) ? new URL(file).pathname : file)
}

function isUrl(name: string): boolean {
  return /^https?:\/\//i.test(name) && URL.canParse(name)
}
