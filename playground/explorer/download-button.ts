// A button that saves what is read as a file. Nothing is uploaded: the file is made in the browser.

import { button, element } from '../shell/element.ts'
import { formatBytes } from '../shell/numbers.ts'
import type { Connection } from './connection.ts'
import { makeErrorCard } from './error-card.ts'
import type { ExplorerRequest } from './protocol.ts'
import { openSaving, type Saving } from './saving.ts'

/** What is downloaded, and the name of the file. */
export interface DownloadPlan extends Omit<Extract<ExplorerRequest, { type: 'download' }>, 'type' | 'download'> {
  readonly name: string
}

export class DownloadButton {
  readonly element: HTMLElement
  readonly #connection: Connection
  readonly #button: HTMLButtonElement
  readonly #label: string
  readonly #status = element('span', { class: 'label', role: 'status' })
  readonly #error = element('div')
  #isEnabled = true
  #running: { readonly number: number; readonly saving: Saving; bytes: number } | undefined

  /** `plan` is asked when the button is pressed. */
  constructor(connection: Connection, label: string, plan: () => DownloadPlan) {
    this.#connection = connection
    this.#label = label
    this.#button = button(label, () => (this.#running ? this.#cancel() : void this.#begin(plan())), { class: 'button' })
    this.element = element('div', {}, element('div', { class: 'row' }, this.#button, this.#status), this.#error)
    connection.on('piece', ({ download, bytes, error }) => {
      if (download !== this.#running?.number) return
      if (bytes) return void this.#take(bytes)
      if (error) this.#error.replaceChildren(makeErrorCard(error))
      void this.#finish(error === undefined)
    })
  }

  get isSaving(): boolean {
    return this.#running !== undefined
  }

  /** Whether a download can begin. One that runs can always be cancelled. */
  set isEnabled(isEnabled: boolean) {
    this.#isEnabled = isEnabled
    this.#button.disabled = !isEnabled && !this.#running
  }

  close(): void {
    if (this.#running) this.#cancel()
  }

  async #begin({ name, ...request }: DownloadPlan): Promise<void> {
    this.#error.replaceChildren()
    let saving: Saving | undefined
    try {
      saving = await openSaving(name)
    } catch (error) {
      this.#status.textContent = `The file cannot be saved: ${(error as Error).message}`
    }
    if (!saving) return
    const number = this.#connection.nextNumber()
    this.#running = { number, saving, bytes: 0 }
    this.#button.textContent = 'Cancel the download'
    this.#connection.send({ type: 'download', download: number, ...request })
  }

  async #take(bytes: Uint8Array): Promise<void> {
    const running = this.#running
    if (!running) return
    try {
      await running.saving.write(bytes)
      // Cancelled meanwhile.
      if (running !== this.#running) return
      running.bytes += bytes.length
      this.#status.textContent = `${formatBytes(running.bytes)} written`
      this.#connection.send({ type: 'nextPiece', download: running.number })
    } catch (error) {
      if (running !== this.#running) return
      this.#cancel()
      this.#status.textContent = `The file cannot be written: ${(error as Error).message}`
    }
  }

  async #finish(isComplete: boolean): Promise<void> {
    const running = this.#running
    if (!running) return
    this.#reset()
    if (!isComplete && running.bytes === 0) {
      running.saving.abort().catch(() => {})
      this.#status.textContent = 'Nothing was saved'
      return
    }
    try {
      await running.saving.close()
      this.#status.textContent = `${formatBytes(running.bytes)} saved${isComplete ? '' : ', up to the error'}`
    } catch (error) {
      this.#status.textContent = `The file cannot be written: ${(error as Error).message}`
    }
  }

  #cancel(): void {
    const running = this.#running
    if (!running) return
    this.#reset()
    this.#connection.send({ type: 'endDownload', download: running.number })
    running.saving.abort().catch(() => {})
    this.#status.textContent = 'Cancelled: nothing was saved'
  }

  #reset(): void {
    this.#running = undefined
    this.#button.textContent = this.#label
    this.#button.disabled = !this.#isEnabled
  }
}
