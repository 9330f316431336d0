// The errors of the stream layer, made in one place. Messages say what happened and where; offsets are bytes from the start
// of the stream, from 0.

import { XylemError } from './xylem-error.ts'

/**
 * Why a source stopped: `source-failed` it threw, was failed by hand, or the writer of a pipe aborted it; `source-damaged`
 * what it reads itself cannot be read, such as a damaged archive, and the cause says why; `source-changed` the file, or the
 * content at the URL, is not the same as when it was first read; `source-stalled` it sent nothing for longer than the idle timeout;
 * `source-cancelled` the reader's side cancelled it.
 */
export type SourceErrorCode =
  | 'source-failed'
  | 'source-damaged'
  | 'source-changed'
  | 'source-stalled'
  | 'source-cancelled'

/** The source failed or was stopped. `cause` is what it threw, or the reason for stopping it. */
export class SourceError extends XylemError {
  override readonly name = 'SourceError'
  readonly code: SourceErrorCode
  /** How many bytes had arrived before: all of them can still be read. */
  override readonly byteOffset: number

  static {
    XylemError.register('SourceError', SourceError)
  }

  /** @internal */
  constructor(code: SourceErrorCode, message: string, byteOffset: number, cause: unknown) {
    super(message, { cause })
    this.code = code
    this.byteOffset = byteOffset
  }
}

/**
 * Which limit was reached: `retained-limit` bytes of input held at once; `depth-limit` rules or elements open at once; `node-limit` nodes
 * recorded at once; `name-limit` different names; `entity-limit` text that entities and attribute defaults produce; `external-limit`
 * external entities and their text; `input-limit` bytes of the complete input; `rewind-limit` input read again; `length-limit` UTF-16 units of one string, which no option raises.
 */
export type LimitCode =
  | 'retained-limit'
  | 'depth-limit'
  | 'node-limit'
  | 'name-limit'
  | 'entity-limit'
  | 'external-limit'
  | 'input-limit'
  | 'rewind-limit'
  | 'length-limit'

/** The details of a {@link LimitError}. */
export interface LimitDetails {
  code: LimitCode
  /** Where in the stream more was needed, in bytes. */
  byteOffset: number
  /** Line, from 1; known for XML. */
  line?: number | undefined
  /** Column in UTF-16 units, from 1; known for XML. */
  column?: number | undefined
  /** The limit that is reached, in the unit of the option. */
  limit: number
  /** For retained input, in bytes: how much was requested. */
  requested?: number
  /** For retained input, in bytes: the offset of the slowest cursor or the oldest open part; everything after it is retained. */
  retainedFrom?: number
  /** For retained input, in bytes: how much is retained. */
  retained?: number
  /** For input read again: the rules that read it again, those that may still go back most often first. */
  rules?: readonly string[]
}

/** A limit was reached. Everything delivered before is correct; an option raises the limit. */
export class LimitError extends XylemError implements LimitDetails {
  override readonly name = 'LimitError'
  declare readonly code: LimitCode
  declare readonly byteOffset: number
  declare readonly line?: number
  declare readonly column?: number
  declare readonly limit: number
  declare readonly requested?: number
  declare readonly retainedFrom?: number
  declare readonly retained?: number
  declare readonly rules?: readonly string[]

  static {
    XylemError.register('LimitError', LimitError)
  }

  /** @internal */
  constructor(message: string, details: LimitDetails) {
    super(message)
    this.setFields(details)
  }
}

/**
 * The codes on the `TypeError`s and `RangeError`s that wrong use of the stream layer throws.
 */
export type UsageCode =
  | 'cursor-released'
  | 'cursor-busy'
  | 'cache-closed'
  | 'past-available'
  | 'invalid-length'
  | 'invalid-option'
  | 'invalid-chunk'
  | 'invalid-source'
  | 'invalid-object'
  | 'dump-read'
  | 'range-unread'
  | 'unknown-rule'
  | 'stream-read'
  | 'no-engine'
  | 'invalid-error'
  | 'program-too-large'
  | 'not-iterable'
  | 'edit-ended'
  | 'edit-returned'

/** An error for what is not iterated itself: `ways` are the calls that give something to iterate. */
export function notIterable(what: string, ways: string): TypeError {
  return withCode(new TypeError(`${what} cannot be iterated: use one of ${ways}`), 'not-iterable')
}

/** Puts a stable code on an error of wrong use. */
export function withCode<E extends TypeError | RangeError>(error: E, code: UsageCode): E & { code: UsageCode } {
  return Object.assign(error, { code })
}

/** Throws unless `n` is a count of bytes or units: a whole number from 0. */
export function requireLength(n: number): void {
  if (!(Number.isInteger(n) && n >= 0)) {
    throw withCode(new RangeError(`a length must be a whole number of at least 0, not ${String(n)}`), 'invalid-length')
  }
}

/** What was given instead of what was wanted: the class of an object, or the value. */
export function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (typeof value !== 'object' || value === null) return String(value)
  return `an object of class ${value.constructor?.name ?? 'null'}`
}

/** What a chunk throws that is neither bytes nor a string. */
export function makeChunkError(chunk: unknown): TypeError {
  const kind = chunk === null ? 'null' : typeof chunk === 'object' ? chunk.constructor?.name : typeof chunk
  return withCode(
    new TypeError(`a chunk must be a Uint8Array, an ArrayBuffer or a string, not ${kind}`),
    'invalid-chunk',
  )
}

/** What a stream throws that somebody else has read, or reads. */
export function makeReadError(message: string): TypeError {
  return withCode(new TypeError(message), 'stream-read')
}

/** The chunk. Throws when a source gave undefined for one: to those who read a source, undefined is its end. */
export function requireChunk<Chunk>(chunk: Chunk | undefined): Chunk {
  if (chunk === undefined) throw makeChunkError(chunk)
  return chunk
}

/** What using a cursor throws after its release. */
export function makeReleasedError(offset: number): TypeError {
  return withCode(new TypeError(`the cursor at byte ${offset} is released`), 'cursor-released')
}

/** What a second read throws while the first one waits. */
export function makeBusyError(): TypeError {
  return withCode(
    new TypeError('another read of this cursor is still waiting; await it, or clone the cursor'),
    'cursor-busy',
  )
}
