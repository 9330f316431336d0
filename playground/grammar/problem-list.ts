// What is wrong with a grammar, as a list. Each problem leads to its place, and to its correction where that is known.

import type { Problem, Replacement } from 'xylem/grammar'
import { button, element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'
import type { MarkedRange } from './editor/marks.ts'

/** Problems that are listed. */
const MOST = 50

export interface ProblemEvents {
  onGoTo(range: MarkedRange): void
  onRewrite(replacement: Replacement): void
}

export class ProblemList {
  readonly element = element('section', { class: 'grammar-problems', 'aria-label': 'Problems of the grammar' })
  readonly #events: ProblemEvents

  constructor(events: ProblemEvents) {
    this.#events = events
    this.show([])
  }

  show(problems: readonly Problem[]): void {
    this.element.hidden = problems.length === 0
    const items = problems.slice(0, MOST).map((problem) => this.#makeItem(problem))
    const rest = problems.length - items.length
    this.element.replaceChildren(
      element('ul', {}, ...items),
      ...(rest > 0 ? [element('p', { class: 'label' }, `${formatCount(rest)} more are marked in the grammar.`)] : []),
    )
  }

  #makeItem(problem: Problem): HTMLElement {
    const { severity, message, suggestion, replacement, line, column } = problem
    const place = element(
      'button',
      { type: 'button', class: 'grammar-problem' },
      element('span', { class: `badge ${severity === 'error' ? 'danger' : 'warning'}` }, severity),
      ' ',
      element('span', {}, message),
      ' ',
      element('span', { class: 'label' }, `line ${line}, column ${column}`),
    )
    place.addEventListener('click', () => this.#events.onGoTo(problem))
    const rewrite =
      replacement && button('Rewrite the rule', () => this.#events.onRewrite(replacement), { class: 'button small' })
    return element('li', {}, place, suggestion && makeSuggestion(suggestion), rewrite)
  }
}

/** A suggestion often ends with what to write, after two blanks. */
function makeSuggestion(suggestion: string): HTMLElement {
  const [words = '', ...written] = suggestion.split(':  ')
  if (written.length === 0) return element('p', { class: 'label' }, words)
  return element('p', { class: 'label' }, `${words}: `, element('code', {}, written.join(':  ')))
}
