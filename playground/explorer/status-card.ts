// What is read, how far it is, how fast, and what it takes; with what ends it.

import { button, element } from '../shell/element.ts'
import { formatBytes, formatCount, formatSeconds } from '../shell/numbers.ts'
import type { Connection } from './connection.ts'
import { HistoryChart } from './history-chart.ts'

const STATES = {
  reading: 'reading',
  paused: 'paused',
  done: 'read to the end',
  cancelled: 'cancelled: what was read so far is shown',
  failed: 'ended by an error: what was read before it is shown',
} as const

export class StatusCard {
  readonly element: HTMLElement
  readonly #name: HTMLElement
  readonly #facts = element('span', { class: 'label' })
  readonly #state = element('span', { class: 'badge', role: 'status' })
  readonly #bar = element('progress', { class: 'progress', max: 1, 'aria-label': 'How much is read' })
  readonly #numbers = element('p', { class: 'numbers' })
  readonly #speed = new HistoryChart('Throughput', (value) => `${formatBytes(value)}/s`)
  readonly #memory = new HistoryChart('Held in memory', formatBytes)
  #before = { bytes: 0, seconds: 0 }
  #unit = 'elements'

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
      element(
        'div',
        { class: 'row spread' },
        this.#numbers,
        element('div', { class: 'row charts' }, this.#speed.element, this.#memory.element),
      ),
    )
    connection.on('state', ({ state }) => {
      this.#state.textContent = STATES[state]
      this.#state.className = `badge ${state === 'done' ? 'good' : state === 'failed' ? 'danger' : ''}`
      const isOver = state !== 'reading' && state !== 'paused'
      if (isOver && [pause, cancel].some((each) => each === document.activeElement)) this.focus()
      pause.hidden = isOver
      cancel.hidden = isOver
      pause.textContent = state === 'paused' ? 'Resume' : 'Pause'
      // Where the size is not known, the bar moves for as long as there is no value.
      if (isOver && !this.#bar.hasAttribute('value')) this.#bar.value = state === 'done' ? 1 : 0
    })
    connection.on('opened', ({ kind, compression, hasWebAssembly }) => {
      this.#unit = kind === 'mediawiki' ? 'pages' : 'elements'
      const facts = [
        kind === 'mediawiki' ? 'MediaWiki dump' : 'XML',
        compression === 'none' ? 'not compressed' : compression,
      ]
      if (!hasWebAssembly) facts.push('without WebAssembly, so it is slow')
      this.#facts.textContent = facts.join(', ')
    })
    connection.on('site', ({ name: site }) => {
      if (site !== undefined) this.#facts.textContent = `${site} – ${this.#facts.textContent}`
    })
    connection.on('progress', ({ bytesRead, totalBytes, decoded, retained, seconds, items }) => {
      if (totalBytes !== undefined) this.#bar.value = totalBytes === 0 ? 1 : bytesRead / totalBytes
      const of = totalBytes === undefined ? '' : ` of ${formatBytes(totalBytes)}`
      const unpacked = decoded > bytesRead * 1.05 ? `, ${formatBytes(decoded)} unpacked` : ''
      this.#numbers.textContent = `${formatBytes(bytesRead)}${of}${unpacked} · ${formatCount(items)} ${this.#unit} · ${formatSeconds(seconds)}`
      const passed = seconds - this.#before.seconds
      if (passed > 0.05) this.#speed.add((decoded - this.#before.bytes) / passed)
      this.#memory.add(retained)
      this.#before = { bytes: decoded, seconds }
    })
  }

  /** Focuses the name of the file. */
  focus(): void {
    this.#name.focus({ preventScroll: true })
  }
}
