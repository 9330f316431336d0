// What became of an input: its tree, or why there is none.

import { element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'
import { type FailureEvents, makeFailureTrace } from './failure-trace.ts'
import type { ParseFailure } from './protocol.ts'
import type { FlatTree } from './tree/flat-tree.ts'
import { SyntaxTree, type SyntaxTreeEvents } from './tree/syntax-tree.ts'

/** Milliseconds after which the visitor is told to wait. */
const SLOW = 400

/** How long a parse took. */
export interface ParseTime {
  readonly milliseconds: number
  /** Whether that includes compiling the grammar. */
  readonly isFirst: boolean
}

export class ResultPanel {
  readonly element: HTMLElement
  readonly #status = element('p', { role: 'status', class: 'grammar-status' })
  readonly #result = element('div', { class: 'grammar-result' })
  readonly #tree: SyntaxTree
  readonly #events: FailureEvents
  #slow: ReturnType<typeof setTimeout> | undefined

  constructor(events: SyntaxTreeEvents & FailureEvents) {
    this.#events = events
    this.#tree = new SyntaxTree(events)
    this.element = element(
      'section',
      { class: 'card', 'aria-labelledby': 'grammar-tree-title' },
      element('h2', { id: 'grammar-tree-title' }, 'Tree'),
      this.#status,
      this.#result,
    )
  }

  /** Something has changed. What is shown stays until there is something else; it is said only if that takes long. */
  showParsing(): void {
    this.element.ariaBusy = 'true'
    this.#slow ??= setTimeout(() => this.#say('Parsing …'), SLOW)
  }

  showTree(tree: FlatTree, input: string, { milliseconds, isFirst }: ParseTime): void {
    this.#show(this.#tree.element)
    this.#tree.show(tree, input)
    const time = milliseconds < 1 ? 'less than 1 ms' : `${formatCount(Math.round(milliseconds))} ms`
    this.#say(`The input matches. ${isFirst ? 'Compiled the grammar and parsed' : 'Parsed'} in ${time}.`)
  }

  /** Selects a node of the tree, and shows it. */
  select(node: number): void {
    this.#tree.select(node)
  }

  showFailure(failure: ParseFailure): void {
    this.#show(makeFailureTrace(failure, this.#events))
    this.#say('There is no tree, because the parse has failed.')
  }

  showUnusable(errorCount: number): void {
    this.#show(undefined)
    const count = errorCount === 1 ? 'an error' : `${formatCount(errorCount)} errors`
    this.#say(`There is no tree yet: the grammar has ${count}, listed below it.`)
  }

  showTimeout(seconds: number): void {
    const advice =
      `It was ended after ${seconds} seconds, so that it does not occupy your computer. The grammar may read the same input again and again: ` +
      'try a shorter input, or look for warnings. It starts again when you change something.'
    this.#show(makeError('This takes too long', advice))
    this.#say(`Ended after ${seconds} seconds.`)
  }

  showStartFailure(message: string): void {
    const advice = 'Reload the page. If that does not help, this browser may not allow workers.'
    this.#show(makeError('The parser could not be started', advice, message))
    this.#say('There is no tree.')
  }

  #say(text: string): void {
    this.#status.textContent = text
  }

  #show(result: HTMLElement | undefined): void {
    clearTimeout(this.#slow)
    this.#slow = undefined
    this.element.ariaBusy = 'false'
    if (result && result.parentElement === this.#result) return
    this.#result.replaceChildren(...(result ? [result] : []))
  }
}

function makeError(title: string, advice: string, message?: string): HTMLElement {
  return element(
    'div',
    { class: 'error' },
    element('h2', {}, title),
    element('p', {}, advice),
    message === undefined ? undefined : element('p', { class: 'label' }, message),
  )
}
