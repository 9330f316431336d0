// Keeps what the view shows in the fragment of the page's address.

import { type Draft, decodeDraft, encodeDraft } from './permalink.ts'

/** Milliseconds without a change after which the address is changed: browsers allow it about once in 300 ms. */
const PAUSE = 400

/** What is told of texts that no link can hold. */
export const TOO_LONG = 'Too long for a link: the address does not hold it.'

export interface AddressEvents {
  /** The visitor has opened a link to this. */
  onOpen(draft: Draft): void
  /** Whether the address holds what is shown, or it is too long for that. */
  onKeep(fits: boolean): void
}

export class AddressKeeper {
  /** What the view was opened with. The page opens nothing when the address becomes this again. */
  readonly #opened: string
  readonly #events: AddressEvents
  readonly #listener = (): void => void this.#onAddress()
  /** What was written last. */
  #written: string
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Counts changes, so that a slow one does not replace a later one. */
  #changes = 0

  constructor(opened: string, events: AddressEvents) {
    this.#opened = opened
    this.#written = opened
    this.#events = events
    addEventListener('hashchange', this.#listener)
  }

  /** Writes a draft when nothing changed for a while. */
  keep(draft: Draft): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#write(draft), PAUSE)
  }

  /** Copies the address of a draft. Returns what to tell about it. */
  async copy(draft: Draft): Promise<string> {
    const encoded = await encodeDraft(draft)
    if (encoded === undefined) return TOO_LONG
    try {
      await navigator.clipboard.writeText(new URL(`#grammar/${encoded}`, location.href).href)
      return 'Copied.'
    } catch {
      return 'The browser does not allow it. Copy the address of the page instead.'
    }
  }

  close(): void {
    this.#changes++
    clearTimeout(this.#timer)
    removeEventListener('hashchange', this.#listener)
  }

  async #write(draft: Draft): Promise<void> {
    const change = ++this.#changes
    const encoded = await encodeDraft(draft)
    if (change !== this.#changes) return
    this.#written = encoded ?? ''
    this.#show()
    this.#events.onKeep(encoded !== undefined)
  }

  #show(): void {
    history.replaceState(history.state, '', this.#written === '' ? '#grammar' : `#grammar/${this.#written}`)
  }

  /** The visitor has changed the address. The page opens the view anew, unless the address is what the view was opened with. */
  async #onAddress(): Promise<void> {
    const [, address] = /^#grammar\/?(.*)$/s.exec(location.hash) ?? []
    if (address === undefined || address !== this.#opened || address === this.#written) return
    // The link of the view itself was clicked: nothing is lost.
    if (address === '') return this.#show()
    try {
      const draft = await decodeDraft(address)
      this.#events.onOpen(draft)
    } catch {
      this.#show()
    }
  }
}
