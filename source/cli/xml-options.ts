// Options of the commands that read XML.

import type { Command } from 'commander'
import type { XmlLimits, XmlOptions } from '../xml/options.ts'
import { parseCount } from './option-values.ts'

export interface XmlCommandOptions {
  namespaces: boolean
  encoding?: string
  fragment?: true
  maxDepth?: number
  maxRetained?: number
}

export function addXmlOptions(command: Command): Command {
  return command
    .option('--no-namespaces', 'take names with colons as they are')
    .option('--encoding <name>', 'the encoding, where something outside of the document says it')
    .option('--fragment', 'allow several roots, text outside of them, and an unfinished end')
    .option('--max-depth <n>', 'elements that may be open at once', parseCount)
    .option('--max-retained <bytes>', 'bytes of input that may be held at once', parseCount)
}

export function xmlOptions({ namespaces, encoding, fragment, maxDepth, maxRetained }: XmlCommandOptions): XmlOptions {
  const limits: Partial<XmlLimits> = {
    ...(maxDepth !== undefined && { maxDepth }),
    ...(maxRetained !== undefined && { maxRetained }),
  }
  return { namespaces, limits, ...(encoding !== undefined && { encoding }), ...(fragment && { fragment }) }
}
