// The rules of a grammar: each with what it holds back when it is streamed, and a railroad diagram.

import type { Dialect, Rule } from 'xylem/grammar'
import { button, element } from '../../shell/element.ts'
import { formatCount } from '../../shell/numbers.ts'
import type { MarkedRange } from '../editor/marks.ts'
import type { HeldInput, Verdict } from './streaming-verdict.ts'
import { countTracks, describeTrack, trackOf } from './track.ts'

/** Rules that are listed, and parts of the largest rule that is drawn. */
const MOST_RULES = 300
const LARGEST = 400

interface RuleItem {
  readonly rule: Rule
  readonly element: HTMLElement
  readonly verdict: HTMLElement
  readonly reasons: HTMLElement
  readonly figure: HTMLElement
}

export class RuleList {
  readonly element: HTMLElement
  readonly #list = element('ul', { class: 'grammar-rules' })
  readonly #note = element('p', { class: 'label' })
  readonly #goTo: (range: MarkedRange) => void
  /** Draws what comes into sight. */
  readonly #seen = new IntersectionObserver((entries) => this.#onSeen(entries), { rootMargin: '300px' })
  #items = new Map<string, RuleItem>()
  #text = ''
  #dialect: Dialect | undefined

  constructor(goTo: (range: MarkedRange) => void) {
    this.#goTo = goTo
    const lead =
      'When a stream is read by a rule, is memory bounded? The node that is being read is always kept; some rules also hold input back that waits for a decision. In the diagrams, what is dashed is left out of the tree.'
    this.element = element(
      'section',
      { class: 'card grammar-rules-card', 'aria-labelledby': 'grammar-rules-title' },
      element('h2', { id: 'grammar-rules-title' }, 'Rules'),
      element('p', { class: 'lead' }, lead),
      this.#note,
      this.#list,
    )
    this.element.hidden = true
  }

  /** Shows the rules of a grammar's text, unless they are shown already. */
  show(rules: readonly Rule[], text: string, dialect: Dialect): void {
    this.element.hidden = false
    if (text === this.#text && dialect === this.#dialect) return
    this.#text = text
    this.#dialect = dialect
    this.#seen.disconnect()
    const shown = rules.slice(0, MOST_RULES).map((rule) => this.#makeItem(rule))
    this.#items = new Map(shown.map((item) => [item.rule.name, item]))
    this.#list.replaceChildren(...shown.map((item) => item.element))
    this.#note.hidden = shown.length === rules.length
    this.#note.textContent = `The first ${MOST_RULES} of ${formatCount(rules.length)} rules.`
    for (const { figure } of shown) this.#seen.observe(figure)
  }

  hide(): void {
    this.element.hidden = true
  }

  showVerdicts(verdicts: readonly Verdict[]): void {
    for (const { rule, held } of verdicts) {
      const item = this.#items.get(rule)
      if (!item) continue
      item.verdict.className = `badge ${held.length === 0 ? 'good' : 'warning'}`
      item.verdict.textContent = held.length === 0 ? 'bounded' : 'holds input back'
      item.reasons.replaceChildren(...this.#makeReasons(held, rule))
    }
  }

  /** No more verdicts come. */
  endVerdicts(why: string): void {
    for (const { verdict } of this.#items.values()) if (verdict.textContent === WAITING) verdict.textContent = why
  }

  #makeItem(rule: Rule): RuleItem {
    const verdict = element('span', { class: 'badge' }, WAITING)
    const reasons = element('ul', { class: 'grammar-reasons' })
    const figure = element('div', {
      class: 'grammar-diagram',
      tabindex: 0,
      role: 'group',
      'aria-label': `Diagram of ${rule.name}`,
      'data-rule': rule.name,
    })
    const name = button(rule.name, () => this.#goTo(rule.nameAt), { class: 'grammar-rule-link' })
    const label = rule.label === undefined ? undefined : element('span', { class: 'label' }, `“${rule.label}”`)
    const heading = element('div', { class: 'row' }, element('h3', {}, name), label, verdict)
    return { rule, verdict, reasons, figure, element: element('li', {}, heading, reasons, figure) }
  }

  /** What the rule itself holds back, and then, shorter, what the rules do that it refers to. */
  #makeReasons(held: readonly HeldInput[], rule: string): HTMLElement[] {
    const own = held.filter((place) => place.rule === rule).map((place) => this.#makeReason(place))
    const others = held.filter((place) => place.rule !== rule)
    if (others.length === 0) return own
    const links = others.flatMap((place, i) => [
      i === 0 ? '' : ', ',
      this.#makeLink(place, place.rule),
      ` (line ${place.line})`,
    ])
    return [...own, element('li', {}, own.length === 0 ? 'By rules in it: ' : 'And by rules in it: ', ...links, '.')]
  }

  #makeReason(place: HeldInput): HTMLElement {
    const written = this.#text.slice(place.start, place.end).replace(/\s+/g, ' ')
    const shown = written.length > 60 ? `${written.slice(0, 60)}…` : written
    return element(
      'li',
      {},
      'In ',
      this.#makeLink(place, `line ${place.line}`),
      ', four bytes do not decide how ',
      element('code', {}, shown),
      ' continues. Its input is kept until it ends, to go back if that fails.',
    )
  }

  #makeLink(place: HeldInput, label: string): HTMLElement {
    return button(label, () => this.#goTo(place), { class: 'grammar-rule-link' })
  }

  #onSeen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries) {
      const item = this.#items.get((target as HTMLElement).dataset.rule ?? '')
      if (!isIntersecting || item?.figure !== target) continue
      this.#seen.unobserve(target)
      void this.#draw(item)
    }
  }

  async #draw({ rule, figure }: RuleItem): Promise<void> {
    const track = trackOf(rule, this.#text)
    if (countTracks(track) > LARGEST) {
      figure.textContent = 'This rule is too large for a diagram.'
      return
    }
    try {
      const { drawTrack } = await import('./railroad.ts')
      figure.replaceChildren(drawTrack(track, `Railroad diagram: ${rule.name} is ${describeTrack(track)}`))
    } catch {
      figure.textContent = 'The diagram could not be loaded. Are you online?'
    }
  }
}

const WAITING = 'checking …'
