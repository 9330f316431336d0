// Options of the commands that read XML.

import { InvalidArgumentError } from 'commander'
import { normalizeEncoding } from '../../text/encodings.ts'
import { UsageError } from '../errors/errors.ts'
import type { XmlReading } from '../inputs/xml-readers.ts'
import { XML_LIMITS } from './limit-options.ts'
import type { OptionEntry, OptionValues } from './option.ts'
import { oneOf, parserOf, type WordParser } from './option-values.ts'

export const NO_NAMESPACES = [
  '--no-namespaces',
  'do not process namespaces; accept any colons in names',
] as const satisfies OptionEntry
export const ENCODING = [
  '--encoding <name>',
  'the encoding, if it is known from outside the document',
  parseEncoding,
] as const satisfies OptionEntry

const NO_STRICT = [
  '--no-strict',
  'replace characters and bytes that XML does not allow, instead of refusing them',
] as const satisfies OptionEntry

/** That of a command which writes documents again. */
export const TO_UTF8 = [
  '--encoding <name>',
  'what the document is converted to: utf-8; otherwise it keeps its encoding',
  Object.assign(parserOf(readTarget, 'utf-8: documents are converted to nothing else.'), {
    words: ['utf-8'] as const,
  }) satisfies WordParser,
] as const satisfies OptionEntry

export const DOCUMENTS = [
  '--documents',
  'read documents that follow each other in one input',
] as const satisfies OptionEntry

export const ON_ERROR = [
  '--on-error <how>',
  'at an error in a record: stop (the default), skip, or skip-block, which also skips damaged bzip2 blocks',
  oneOf('stop', 'skip', 'skip-block'),
] as const satisfies OptionEntry

/** Answers to references that a document does not declare by itself. */
export const ENTITIES = [
  [
    '--entities <which>',
    'html: know the named characters of HTML; skip: leave out what is declared in files that were not read',
    oneOf('html', 'skip'),
  ],
  ['--dtd <file>', 'read this file as the DTD that documents name'],
] as const satisfies readonly OptionEntry[]

export const XML_OPTIONS = [
  NO_NAMESPACES,
  ENCODING,
  NO_STRICT,
  ['--fragment', 'allow several root elements, text outside them, and an incomplete end'],
  ...ENTITIES,
  ...Object.values(XML_LIMITS),
] as const satisfies readonly OptionEntry[]

export type XmlCommandOptions = Omit<OptionValues<typeof XML_OPTIONS>, 'strict'> &
  Partial<OptionValues<[typeof NO_STRICT, typeof DOCUMENTS]>>

function readTarget(name: string): 'utf-8' | undefined {
  return normalizeEncoding(name) === 'utf-8' ? 'utf-8' : undefined
}

/** How options say that documents are read. Throws a `UsageError` for options that do not go together, and an `InputError` for a DTD that cannot be read. */
export async function xmlOptions(options: XmlCommandOptions, signal: AbortSignal): Promise<XmlReading> {
  const { namespaces, strict = true, encoding, fragment, documents, entities, dtd } = options
  if (fragment && documents) throw new UsageError('--fragment cannot be used together with --documents')
  const names = Object.keys(XML_LIMITS) as (keyof typeof XML_LIMITS)[]
  const limits = Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
  return {
    ...(!namespaces && { namespaces }),
    ...(!strict && { strict }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(encoding !== undefined && { encoding }),
    ...(fragment && { fragment }),
    ...(documents && { documents }),
    ...(entities && { entities }),
    ...(dtd !== undefined && { dtd: await (await import('../inputs/xml-readers.ts')).readDtd(dtd, signal) }),
  }
}

function parseEncoding(name: string): string {
  if (normalizeEncoding(name) === undefined) throw new InvalidArgumentError('It is not a known encoding.')
  return name
}
