// Why a document is not well-formed, where the machine has failed.

import type { Machine, Outcome } from '../../machine/run/machine.ts'
import { LONGEST_STRING } from '../../text/units.ts'
import type { UnplacedError } from '../errors/unplaced-error.ts'
import type { NameTable } from '../names/names.ts'
import { explainSyntax, type OpenElement } from './explain.ts'
import type { MarkupFinder } from './open-markup.ts'

/** What is known of the document. */
interface FailureContext {
  readonly machine: Machine
  readonly markup: MarkupFinder
  /** Looks in a document type declaration that has no end for what is wrong (parser/prolog.ts). */
  readonly prolog: { check(text: string, start: number, end: number): void }
  readonly names: NameTable
  /** Offset where the document begins; undefined for a fragment. */
  readonly documentStart: number | undefined
}

/** The error. Throws the one that is in the document type declaration, if that is open. */
export function explainFailure(outcome: Outcome, context: FailureContext): UnplacedError {
  const { machine, markup, documentStart } = context
  checkDoctype(context)
  return explainSyntax(machine, outcome, {
    element: openElementOf(context),
    markup: outcome === 'failed' ? markup.find(machine.farthest) : undefined,
    documentStart,
    input: 'the input',
  })
}

/** If a document type declaration has no end, its content may show why. */
function checkDoctype({ machine, prolog }: FailureContext): void {
  const { openPart: start, openRule: rule } = machine
  // A text may look like one.
  if (start === undefined || rule !== 'doctype') return
  // Not what may have arrived after it: the message is to be the same however the input is cut.
  const end = machine.farthest
  if (end - start > LONGEST_STRING) return
  const text = machine.textAt(start, end)
  if (text.startsWith('<!DOCTYPE')) prolog.check(text, start, end)
}

function openElementOf({ machine, names }: FailureContext): OpenElement | undefined {
  const open = machine.openSymbol
  if (!open) return undefined
  const { symbol, position } = open
  // The name stands after the "<".
  return { name: names.get(symbol).raw, place: position && `${position.line}:${position.column - 1}` }
}
