// What is wrong with a grammar, as a list. Each problem leads to its place.

import type { Problem } from 'xylem/grammar'
import { element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'
import type { MarkedRange } from './editor/marks.ts'

/** Problems that are listed. */
const MOST = 50

export class ProblemList {
  readonly element = element('section', { class: 'grammar-problems', 'aria-label': 'Problems of the grammar' })
  readonly #goTo: (range: MarkedRange) => void

  constructor(goTo: (range: MarkedRange) => void) {
    this.#goTo = goTo
    this.show([])
  }

  show(problems: readonly Problem[]): void {
    this.element.hidden = problems.length === 0
    const items = problems.slice(0, MOST).map((problem) => this.#makeItem(problem))
    const rest = problems.length - items.length
    this.element.replaceChildren(
      element('ul', {}, ...items),
      ...(rest > 0
        ? [element('p', { class: 'label' }, `And ${formatCount(rest)} more, which are marked in the grammar.`)]
        : []),
    )
  }

  #makeItem(problem: Problem): HTMLElement {
    const { severity, message, suggestion, line, column } = problem
    const place = element(
      'button',
      { type: 'button', class: 'grammar-problem' },
      element('span', { class: `badge ${severity === 'error' ? 'danger' : 'warning'}` }, severity),
      ' ',
      element('span', { class: 'grammar-problem-message' }, message),
      ' ',
      element('span', { class: 'label' }, `line ${line}, column ${column}`),
    )
    place.addEventListener('click', () => this.#goTo(problem))
    return element('li', {}, place, suggestion === undefined ? undefined : element('p', { class: 'label' }, suggestion))
  }
}
