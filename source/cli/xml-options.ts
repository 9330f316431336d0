// Options of the commands that read XML.

import { type Command, InvalidArgumentError } from 'commander'
import { normalizeEncoding } from '../text/encodings.ts'
import type { XmlLimits, XmlOptions } from '../xml/options.ts'
import { parseCount } from './option-values.ts'

/** The limits that can be passed where nothing outside of a document is read, with what each is of. */
const LIMITS = {
  maxDepth: ['--max-depth <n>', 'allow at most N elements inside each other'],
  maxRetained: ['--max-retained <bytes>', 'keep at most N bytes of input in memory (default: 256 MiB)'],
  maxNames: ['--max-names <n>', 'allow at most N different names of elements and attributes'],
  maxNodes: ['--max-nodes <n>', 'allow at most N names, values and references in one start tag or text'],
  maxAmplification: [
    '--max-amplification <n>',
    'allow entities and attribute defaults to produce N times the size of the input',
  ],
  freeExpansion: ['--free-expansion <units>', 'always allow them to produce N UTF-16 units of text'],
} as const satisfies Partial<Record<keyof XmlLimits, readonly [flags: string, description: string]>>

type LimitOptions = { [Name in keyof typeof LIMITS]?: number }

export interface XmlCommandOptions extends LimitOptions {
  namespaces: boolean
  encoding?: string
  fragment?: true
}

export function addXmlOptions(command: Command): Command {
  command
    .option('--no-namespaces', 'do not process namespaces; accept any colons in names')
    .option('--encoding <name>', 'the encoding, if it is known from outside the document', parseEncoding)
    .option('--fragment', 'allow several root elements, text outside them, and an incomplete end')
  for (const [flags, description] of Object.values(LIMITS)) command.option(flags, description, parseCount)
  return command
}

export function xmlOptions(options: XmlCommandOptions): XmlOptions {
  const { namespaces, encoding, fragment } = options
  const names = Object.keys(LIMITS) as (keyof typeof LIMITS)[]
  const limits = Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
  return { namespaces, limits, ...(encoding !== undefined && { encoding }), ...(fragment && { fragment }) }
}

function parseEncoding(name: string): string {
  if (normalizeEncoding(name) === undefined) throw new InvalidArgumentError('It is not a known encoding.')
  return name
}
