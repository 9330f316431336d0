// How documents are read.

import type { EngineName } from '../machine/engine.ts'
import { DEFAULT_LIMITS, LIMIT_FACTORS, type MachineLimits } from '../machine/limits.ts'
import { withCode } from '../stream/errors.ts'
import { type OptionKinds, readLimits, type SomeOf } from '../stream/options.ts'
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
  namespaces?: boolean | undefined
  /** The encoding, where something outside of the document says it. */
  encoding?: string | undefined
  /** Gives the text of external entities. Without it nothing outside is ever read. */
  resolve?: Resolver | undefined
  /** Whether there may be several roots, or none, text outside of them, and an unfinished end. */
  fragment?: boolean | undefined
  limits?: SomeOf<XmlLimits> | undefined
  /** Whether CR LF and CR become LF, as the specification says; true unless said otherwise. */
  normalizeLineEnds?: boolean | undefined
  /** Which engine is to run; without it the faster one that can. */
  engine?: EngineName | undefined
  /** Stops reading: what waits throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** With options for events. */
export interface XmlEventOptions {
  /** Whether CDATA sections are events of their own. */
  cdata?: boolean | undefined
  /**
   * UTF-16 units of the pieces in which longer text is handed over, as it arrives: the last may have fewer, and one at a surrogate pair one
   * more. Without it, text is one event, and held until it is whole.
   */
  maxText?: number | undefined
}

/** Which elements are selected. */
export interface SelectOptions {
  /** Which are handed over where they are nested; `outermost` is the default. */
  nested?: 'outermost' | 'innermost' | undefined
  /** Those alone for which this is true. It decides nothing on nesting: what it leaves out was selected, with all that is in it. */
  where?: ((element: XmlElement) => boolean) | undefined
}

/** Which records are made. */
export interface RecordOptions {
  /** Which elements they are made of where they are nested; `outermost` is the default. */
  nested?: 'outermost' | 'innermost' | undefined
}

export const XML_OPTIONS: OptionKinds<XmlOptions> = {
  namespaces: 'boolean',
  encoding: 'string',
  resolve: 'function',
  fragment: 'boolean',
  limits: 'object',
  normalizeLineEnds: 'boolean',
  engine: ['wasm', 'plain'],
  signal: 'signal',
}
export const EVENT_OPTIONS: OptionKinds<XmlEventOptions> = { cdata: 'boolean', maxText: 'any' }
export const RECORD_OPTIONS: OptionKinds<RecordOptions> = { nested: ['outermost', 'innermost'] }
export const SELECT_OPTIONS: OptionKinds<SelectOptions> = { ...RECORD_OPTIONS, where: 'function' }

const XML_LIMITS: XmlLimits = { ...DEFAULT_LIMITS, ...DEFAULT_ENTITY_LIMITS }
const XML_LIMIT_FACTORS: readonly (keyof XmlLimits)[] = [...LIMIT_FACTORS, 'maxAmplification']

/** The limits that are given, and the defaults of the others. Throws like `readLimits`. */
export function readXmlLimits(limits: XmlOptions['limits']): XmlLimits {
  return readLimits(limits, XML_LIMITS, XML_LIMIT_FACTORS)
}

/** The options of a parser. Throws a `RangeError` or a `TypeError` with the code `invalid-option`. */
export function parserOptions(options: XmlOptions): XmlParserOptions {
  const { encoding } = options
  if (encoding !== undefined && normalizeEncoding(encoding) === undefined) {
    throw withCode(new RangeError(`the encoding ${JSON.stringify(encoding)} is not known`), 'invalid-option')
  }
  const limits = readXmlLimits(options.limits)
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
