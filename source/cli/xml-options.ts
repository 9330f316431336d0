// Options of the commands that read XML.

import { type Command, InvalidArgumentError } from 'commander'
import { normalizeEncoding } from '../text/encodings.ts'
import type { XmlLimits, XmlOptions } from '../xml/options.ts'
import { parseCount } from './option-values.ts'

/** The limits that can be passed where nothing outside of a document is read, with what each is of. */
const LIMITS = {
  maxDepth: ['--max-depth <n>', 'elements that may be open at once'],
  maxRetained: ['--max-retained <bytes>', 'bytes of input that may be held at once'],
  maxNames: ['--max-names <n>', 'different names of elements and attributes'],
  maxNodes: ['--max-nodes <n>', 'names, values and references of one start tag or text'],
  maxAmplification: ['--max-amplification <n>', 'text that entities and attribute defaults may make of each byte'],
  freeExpansion: ['--free-expansion <units>', 'text that they may always make, in UTF-16 units'],
} as const satisfies Partial<Record<keyof XmlLimits, readonly [flags: string, description: string]>>

type LimitOptions = { [Name in keyof typeof LIMITS]?: number }

export interface XmlCommandOptions extends LimitOptions {
  namespaces: boolean
  encoding?: string
  fragment?: true
}

export function addXmlOptions(command: Command): Command {
  command
    .option('--no-namespaces', 'take names with colons as they are')
    .option('--encoding <name>', 'the encoding, where something outside of the document says it', parseEncoding)
    .option('--fragment', 'allow several roots, text outside of them, and an unfinished end')
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
  if (normalizeEncoding(name) === undefined) throw new InvalidArgumentError('It must be an encoding that is known.')
  return name
}
