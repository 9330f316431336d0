// How documents are read.

import type { EngineName } from '../machine/run/engine.ts'
import { DEFAULT_LIMITS, LIMIT_FACTORS, type MachineLimits } from '../machine/run/limits.ts'
import type { FormatOptions } from '../record/format/format.ts'
import { FORMAT_OPTION_KINDS } from '../record/format/index.ts'
import type { TextOrBytes } from '../stream/chunk-encoder.ts'
import { withCode } from '../stream/errors.ts'
import { type LimitOptions, type OptionKinds, readLimits } from '../stream/options.ts'
import { normalizeEncoding } from '../text/encodings.ts'
import { DEFAULT_ENTITY_LIMITS, type EntityLimits } from './doctype/entity-limits.ts'
import type { ExternalRequest } from './doctype/external.ts'
import type { SkippedEntity } from './doctype/skipped.ts'
import type { XmlParserOptions } from './parser/parser-options.ts'
import type { XmlShape } from './question/shape.ts'
import type { XmlWhere } from './question/where.ts'
import type { ErrorPolicy } from './readings/recovery.ts'
import type { XmlElement } from './tree/element.ts'

/** Limits for a document. Exceeding one throws a `LimitError` with a code of its own. */
export interface XmlLimits extends MachineLimits, EntityLimits {}

/** Returns the text of an external entity, or undefined if it is not available; the entity is then skipped. */
export type Resolver = (request: ExternalRequest) => TextOrBytes | undefined | Promise<TextOrBytes | undefined>
/** A resolver that does not wait, for `parseXml`. */
export type SynchronousResolver = (request: ExternalRequest) => TextOrBytes | undefined

