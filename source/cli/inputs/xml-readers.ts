// Reading documents of XML as options of commands say it.

import { addNumbers, type Counter, count, countNames, type Tally, tally } from '../../record/report.ts'
import type { StreamCache } from '../../stream/stream-cache.ts'
import { ParseError } from '../../text/parse-error.ts'
import { readExternalText } from '../../xml/doctype/external-text.ts'
import type { SkippedEntity } from '../../xml/doctype/skipped.ts'
import { readXmlDocuments } from '../../xml/documents.ts'
import { XmlError } from '../../xml/errors/errors.ts'
import { shorten, UnplacedError } from '../../xml/errors/unplaced-error.ts'
import type { XmlOptions } from '../../xml/options.ts'
import { readXml, type XmlReader } from '../../xml/reader.ts'
import { InputError } from '../errors/errors.ts'
import { readSmallInput } from './read-inputs.ts'

/** How documents are read: as data, which stands in plans and is sent to workers. */
export interface XmlReading
  extends Omit<XmlOptions, 'signal' | 'resolve' | 'onSkippedEntity' | 'onReplace' | 'entities'> {
  /** Whether an input has documents that follow each other. */
  readonly documents?: true
  readonly entities?: 'html' | 'skip'
  /** Whether what is no text is an error (default: true). */
  readonly strict?: boolean
  /** The text of the DTD, whatever a document names as such. */
  readonly dtd?: string
}

/**
 * Options of the library. `onSkip` is called for each entity whose text is missing, and `onReplace` for what is no text, if that is wanted; otherwise they are
 * errors.
 */
export async function openReading(
  { entities, dtd, documents: _, strict = true, ...options }: XmlReading = {},
  onSkip?: (entity: SkippedEntity) => void,
  onReplace: (byteOffset: number) => void = () => {},
): Promise<XmlOptions> {
  return {
    ...options,
    ...(!strict && { onReplace }),
    onSkippedEntity: entities === 'skip' ? onSkip : refuseSkipped,
    ...(entities === 'html' && { entities: (await import('../../xml/html-entities/html-entities.ts')).htmlEntities }),
    ...(dtd !== undefined && { resolve: ({ name }) => (name === undefined ? dtd : undefined) }),
  }
}

/** The readers of the documents of an input. */
export async function* openReaders(
  cache: StreamCache,
  { documents }: XmlReading,
  options: XmlOptions,
): AsyncGenerator<XmlReader, void, undefined> {
  if (documents) yield* readXmlDocuments(cache.cursor(), options)
  else yield readXml(cache, options)
}

/** The text of the DTD in a file. Throws an `InputError`. */
export async function readDtd(file: string, signal: AbortSignal): Promise<string> {
  const { name, bytes } = await readSmallInput(file, signal)
  try {
    return readExternalText(bytes)?.text ?? ''
  } catch (error) {
    if (!(error instanceof UnplacedError)) throw error
    throw new InputError(name, new ParseError(error.message, { code: error.code, byteOffset: 0 }))
  }
}

/** Says what is missing. */
export function describeSkipped(name: string): string {
  return `the text of the entity ${shorten(name)} is missing, because the DTD was not read: use --dtd FILE or --entities html, or --entities skip to leave it out`
}

function refuseSkipped({ name }: SkippedEntity): never {
  throw new UnplacedError(describeSkipped(name), 'skipped-entity')
}

/** Counts what is no text and was replaced. */
export function countReplaced(): Counter<number, number> {
  return count('replaced', addNumbers, { on: 'replaced', dataOf: () => 1, say: (replaced) => warnOfReplaced(replaced) })
}

/** The warning about what was replaced in an input, or in all, in lines. */
export function warnOfReplaced(replaced = 0, input?: string): string[] {
  const [were, them] = replaced === 1 ? ['character was', 'it'] : ['characters were', 'them']
  const text = `${replaced.toLocaleString('en')} ${were} replaced, because XML does not allow ${them}`
  return replaced === 0 ? [] : [`xylem: warning: ${input === undefined ? '' : `${input}: `}${text}`]
}

/** Entities that the warning names. References to others are only counted. */
const MOST_NAMES = 5

/** Counts references that are left out. */
export function countSkipped(): Counter<SkippedEntity, Tally> {
  const dataOf = ({ name, byteOffset }: SkippedEntity) => tally(name, byteOffset)
  return countNames('entities', MOST_NAMES, { on: 'entity', dataOf })
}

/** The error for the first reference, for readers that must not leave any out; undefined if there is none. */
export function findSkipped(counted: Tally | undefined): XmlError | undefined {
  const [found] = counted?.names ?? []
  return found && new XmlError(describeSkipped(found[0]), { code: 'skipped-entity', byteOffset: found[1].first })
}

/** The warning about an input, in lines. */
export function warnOfSkipped(input: string, counted: Tally | undefined): string[] {
  return counted ? [`xylem: warning: ${input}: ${describe(counted)}`] : []
}

function describe({ names, others }: Tally): string {
  const parts = names.map(([name, { count, first }]) => `&${shorten(name)}; (${count}, first at byte ${first})`)
  if (others > 0) parts.push(`others (${others})`)
  const count = names.reduce((sum, [, { count }]) => sum + count, others)
  const what = count === 1 ? '1 reference to an entity was' : `${count} references to entities were`
  return `${what} left out, because the declarations outside of the document were not read: ${parts.join(', ')}`
}
