// Which limit was passed, by what, and which option raises it, in the words of XML.

import type { LimitError } from '../../stream/errors.ts'

/** By the rules of xml.bnf: what is held until it is complete. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['text', 'the text'],
  ['cdata', 'the CDATA section'],
  ['comment', 'the comment'],
  ['instruction', 'the processing instruction'],
  ['startTag', 'the start tag'],
  ['endTag', 'the end tag'],
  ['doctype', 'the document type declaration'],
])

/** What is known where a limit was passed. */
export interface LimitContext {
  /** The rule of the part that is open; undefined where none is. */
  readonly rule: string | undefined
  /** Whether what is held is held for who reads: a selected element, or a field. */
  readonly isHeld: boolean
  /** Line and column from which on the input is held, as a message says them. */
  readonly heldFrom: string | undefined
}

/** What is wrong where a machine has passed a limit. Other limits explain themselves. */
export function explainLimit({ message, code, limit }: LimitError, { rule, isHeld, heldFrom }: LimitContext): string {
  const part = PARTS.get(rule ?? '') ?? 'what'
  switch (code) {
    case 'retained-limit': {
      if (heldFrom === undefined) return message
      const what = isHeld ? 'the selected element or the field' : part
      return `${what} that begins at ${heldFrom} is larger than ${limit} bytes (maxRetained)`
    }
    case 'node-limit':
      return `${part} here has more than ${limit} names, values and references (maxNodes)`
    case 'name-limit':
      return `there are more than ${limit} different names of elements and attributes (maxNames)`
    default:
      return message
  }
}
