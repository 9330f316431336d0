// A small chart of a value over time, with what it is now.

import { drawing, element } from '../shell/element.ts'

const WIDTH = 160
const HEIGHT = 36
/** Values that are shown: those of half a minute. */
const MOST = 150
/** Values that are drawn at least in the end. */
const FEWEST = 4

export class HistoryChart {
  readonly element: HTMLElement
  readonly #format: (value: number) => string
  readonly #label: string
  readonly #value = element('span', { class: 'chart-value' })
  readonly #line = drawing('polyline', { class: 'chart-line', fill: 'none' })
  readonly #area = drawing('polygon', { class: 'chart-area' })
  readonly #chart = drawing(
    'svg',
    { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    this.#area,
    this.#line,
  )
  readonly #values: number[] = []

  constructor(label: string, format: (value: number) => string) {
    this.#label = label
    this.#format = format
    this.element = element(
      'figure',
      { class: 'chart-figure' },
      element('figcaption', {}, element('span', { class: 'label' }, label), ' ', this.#value),
      this.#chart,
    )
  }

  add(value: number): void {
    this.#values.push(value)
    if (this.#values.length > MOST) this.#values.shift()
    this.#value.textContent = this.#format(value)
    const highest = Math.max(...this.#values, 1)
    const step = WIDTH / Math.max(1, this.#values.length - 1)
    // One value alone is a level line.
    const shown = this.#values.length === 1 ? [value, value] : this.#values
    const points = shown.map(
      (each, i) => `${(i * step).toFixed(1)},${(HEIGHT - 1 - (each / highest) * (HEIGHT - 3)).toFixed(1)}`,
    )
    this.#line.setAttribute('points', points.join(' '))
    this.#area.setAttribute('points', [`0,${HEIGHT}`, ...points, `${WIDTH},${HEIGHT}`].join(' '))
    this.element.title = `${this.#label}: ${this.#format(value)}, at most ${this.#format(highest)}`
  }

  /** Says what the values come to in the end, instead of the last one. Too few values are no history. */
  conclude(text: string): void {
    this.#value.textContent = text
    this.#chart.toggleAttribute('hidden', this.#values.length < FEWEST)
  }
}
