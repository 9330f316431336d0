// Why a document is not well-formed, where the machine has failed.

import type { Machine, Outcome } from '../../machine/run/machine.ts'
import { LONGEST_STRING } from '../../text/units.ts'
import { explainSyntax, type OpenElement } from '../errors/explain.ts'
import type { Fault } from '../errors/fault.ts'
import type { MarkupFinder } from '../errors/open-markup.ts'
import type { NameTable } from '../names/names.ts'
import type { Prolog } from './prolog.ts'

export interface SyntaxFailureOptions {
  readonly machine: Machine
  readonly markup: MarkupFinder
  readonly prolog: Prolog
  readonly names: NameTable
  /** Offset where the document begins; undefined for a fragment. */
  readonly documentStart: number | undefined
}

export class SyntaxFailure {
  readonly #options: SyntaxFailureOptions

  constructor(options: SyntaxFailureOptions) {
    this.#options = options
  }

  /** The error. Throws the one that is in the document type declaration, if that is open. */
  explain(outcome: Outcome): Fault {
    const { machine, markup, documentStart } = this.#options
    this.#checkDoctype()
    return explainSyntax(machine, outcome, {
      element: this.#openElement,
      markup: outcome === 'failed' ? markup.find(machine.farthest) : undefined,
      documentStart,
      input: 'the input',
    })
  }

  /** If a document type declaration has no end, its content may show why. */
  #checkDoctype(): void {
    const { machine, prolog } = this.#options
    const { openPart: start, openRule: rule } = machine
    // A text may look like one.
    if (start === undefined || rule !== 'doctype') return
    // Not what may have arrived after it: the message is to be the same however the input is cut.
    const end = machine.farthest
    if (end - start > LONGEST_STRING) return
    const text = machine.textAt(start, end)
    if (text.startsWith('<!DOCTYPE')) prolog.check(text, start, end)
  }

  get #openElement(): OpenElement | undefined {
    const { machine, names } = this.#options
    const open = machine.openSymbol
    if (!open) return undefined
    const { symbol, position } = open
    // The name stands after the "<".
    return { name: names.get(symbol).raw, place: position && `${position.line}:${position.column - 1}` }
  }
}
