// What is read, how far it is, how fast, and what it takes; with what ends it.

import { button, element } from '../shell/element.ts'
import { countOf, formatBytes, formatSeconds } from '../shell/numbers.ts'
import type { Connection } from './connection.ts'
import { HistoryChart } from './history-chart.ts'
import { MemoryMeter } from './memory-meter.ts'
import type { ExplorerAnswer } from './protocol.ts'

type Progress = Extract<ExplorerAnswer, { type: 'progress' }>

const STATES = {
  reading: 'reading',
  paused: 'paused',
  done: 'read to the end',
  cancelled: 'cancelled: what was read so far is shown',
  failed: 'ended by an error: what was read before it is shown',
} as const
/** The same where nothing is shown. */
const WITHOUT_ANYTHING: Partial<Record<keyof typeof STATES, string>> = {
  cancelled: 'cancelled',
  failed: 'ended by an error',
}
/** Bytes of XML from which on the time says something of the speed. */
const MEASURABLE = 1_000_000

export class StatusCard {
  readonly element: HTMLElement
  readonly #name: HTMLElement
  readonly #facts = element('span', { class: 'label' })
  readonly #state = element('span', { class: 'badge', role: 'status' })
  readonly #bar = element('progress', { class: 'progress', max: 1, 'aria-label': 'How much is read' })
  readonly #numbers = element('p', { class: 'numbers' }, 'Waiting for the first bytes …')
  readonly #speed = new HistoryChart('Throughput', (value) => `${formatBytes(value)}/s`)
  readonly #memory = new HistoryChart('Held in memory', formatBytes)
  readonly #charts = element('div', { class: 'row charts' }, this.#speed.element, this.#memory.element)
  readonly #run = element('div', { class: 'row spread' }, this.#numbers, this.#charts)
  readonly #page = new MemoryMeter()
  readonly #note = element('p', { class: 'label' })
  #progress: Progress | undefined
  #unit: 'page' | 'element' = 'element'

  /** `onOther` is called when another file is wanted. */
  constructor(name: string, connection: Connection, onOther: () => void) {
    const pause = button('Pause', () => connection.send({ type: pause.textContent === 'Pause' ? 'pause' : 'resume' }), {
      class: 'button',
    })
    this.#name = element('h1', { class: 'file-name', tabindex: -1 }, name)
    const cancel = button('Cancel', () => connection.send({ type: 'cancel' }), { class: 'button' })
    this.element = element(
      'section',
      { class: 'card status', 'aria-label': 'Progress' },
      element(
        'div',
        { class: 'row spread' },
        element('div', { class: 'row' }, this.#name, this.#state, this.#facts),
        element('div', { class: 'row' }, pause, cancel, button('Open another', onOther, { class: 'button' })),
      ),
      this.#bar,
      this.#run,
      this.#note,
    )
    connection.on('state', ({ state }) => {
      this.#state.textContent = (this.#progress?.items ? undefined : WITHOUT_ANYTHING[state]) ?? STATES[state]
      this.#state.className = `badge ${state === 'done' ? 'good' : state === 'failed' ? 'danger' : ''}`
      const isOver = state !== 'reading' && state !== 'paused'
      if (isOver && [pause, cancel].some((each) => each === document.activeElement)) this.focus()
      pause.hidden = isOver
      cancel.hidden = isOver
      pause.textContent = state === 'paused' ? 'Resume' : 'Pause'
      // Where the size is not known, the bar moves for as long as there is no value.
      if (isOver && !this.#bar.hasAttribute('value')) this.#bar.value = state === 'done' ? 1 : 0
      if (isOver) this.#conclude()
    })
    connection.on('opened', ({ kind, other, compression, hasWebAssembly }) => {
      this.#unit = kind === 'mediawiki' ? 'page' : 'element'
      const facts = [
        other ?? (kind === 'mediawiki' ? 'MediaWiki dump' : 'XML'),
        compression === 'none' ? 'not compressed' : compression,
      ]
      if (!hasWebAssembly) facts.push('without WebAssembly, so it is slow')
      this.#facts.textContent = facts.join(', ')
    })
    connection.on('site', ({ name: site }) => {
      if (site !== undefined) this.#facts.textContent = `${site} – ${this.#facts.textContent}`
    })
    connection.on('progress', (progress) => this.#showProgress(progress))
  }

  /** Puts the charts, with what they say, into another element; without one, beside the numbers. */
  placeCharts(around?: HTMLElement): void {
    const charts = around ?? this.#run
    const note = around ?? this.element
    charts.append(this.#charts)
    note.append(this.#note)
  }

  /** Focuses the name of the file. */
  focus(): void {
    this.#name.focus({ preventScroll: true })
  }

  #showProgress(progress: Progress): void {
    const { bytesRead, totalBytes, decoded, retained, seconds, items } = progress
    if (totalBytes !== undefined) this.#bar.value = totalBytes === 0 ? 1 : bytesRead / totalBytes
    const of = totalBytes === undefined ? '' : ` of ${formatBytes(totalBytes)}`
    const unpacked = decoded > bytesRead * 1.05 ? `, ${formatBytes(decoded)} unpacked` : ''
    this.#numbers.textContent = `${formatBytes(bytesRead)}${of}${unpacked} · ${countOf(items, this.#unit)} · ${formatSeconds(seconds)}`
    const passed = seconds - (this.#progress?.seconds ?? 0)
    if (passed > 0.05) this.#speed.add((decoded - (this.#progress?.decoded ?? 0)) / passed)
    this.#memory.add(retained)
    this.#page.sample()
    this.#progress = progress
  }

  /** Shows what the complete run comes to. */
  #conclude(): void {
    if (!this.#progress) {
      this.#numbers.textContent = ''
      return
    }
    const { decoded, seconds, mostRetained } = this.#progress
    this.#memory.conclude(`${formatBytes(mostRetained)} at most`)
    if (decoded < MEASURABLE) {
      this.#speed.conclude('too little to measure')
      return
    }
    this.#speed.conclude(`${formatBytes(decoded / seconds)}/s on average`)
    this.#note.textContent = `Held in memory is input that was read and is not passed yet. ${this.#page.text ?? ''}`
  }
}
