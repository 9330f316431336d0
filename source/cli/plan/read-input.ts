// What was read of the files of a plan: a file that changes between two ranges gives a mixture of its states, and nothing in the parts shows that.

import { createHash } from 'node:crypto'
import type { SeekableSource } from '../../stream/seekable.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import { REUSE, type ReusesMemory } from '../../stream/sources/source-reader.ts'
import { InputChanged, inInput } from '../errors/errors.ts'
import { tell } from '../terminal/terminal.ts'
import type { PlannedRange } from './plan.ts'
import { type InputState, isKnownState, isSameState, PlannedFile } from './planned-file.ts'

/** Bytes of a file that were read one after the other, and their SHA-256 in hexadecimal. `end` is not included. */
type ReadBytes = readonly [start: number, end: number, digest: string]

/** What was read for a range: the state of the file, and the bytes. */
export interface ReadInput extends InputState {
  readonly read: readonly ReadBytes[]
}

/** A source that notes what is read of it. */
export class NotedSource implements SeekableSource {
  readonly #source: SeekableSource
  readonly #readings: (() => ReadBytes)[] = []

  constructor(source: SeekableSource) {
    this.#source = source
  }

  get read(): ReadBytes[] {
    return this.#readings.map((note) => note()).filter(([start, end]) => end > start)
  }

  size(): Promise<number> {
    return this.#source.size()
  }

  from(start: number, until?: number): ByteSource {
    const part = this.#source.from(start, until) as AsyncIterable<Uint8Array> & Partial<ReusesMemory>
    const open = () => {
      const iterator = part[Symbol.asyncIterator]()
      const hash = createHash('sha256')
      let end = start
      this.#readings.push(() => [start, end, hash.copy().digest('hex')])
      const next = async () => {
        const result = await iterator.next()
        if (result.done) return result
        hash.update(result.value)
        end += result.value.length
        return result
      }
      // Not a generator, which could be left only when the next chunk has come.
      return { next, return: async () => (await iterator.return?.()) ?? { done: true as const, value: undefined } }
    }
    return { [Symbol.asyncIterator]: open, [REUSE]: (chunk: Uint8Array) => part[REUSE]?.(chunk) } as ByteSource
  }
}

/** What is known of a file, from the range of this number on. */
interface KnownFile {
  readonly file: PlannedFile
  readonly index: number
  readonly state: InputState
  /** What it is read from again: of one state. */
  source?: SeekableSource
}

/** Checks that all ranges of a file were read from one state of it. */
export class InputCheck {
  readonly #verifies: boolean
  /** By the name of the file: the first state that was seen; if inputs are verified, the state that the file has now. */
  readonly #files = new Map<string, KnownFile>()
  readonly #verified = new Set<string>()

  /** `verifies`: whether bytes are read again that were read from another state. */
  constructor(verifies = false) {
    this.#verifies = verifies
  }

  /** Throws an `InputChanged` if a range was read from another state than those before, unless the bytes are verified, and are the same. */
  async add({ file: name, index }: Pick<PlannedRange, 'file' | 'index'>, { read, ...state }: ReadInput): Promise<void> {
    const known = this.#files.get(name) ?? (await this.#begin(name, index, state))
    const isSame = isSameState(known.state, state)
    if (isSame && (isKnownState(state) || !this.#verifies)) return
    if (!this.#verifies)
      throw new InputChanged(
        `${name}: the file has changed between the ranges: range ${index} was read from another state than range ${known.index}. If it was only touched or copied, --verify-inputs proves that by reading it again; otherwise read all ranges again, into another folder`,
      )
    for (const bytes of read) await this.#verify(known, index, bytes)
  }

  async #begin(name: string, index: number, first: InputState): Promise<KnownFile> {
    const file = new PlannedFile(name)
    const known = { state: this.#verifies ? await file.readState() : first, file, index }
    this.#files.set(name, known)
    if (!this.#verifies && !isKnownState(first))
      tell(
        `xylem: ${name}: the server sends neither ETag nor Last-Modified, so it is unknown whether all ranges are of one state; --verify-inputs reads it again`,
      )
    return known
  }

  async #verify(known: KnownFile, index: number, [start, end, digest]: ReadBytes): Promise<void> {
    const { name } = known.file
    const key = `${name} ${start} ${end} ${digest}`
    if (this.#verified.has(key)) return
    known.source ??= await known.file.open()
    const source = new NotedSource(known.source)
    await inInput(name, async () => {
      for await (const _ of source.from(start, end) as AsyncIterable<Uint8Array>);
    })
    const [now] = source.read
    if (now?.[1] !== end || now[2] !== digest)
      throw new InputChanged(
        `${name}: the file has changed since range ${index} was read: its bytes ${start} to ${end} are not the same`,
      )
    this.#verified.add(key)
  }
}
