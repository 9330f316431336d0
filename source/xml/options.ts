// How documents are read.

import type { EngineName } from '../machine/engine.ts'
import { DEFAULT_LIMITS, type MachineLimits } from '../machine/limits.ts'
import { describeValue, withCode } from '../stream/errors.ts'
import { normalizeEncoding } from '../text/encodings.ts'
import type { XmlElement } from './element.ts'
import { DEFAULT_ENTITY_LIMITS, type EntityLimits } from './entity-limits.ts'
import type { ExternalRequest } from './external.ts'
import type { XmlParserOptions } from './parser.ts'

/** Limits for a document. Exceeding one throws a `LimitError` with a code of its own. */
export interface XmlLimits extends MachineLimits, EntityLimits {}

/** Returns the text of an external entity, or undefined if it is not available; the entity is then skipped. */
export type Resolver = (
  request: ExternalRequest,
) => string | Uint8Array | undefined | Promise<string | Uint8Array | undefined>
/** The same without waiting, for `parseXml`. */
export type SynchronousResolver = (request: ExternalRequest) => string | Uint8Array | undefined

/** Options for reading a document. */
export interface XmlOptions {
  /** Whether prefixes are resolved, and names have at most one colon (default: true). */
  namespaces?: boolean
  /** The encoding, if it is known from outside the document, for example from an HTTP header. */
  encoding?: string
  /** Returns the text of external entities. Without a resolver, nothing outside the document is read. */
  resolve?: Resolver
  /** Whether to allow any number of root elements, text outside them, and an incomplete end (default: false). */
  fragment?: boolean
  limits?: Partial<XmlLimits>
  /** Whether CR LF and CR become LF, as the specification requires (default: true). */
  normalizeLineEnds?: boolean
  /** The engine to use (default: the fastest available). */
  engine?: EngineName
  /** Stops reading when it aborts: pending reads throw the reason of the signal. */
  signal?: AbortSignal
}

/** Options for events. */
export interface XmlEventOptions {
  /** Whether CDATA sections are separate events (default: false). */
  cdata?: boolean
  /**
   * The size of text pieces in UTF-16 units: longer text is delivered in pieces as it arrives. The last piece can be shorter, and a piece
   * that would cut a surrogate pair is one unit longer. Without this option, a text is one event, and is retained until it is complete.
   */
  maxText?: number
}

/** Options for selected elements. */
export interface SelectOptions {
  /** Which of nested matches to deliver (default: `outermost`). */
  nested?: 'outermost' | 'innermost'
  /**
   * Delivers only the elements for which this returns true. It is called after the nesting is decided: elements inside an element that it
   * rejects are not delivered either.
   */
  where?: (element: XmlElement) => boolean
}

/** Options for records. */
export interface RecordOptions {
  /** Which of nested matches become records (default: `outermost`). */
  nested?: 'outermost' | 'innermost'
}

const LIMITS = Object.keys({ ...DEFAULT_LIMITS, ...DEFAULT_ENTITY_LIMITS }) as (keyof XmlLimits)[]

/** What a kind of option must be. */
const IS_KIND = {
  boolean: (value: unknown) => typeof value === 'boolean',
  string: (value: unknown) => typeof value === 'string',
  function: (value: unknown) => typeof value === 'function',
  number: (value: unknown) => typeof value === 'number' && value >= 1,
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  AbortSignal: (value: unknown) => typeof (value as AbortSignal | undefined)?.throwIfAborted === 'function',
}
type Kind = keyof typeof IS_KIND | readonly string[]

/** Of each option what it must be: of a kind, or one of several words. */
const OPTIONS: Readonly<Record<string, Kind>> = {
  namespaces: 'boolean',
  encoding: 'string',
  resolve: 'function',
  fragment: 'boolean',
  limits: 'object',
  normalizeLineEnds: 'boolean',
  engine: ['wasm', 'plain'],
  signal: 'AbortSignal',
  cdata: 'boolean',
  maxText: 'number',
  nested: ['outermost', 'innermost'],
  where: 'function',
}

/** Throws a `TypeError` with the code `invalid-option` for an option of the wrong kind, and for what is no object of options. */
export function requireOptions(options: object): void {
  if (!IS_KIND.object(options)) throw invalidOption(`options must be an object, not ${describeValue(options)}`)
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const kind = Object.hasOwn(OPTIONS, name) ? (OPTIONS[name] as Kind) : undefined
    if (value === undefined || kind === undefined) continue
    const isRight = typeof kind === 'string' ? IS_KIND[kind](value) : kind.includes(value as string)
    if (isRight) continue
    const wanted = typeof kind === 'string' ? WORDS[kind] : kind.join(' or ')
    throw invalidOption(`${name} must be ${wanted}, not ${describeValue(value)}`)
  }
}

const WORDS: Readonly<Record<keyof typeof IS_KIND, string>> = {
  boolean: 'true or false',
  string: 'a string',
  function: 'a function',
  number: 'a number of at least 1',
  object: 'an object',
  AbortSignal: 'an AbortSignal',
}

function invalidOption(message: string): TypeError {
  return withCode(new TypeError(message), 'invalid-option')
}

/** The options of a parser. Throws a `RangeError` or a `TypeError` with the code `invalid-option`. */
export function parserOptions(options: XmlOptions): XmlParserOptions {
  requireOptions(options)
  const { encoding } = options
  if (encoding !== undefined && normalizeEncoding(encoding) === undefined) {
    throw withCode(new RangeError(`unknown encoding ${JSON.stringify(encoding)}`), 'invalid-option')
  }
  const limits = readLimits(options.limits ?? {})
  return {
    namespaces: options.namespaces ?? true,
    fragment: options.fragment ?? false,
    normalizeLineEnds: options.normalizeLineEnds ?? true,
    resolves: options.resolve !== undefined,
    machineLimits: limits,
    entityLimits: limits,
    engine: options.engine,
  }
}

/** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for what is no number from 0, and for the name of no limit. */
function readLimits(given: Partial<XmlLimits>): XmlLimits {
  const limits: Record<keyof XmlLimits, number> = { ...DEFAULT_LIMITS, ...DEFAULT_ENTITY_LIMITS }
  for (const [name, value] of Object.entries(given) as [keyof XmlLimits, unknown][]) {
    if (!LIMITS.includes(name)) {
      throw withCode(new RangeError(`unknown limit ${name}; the limits are ${LIMITS.join(', ')}`), 'invalid-option')
    }
    if (value === undefined) continue
    if (typeof value !== 'number') throw invalidOption(`${name} must be a number, not ${describeValue(value)}`)
    if (!(value >= 0))
      throw withCode(new RangeError(`${name} must be a number of at least 0, not ${value}`), 'invalid-option')
    // All but the factor count something.
    limits[name] = name === 'maxAmplification' ? value : Math.floor(value)
  }
  return limits
}
