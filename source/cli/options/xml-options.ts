// Options of the commands that read XML.

import { InvalidArgumentError } from 'commander'
import { normalizeEncoding } from '../../text/encodings.ts'
import type { XmlOptions } from '../../xml/options.ts'
import { type LimitValues, XML_LIMITS } from './limit-options.ts'
import type { OptionEntry } from './option.ts'
import type { WordParser } from './option-values.ts'

export interface XmlCommandOptions extends LimitValues<typeof XML_LIMITS> {
  namespaces: boolean
  encoding?: string
  fragment?: true
}

export const NO_NAMESPACES: OptionEntry = ['--no-namespaces', 'do not process namespaces; accept any colons in names']
export const ENCODING: OptionEntry = [
  '--encoding <name>',
  'the encoding, if it is known from outside the document',
  parseEncoding,
]

/** That of a command which writes documents again. */
export const TO_UTF8: OptionEntry = [
  '--encoding <name>',
  'what the document is converted to: utf-8; otherwise it keeps its encoding',
  Object.assign(parseTarget, { words: ['utf-8'] as const }) satisfies WordParser,
]

export const XML_OPTIONS: readonly OptionEntry[] = [
  NO_NAMESPACES,
  ENCODING,
  ['--fragment', 'allow several root elements, text outside them, and an incomplete end'],
  ...Object.values(XML_LIMITS),
]

export function xmlOptions(options: XmlCommandOptions): XmlOptions {
  const { namespaces, encoding, fragment } = options
  const names = Object.keys(XML_LIMITS) as (keyof typeof XML_LIMITS)[]
  const limits = Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
  return {
    ...(!namespaces && { namespaces }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(encoding !== undefined && { encoding }),
    ...(fragment && { fragment }),
  }
}

function parseTarget(name: string): 'utf-8' {
  if (normalizeEncoding(name) === 'utf-8') return 'utf-8'
  throw new InvalidArgumentError('It must be utf-8: documents are converted to nothing else.')
}

function parseEncoding(name: string): string {
  if (normalizeEncoding(name) === undefined) throw new InvalidArgumentError('It is not a known encoding.')
  return name
}
