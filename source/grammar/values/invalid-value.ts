// A value that cannot be made, before it is an error for users: the machine has the input around it.

import { failAt } from '../../machine/failure/failure.ts'
import type { Machine } from '../../machine/run/machine.ts'
import type { SyntaxNode } from '../../machine/tree/syntax-node.ts'
import type { ParseError } from '../../text/parse-error.ts'

/** The rules around a text of an input that begins with a part of some rule, the outermost first. `from`, `to`: offsets in the input. */
export type FindRules = (part: string, input: Uint8Array, from: number, to: number) => readonly string[]

interface Invalid {
  /** Where the text is, and the part that it is in: offsets in the stream. */
  readonly start: number
  readonly end: number
  readonly partStart: number
  readonly part: string
  readonly expected?: readonly string[]
  /** The rule that gives the value. */
  readonly rule: string
  readonly field: string | undefined
  readonly findRules: FindRules
  readonly cause?: unknown
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
    const rules = findRules(part, input, start - partStart, end - partStart)
    const open = rules.includes(rule) ? rules : [...rules, rule]
    return failAt(machine, this.message, { ...details, code: 'invalid-value', byteOffset: start, rules: open })
  }
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