/** Options for reading a document. */
export interface XmlOptions {
  /** Whether prefixes are resolved, and names have at most one colon (default: true). */
  namespaces?: boolean | undefined
  /** The encoding, if it is known from outside the document. It counts more than what a server or the document says; a byte order mark must not contradict. */
  encoding?: string | undefined
  /** Returns the text of external entities. Without a resolver, nothing outside the document is read. */
  resolve?: Resolver | undefined
  /** Whether to allow any number of root elements, text and XML declarations outside them, and an incomplete end (default: false). */
  fragment?: boolean | undefined
  /**
   * Called for each reference to an entity that is left out of texts and values: it may be declared in a part of the document type that was
   * not read, or its text is outside the document and was not available. Without external declarations there are none: an entity that is not
   * declared is an error.
   */
  onSkippedEntity?: ((entity: SkippedEntity) => void) | undefined
  /**
   * Entities that the document may refer to without declaring them: texts by their names, such as `htmlEntities` of `xylem/xml/html-entities`. They are text,
   * so `<` in one begins no tag. A declaration in the document comes first, and the predefined entities cannot be changed.
   */
  entities?: Readonly<Record<string, string>> | undefined
  /**
   * Called with the offset of each byte that is no text, and of each character that XML does not allow, which is then read as `?` (U+FFFE and U+FFFF as U+FFFD).
   * Without it, they are errors. Bytes that are no text in another encoding than UTF-8 always are, and references in values of entities and defaults of attributes.
   */
  onReplace?: ((byteOffset: number) => void) | undefined
  limits?: LimitOptions<XmlLimits> | undefined
  /** Whether CR LF and CR become LF, as the specification requires (default: true). */
  normalizeLineEnds?: boolean | undefined
  /** The engine to use (default: the fastest available). */
  engine?: EngineName | undefined
  /** Stops reading when it aborts: pending reads throw the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** Options for reading documents that follow each other. */
export type XmlDocumentsOptions = Omit<XmlOptions, 'fragment'>

/** Options for events. */
export interface XmlEventOptions {
  /** Whether CDATA sections are separate events (default: false). */
  cdata?: boolean | undefined
  /**
   * The size of text pieces in UTF-16 units: longer text is delivered in pieces as it arrives. The last piece can be shorter, and a piece
   * that would cut a surrogate pair is one unit longer. Without this option, a text is one event, and is retained until it is complete.
   */
  maxText?: number | undefined
}

/** Options for selected elements. */
export interface SelectOptions {
  /** What prefixes in paths stand for. Without this option, names are compared as they are written. */
  prefixes?: Readonly<Record<string, string>> | undefined
  /**
   * Which of nested matches to deliver (default: `outermost`). With `all`, each is delivered when it ends, so an inner one comes before the
   * one around it.
   */
  nested?: 'outermost' | 'innermost' | 'all' | undefined
  /**
   * Whether `bytes` of an element is a document of its own: with the declarations of namespaces around the element, with the values of defaults and
   * with the text of entities (default: false, `bytes` is what stands in the input). It is written when it is asked for.
   */
  standalone?: boolean | undefined
  /**
   * Delivers only the elements for which this returns true, or what counts as true in `Array.filter`. A promise is a `TypeError`. It is called
   * after the nesting is decided: elements inside an element that it rejects are not delivered either, unless `nested` is `all`.
   */
  where?: ((element: XmlElement) => boolean) | undefined
  /** What to do at an error in an element that matches (default: `stop`, which throws it). See {@link ErrorPolicy}. */
  onError?: ErrorPolicy | undefined
}

/** Options for records. */
export interface RecordOptions<Shape extends XmlShape = XmlShape> {
  /**
   * Which of nested matches become records (default: `outermost`). With `all`, each has the fields that it would have alone, and is delivered
   * when it ends, so an inner one comes before the one around it.
   */
  nested?: 'outermost' | 'innermost' | 'all' | undefined
  /** What prefixes in paths stand for. Without this option, names are compared as they are written. */
  prefixes?: Readonly<Record<string, string>> | undefined
  /**
   * Which records to deliver: conditions on fields, or a function that returns true, or what counts as true in `Array.filter` (a promise is a
   * `TypeError`). Neither sees fields that are `late`, and these are not
   * decoded for other records.
   */
  where?: XmlWhere<Shape> | undefined
  /**
   * What to do at an error in a record: markup that is not well-formed, a value that is missing or not of its kind, or a record that passes `maxRetained` or
   * `maxDepth` (default: `stop`, which throws it). See {@link ErrorPolicy}.
   */
  onError?: ErrorPolicy | undefined
  /** Whether a value that is not of its kind is undefined, also in lists, where it keeps its place; otherwise it is an error (default: false). */
  lenient?: boolean | undefined
}

/** How records are written in a format. */
export interface WriteOptions<Shape extends XmlShape = XmlShape> extends RecordOptions<Shape>, FormatOptions {}

/** How records become columns. */
export interface ColumnOptions<Shape extends XmlShape = XmlShape> extends RecordOptions<Shape> {
  /** How many records a batch has at most (default: 65,536). With long texts it has fewer: it ends after 4 MiB. */
  rows?: number | undefined
}

export const XML_OPTIONS: OptionKinds<XmlOptions> = {
  namespaces: 'boolean',
  encoding: 'string',
  resolve: 'function',
  fragment: 'boolean',
  onSkippedEntity: 'function',
  entities: 'object',
  onReplace: 'function',
  limits: 'object',
  normalizeLineEnds: 'boolean',
  engine: ['wasm', 'plain'],
  signal: 'signal',
}
export const EVENT_OPTIONS: OptionKinds<XmlEventOptions> = { cdata: 'boolean', maxText: 'any' }
const NESTED = ['outermost', 'innermost', 'all'] as const
export const RECORD_OPTIONS: OptionKinds<RecordOptions> = {
  nested: NESTED,
  prefixes: 'object',
  where: 'any',
  onError: 'any',
  lenient: 'boolean',
}
export const WRITE_OPTIONS: OptionKinds<WriteOptions> = { ...RECORD_OPTIONS, ...FORMAT_OPTION_KINDS }
export const COLUMN_OPTIONS: OptionKinds<ColumnOptions> = { ...RECORD_OPTIONS, rows: 'any' }
export const SELECT_OPTIONS: OptionKinds<SelectOptions> = {
  nested: NESTED,
  standalone: 'boolean',
  prefixes: 'object',
  where: 'function',
  onError: 'any',
}

const XML_LIMITS: XmlLimits = { ...DEFAULT_LIMITS, ...DEFAULT_ENTITY_LIMITS }
const XML_LIMIT_FACTORS: readonly (keyof XmlLimits)[] = [...LIMIT_FACTORS, 'maxAmplification']

/** The limits that are given, and the defaults of the others. Throws like `readLimits`. */
export function readXmlLimits(limits: XmlOptions['limits']): XmlLimits {
  return readLimits(limits, XML_LIMITS, XML_LIMIT_FACTORS)
}

/** The options of a parser. Throws a `RangeError` or a `TypeError` with the code `invalid-option`. */
export function parserOptions(options: Omit<XmlOptions, 'signal'>): XmlParserOptions {
  const { encoding } = options
  if (encoding !== undefined && normalizeEncoding(encoding) === undefined) {
    throw withCode(new RangeError(`unknown encoding ${JSON.stringify(encoding)}`), 'invalid-option')
  }
  const limits = readXmlLimits(options.limits)
  return {
    namespaces: options.namespaces ?? true,
    fragment: options.fragment ?? false,
    normalizeLineEnds: options.normalizeLineEnds ?? true,
    resolves: options.resolve !== undefined,
    onSkippedEntity: options.onSkippedEntity,
    entities: options.entities,
    onReplace: options.onReplace,
    machineLimits: limits,
    entityLimits: limits,
    engine: options.engine,
  }
}
