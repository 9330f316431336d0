// The view "Waiting": ways to read a stream, measured in the visitor's browser, by a worker.

import { addStyle } from 'style:./waiting.css'
import { startWorker } from 'worker:./waiting-worker.ts'
import { button, element } from '../shell/element.ts'
import { countOf } from '../shell/numbers.ts'
import type { View } from '../shell/view.ts'
import { WorkerReserve } from '../shell/worker-reserve.ts'
import type { Scale } from './bars.ts'
import { makeCodeSection, makeIntroduction, makeLessons } from './explanation.ts'
import { describeFindings } from './findings.ts'
import type { Message } from './protocol.ts'
import { ResultsTable } from './results-table.ts'
import { CHUNK_SIZE } from './text.ts'
import { groups, measuringOrder } from './ways.ts'

/** One measures, and another one the next time. */
const reserve = new WorkerReserve(startWorker, 2)

export async function open(container: HTMLElement): Promise<View> {
  await addStyle()
  const view = new WaitingView(container)
  view.show()
  return view
}

export function prepare(): void {
  reserve.fill()
  void Promise.allSettled([addStyle()])
}

class WaitingView implements View {
  readonly wouldLose = false
  readonly #table = new ResultsTable()
  readonly #status = element('p', { class: 'label', role: 'status' })
  readonly #failure = element('p', { class: 'error', role: 'alert', hidden: true })
  readonly #text = element('p', { class: 'label' })
  readonly #findings = element('ul')
  readonly #findingsCard = element('section', { class: 'card waiting-text', hidden: true })
  readonly #run = button('Stop', () => (this.#worker ? this.#stop() : this.start()), { class: 'button primary' })
  /** While it measures. */
  #worker: Worker | undefined
  /** Whether it measures as soon as the view is shown. */
  #isDue = true

  constructor(container: HTMLElement) {
    this.#findingsCard.append(element('h2', {}, 'What your browser says'), this.#findings)
    const results = element(
      'section',
      { class: 'card waiting-results', 'aria-label': 'Results' },
      element('div', { class: 'row waiting-controls' }, this.#run, this.#status, this.#makeScales()),
      makeLegend(),
      this.#table.element,
      this.#text,
    )
    container.append(
      element('h1', {}, 'What waiting costs'),
      makeIntroduction(),
      this.#failure,
      results,
      this.#findingsCard,
      makeLessons(),
      makeCodeSection(),
    )
  }

  /** Measures all ways, from the first one. */
  start(): void {
    this.#isDue = false
    this.#table.clear()
    this.#failure.hidden = true
    this.#findingsCard.hidden = true
    this.#run.textContent = 'Stop'
    this.#status.textContent = 'Making the text …'
    const worker = reserve.take()
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      if (worker === this.#worker) this.#show(data)
    }
    worker.onerror = ({ message }) => {
      if (worker === this.#worker) this.#fail(message || 'the worker could not be started')
    }
    worker.postMessage('start')
  }

  visit(): void {}

  /** Measures, unless all is measured or the visitor has stopped it. */
  show(): void {
    if (this.#isDue) this.start()
  }

  /** Ends measuring: another view would disturb it, and it another view. */
  hide(): void {
    if (!this.#worker) return
    this.#stop()
    this.#isDue = true
  }

  #stop(): void {
    this.#end(`Stopped after ${this.#table.measured.size} of ${measuringOrder.length} ways.`)
  }

  #end(status: string): void {
    if (this.#worker) reserve.end(this.#worker)
    this.#worker = undefined
    this.#table.mark(undefined)
    this.#run.textContent = 'Run again'
    this.#status.textContent = status
  }

  #fail(message: string): void {
    this.#end('')
    this.#failure.hidden = false
    this.#failure.textContent = `The measurement failed: ${message}. Run it again; if it fails again, your browser may not allow workers here.`
  }

  #show(message: Message): void {
    switch (message.kind) {
      case 'text': {
        const { characters, words, lines } = message.answer
        this.#text.textContent = `The text has ${countOf(characters, 'character')} in ${countOf(message.chunks, 'chunk')} of ${CHUNK_SIZE / 1024} KiB; each way must find its ${countOf(words, 'word')} and ${countOf(lines, 'line')}. The fastest of five runs is shown. Slow ways read a part of the text, and their promises are scaled to all of it.`
        break
      }
      case 'measuring':
        this.#table.mark(message.way)
        this.#status.textContent = `Measuring ${this.#table.measured.size + 1} of ${measuringOrder.length}: ${labelOf(message.way)}`
        break
      case 'measured':
        this.#table.add(message.measured)
        break
      case 'done':
        this.#end('Done. All ways found the same.')
        this.#findings.replaceChildren(...describeFindings(this.#table.measured).map((text) => element('li', {}, text)))
        this.#findingsCard.hidden = false
        break
      case 'failed':
        this.#fail(message.message)
    }
  }

  #makeScales(): HTMLElement {
    const scales: readonly Scale[] = ['linear', 'logarithmic']
    const buttons = scales.map((scale) => {
      const choose = () => {
        this.#table.scale = scale
        for (const other of buttons) other.setAttribute('aria-pressed', String(other === made))
      }
      const made = button(scale, choose, { class: 'button small', 'aria-pressed': String(scale === 'linear') })
      return made
    })
    return element('div', { class: 'row', role: 'group', 'aria-label': 'Scale of the bars' }, ...buttons)
  }
}

function makeLegend(): HTMLElement {
  const entry = (key: string, text: string) =>
    element('span', { class: 'row' }, element('span', { class: key, 'aria-hidden': 'true' }), text)
  return element(
    'p',
    { class: 'row legend label' },
    entry('key eager', 'a promise for each piece'),
    entry('key', 'a promise for each chunk, or none'),
  )
}

function labelOf(way: string): string {
  return groups.flatMap(({ ways }) => ways).find(({ name }) => name === way)?.label ?? way
}
