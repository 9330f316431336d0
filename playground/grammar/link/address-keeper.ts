// Keeps what the view shows in the fragment of the page's address.

import type { Frame } from '../../shell/view.ts'
import { type Draft, encodeDraft } from './permalink.ts'

/** Milliseconds without a change after which the address is changed: browsers allow it about once in 300 ms. */
const PAUSE = 400

/** What is told of texts that no link can hold. */
export const TOO_LONG = 'Too long for a link: the address does not hold it.'

export class AddressKeeper {
  readonly #frame: Frame
  readonly #onKeep: (fits: boolean) => void
  /** What was written last. */
  #written: string
  #isKept = true
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Counts changes, so that a slow one does not replace a later one. */
  #changes = 0

  /** `onKeep` hears whether the address holds what is shown, or it is too long for that. */
  constructor(frame: Frame, written: string, onKeep: (fits: boolean) => void) {
    this.#frame = frame
    this.#written = written
    this.#onKeep = onKeep
  }

  /** Whether the address holds all that is shown. */
  get isKept(): boolean {
    return this.#isKept
  }

  /** Writes a draft when nothing changed for a while. */
  keep(draft: Draft): void {
    this.#isKept = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#write(draft), PAUSE)
  }

  /** Writes again what was written last: the visitor has come by a link that does not name a draft. */
  restore(): void {
    this.#frame.become(this.#written)
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

  async #write(draft: Draft): Promise<void> {
    const change = ++this.#changes
    const encoded = await encodeDraft(draft)
    if (change !== this.#changes) return
    this.#written = encoded ?? ''
    this.#isKept = encoded !== undefined
    this.restore()
    this.#onKeep(this.#isKept)
  }
}
