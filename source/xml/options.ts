// How documents are read.

import type { EngineName } from '../machine/engine.ts'
import { DEFAULT_LIMITS, type MachineLimits } from '../machine/limits.ts'
import { describeValue, withCode } from '../stream/errors.ts'
import { normalizeEncoding } from '../text/encodings.ts'
import type { XmlElement } from './element.ts'
import { DEFAULT_ENTITY_LIMITS, type EntityLimits } from './entity-limits.ts'
import type { ExternalRequest } from './external.ts'
import type { XmlParserOptions } from './parser.ts'

/** Bounds of a document. Passing one throws a `LimitError` with a code of its own. */
export interface XmlLimits extends MachineLimits, EntityLimits {}

/** Gives the text of an external entity, or undefined where it is not to be had: it is then skipped. */
export type Resolver = (
  request: ExternalRequest,
) => string | Uint8Array | undefined | Promise<string | Uint8Array | undefined>
/** The same at once, for `parseXml`. */
export type SynchronousResolver = (request: ExternalRequest) => string | Uint8Array | undefined

/** How to read a document. */
export interface XmlOptions {
  /** Whether prefixes are resolved, and names have one colon at the most; true unless said otherwise. */
  namespaces?: boolean
  /** The encoding, where something outside of the document says it. */
  encoding?: string
  /** Gives the text of external entities. Without it nothing outside is ever read. */
  resolve?: Resolver
  /** Whether there may be several roots, or none, text outside of them, and an unfinished end. */
  fragment?: boolean
  limits?: Partial<XmlLimits>
  /** Whether CR LF and CR become LF, as the specification says; true unless said otherwise. */
  normalizeLineEnds?: boolean
  /** Which engine is to run; without it the faster one that can. */
  engine?: EngineName
  /** Stops reading: what waits throws the signal's reason. */
  signal?: AbortSignal
}

/** With options for events. */
export interface XmlEventOptions {
  /** Whether CDATA sections are events of their own. */
  cdata?: boolean
  /**
   * UTF-16 units of the pieces in which longer text is handed over, as it arrives: the last may have fewer, and one at a surrogate pair one
   * more. Without it, text is one event, and held until it is whole.
   */
  maxText?: number
}

/** Which elements are selected. */
export interface SelectOptions {
  /** Which are handed over where they are nested; `outermost` is the default. */
  nested?: 'outermost' | 'innermost'
  /** Those alone for which this is true. It decides nothing on nesting: what it leaves out was selected, with all that is in it. */
  where?: (element: XmlElement) => boolean
}

/** Which records are made. */
export interface RecordOptions {
  /** Which elements they are made of where they are nested; `outermost` is the default. */
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
  if (!IS_KIND.object(options)) throw invalidOption(`options are an object, not ${describeValue(options)}`)
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
  number: 'a number from 1',
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
    throw withCode(new RangeError(`the encoding ${JSON.stringify(encoding)} is not known`), 'invalid-option')
  }
  const limits = options.limits ? readLimits(options.limits) : ALL_DEFAULTS
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

const ALL_DEFAULTS: XmlLimits = { ...DEFAULT_LIMITS, ...DEFAULT_ENTITY_LIMITS }

/** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for what is no number from 0, and for the name of no limit. */
function readLimits(given: Partial<XmlLimits>): XmlLimits {
  const limits: Record<keyof XmlLimits, number> = { ...ALL_DEFAULTS }
  for (const [name, value] of Object.entries(given) as [keyof XmlLimits, unknown][]) {
    if (!LIMITS.includes(name)) {
      throw withCode(new RangeError(`there is no limit ${name}: they are ${LIMITS.join(', ')}`), 'invalid-option')
    }
    if (value === undefined) continue
    if (typeof value !== 'number') throw invalidOption(`${name} must be a number, not ${describeValue(value)}`)
    if (!(value >= 0)) throw withCode(new RangeError(`${name} must be a number from 0, not ${value}`), 'invalid-option')
    // All but the factor count something.
    limits[name] = name === 'maxAmplification' ? value : Math.floor(value)
  }
  return limits
}
