// What is wrong where the machine stopped, in the words of XML.

import { findFailure } from '../machine/failure.ts'
import { Op } from '../machine/instructions.ts'
import type { Machine, Outcome } from '../machine/machine.ts'
import type { Program } from '../machine/program.ts'
import { XmlError, type XmlErrorDetails } from './errors.ts'

/** Bytes before and behind a fault in which the end tag is looked for. */
const CONTEXT = 300
/** What stands in a tag where a name should, as far as it is shown. */
const NAME = /^[^\s<>/]{0,100}/u

/** Where an element was opened. */
export interface OpenElement {
  readonly name: string
  /** Line and column, as a message would say them; undefined where that is not known any more. */
  readonly place: string | undefined
}

/** The error for a machine that stopped with `failed`, `label` or `malformed`. The machine is not to be run again. */
export function explainSyntax(
  machine: Machine,
  outcome: Outcome,
  element?: OpenElement,
  toSource = (offset: number) => offset,
): XmlError {
  // Before the machine is run again for the message, and its state changes.
  const operation = operationOf(machine)
  const name = outcome === 'failed' && operation === Op.UNIQUE ? machine.marked : undefined
  const found = findFailure(machine, outcome)
  const { message } = found
  // The rules of xml.bnf say nothing to those who do not know it.
  const place = found.details.byteOffset
  const details: XmlErrorDetails = { ...found.details, byteOffset: toSource(place), rules: undefined }
  if (name !== undefined) {
    const constraint = 'WFC: Unique Att Spec'
    return new XmlError(`the attribute ${name} is there twice`, { ...details, code: 'duplicate-attribute', constraint })
  }
  if (outcome !== 'failed' || !element) return new XmlError(message, details)
  if (details.code === 'unexpected-end') {
    return new XmlError(`the input ends, but <${element.name}>${placeOf(element)} is not closed`, details)
  }
  return operation === Op.MATCH_SYMBOL
    ? explainEndTag(machine, details, place, element)
    : new XmlError(message, details)
}

/** Whether an end tag does not match whose name has not yet arrived to its end. */
export function isNameMissing(machine: Machine, outcome: Outcome): boolean {
  if (outcome !== 'failed' || operationOf(machine) !== Op.MATCH_SYMBOL) return false
  const { length } = machine.copyInput(machine.farthest, machine.farthest + CONTEXT)
  const [name = ''] = NAME.exec(machine.textAt(machine.farthest, machine.farthest + CONTEXT)) ?? []
  return length < CONTEXT && new TextEncoder().encode(name).length === length
}

function operationOf(machine: Machine): number {
  const { code } = machine.program as Program
  return (code[machine.programCounter] as number) & 255
}

function explainEndTag(machine: Machine, details: XmlErrorDetails, byteOffset: number, element: OpenElement): XmlError {
  const before = machine.textAt(byteOffset - CONTEXT, byteOffset)
  const text = before + machine.textAt(byteOffset, byteOffset + CONTEXT)
  const [name] = NAME.exec(text.slice(before.lastIndexOf('</') + 2)) ?? ['']
  const message = `the end tag </${name}> does not match <${element.name}>${placeOf(element)}`
  return new XmlError(message, { ...details, code: 'tag-mismatch', constraint: 'WFC: Element Type Match' })
}

function placeOf({ place }: OpenElement): string {
  return place === undefined ? '' : ` opened at ${place}`
}
