// A value that cannot be made, before it is an error for users: the machine has the input around it.

import { failAt } from '../../machine/failure/failure.ts'
import type { Machine } from '../../machine/run/machine.ts'
import type { SyntaxNode } from '../../machine/tree/syntax-node.ts'
import type { ParseError } from '../../text/parse-error.ts'
import type { TextAction } from './action.ts'

/** The rules around a text of an input that begins with a part of some rule, the outermost first, and `rule`, which it is of. `from`, `to`: offsets in the input. */
export type FindRules = (part: string, rule: string, input: Uint8Array, from: number, to: number) => readonly string[]

/** What is wrong. */
export interface Reason {
  /** The rule that gives the value. */
  readonly rule: string
  readonly expected?: readonly string[]
  readonly field?: string | undefined
  readonly cause?: unknown
}

interface Invalid extends Reason {
  /** Where the text is, and the part that it is in: offsets in the stream. */
  readonly start: number
  readonly end: number
  readonly partStart: number
  readonly part: string
  readonly findRules: FindRules
}

export class InvalidValue extends Error {
  readonly found: Invalid

  constructor(message: string, found: Invalid) {
    super(message)
    this.found = found
  }

  /** The error, with the input around the text, of a machine that still has its part. */
  explain(machine: Machine): ParseError {
    const { start, end, partStart, part, rule, findRules, ...details } = this.found
    const input = machine.wholeInput?.bytes.subarray(partStart) ?? machine.copyInput(partStart, machine.inputEnd)
    const rules = findRules(part, rule, input, start - partStart, end - partStart)
    return failAt(machine, this.message, { ...details, code: 'invalid-value', byteOffset: start, rules })
  }
}

/** Characters of a text that a message shows. */
const LONGEST_SHOWN = 60

/** What a text is not. `words`: what its kind is. */
export function describeRefused({ rule, label }: TextAction, words: string, text: string, field?: string): string {
  const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN).replace(/[\ud800-\udbff]$/, '')}…` : text
  const what = label === undefined ? `${words} for ${rule}` : `${label} (${words})`
  const where = field === undefined || field === rule ? '' : ` in the field ${field}`
  return `expected ${what}${where}, but found ${JSON.stringify(shown)}`
}

/** The types of the nodes around a text that are no brackets, literals or repetitions, the outermost first. */
export function typesAround(root: SyntaxNode, from: number, to: number): string[] {
  const types: string[] = []
  for (let node: SyntaxNode | undefined = root; node && typeof node.value !== 'string'; ) {
    if (!node.type.startsWith('(')) types.push(node.type)
    node = (node.value as readonly SyntaxNode[]).find(({ start, end }) => start <= from && to <= end)
  }
  return types
}
