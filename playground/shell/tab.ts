// A tab: its link, its view, and the place where the visitor is in it.

import { element } from './element.ts'
import type { Frame, Place, View, ViewModule } from './view.ts'

/** Entries of a page that was open before have other keys. */
let keys = Date.now()

export class Tab implements Frame {
  readonly name: string
  readonly label: string
  /** Whether its addresses have more than the name. */
  readonly hasPlaces: boolean
  readonly link: HTMLAnchorElement
  readonly container = element('div', { class: 'view', hidden: true })
  readonly #load: () => Promise<ViewModule>
  #view: View | undefined
  #opening: Promise<void> | undefined
  #place: Place
  #isShown = false
  /** How far the page was scrolled. */
  #scrolled = 0

  constructor(name: string, label: string, load: () => Promise<ViewModule>, { hasPlaces = true } = {}) {
    this.name = name
    this.label = label
    this.hasPlaces = hasPlaces
    this.link = element('a', { href: `#${name}`, class: 'tab' }, label)
    this.#load = load
    this.#place = { address: '', key: makeKey() }
  }

  get isOpen(): boolean {
    return this.#view !== undefined
  }

  get wouldLose(): boolean {
    return this.#view?.wouldLose ?? false
  }

  /** Makes an entry of the history for where the visitor was. */
  enter(): void {
    history.pushState(this.#place.key, '', this.#href)
  }

  /**
   * Shows the view where the page's address says. `isLinked`: a link leads there, also to where the visitor is already; Chromium keeps the state of the
   * entry then. Throws what loading and opening it throw.
   */
  async visit(address: string, isLinked: boolean): Promise<void> {
    const known: unknown = isLinked ? undefined : history.state
    const place = { address, key: typeof known === 'string' ? known : makeKey() }
    const isSame = place.key === this.#place.key && address === this.#place.address
    this.#place = place
    history.replaceState(place.key, '')
    this.#show()
    if (this.#view) {
      if (!isSame) this.#view.visit(place)
      return
    }
    this.#opening ??= this.#open()
    await this.#opening
  }

  /** Loads what the view needs, also later. What cannot be loaded now is tried again when the visitor comes. */
  async prepare(): Promise<void> {
    try {
      const { prepare } = await this.#load()
      prepare()
    } catch {}
  }

  hide(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#scrolled = scrollY
    this.link.removeAttribute('aria-current')
    this.container.hidden = true
    this.#view?.hide?.()
  }

  go(address: string): Place {
    this.#place = { address, key: makeKey() }
    if (this.#isShown) this.enter()
    return this.#place
  }

  become(address: string): void {
    this.#place = { ...this.#place, address }
    if (this.#isShown) history.replaceState(this.#place.key, '', this.#href)
  }

  get #href(): string {
    const { address } = this.#place
    return address === '' ? `#${this.name}` : `#${this.name}/${address}`
  }

  /** Opens the view where the visitor is when it was loaded. */
  async #open(): Promise<void> {
    try {
      const { open } = await this.#load()
      const place = this.#place
      this.#view = await open(this.container, this, place)
      if (!this.#isShown) this.#view.hide?.()
      // Meanwhile the visitor may have gone to another place of it.
      if (this.#place.key !== place.key) this.#view.visit(this.#place)
    } catch (error) {
      this.container.replaceChildren()
      throw error
    } finally {
      this.#opening = undefined
    }
  }

  #show(): void {
    if (this.#isShown) return
    this.#isShown = true
    this.link.setAttribute('aria-current', 'page')
    this.container.hidden = false
    this.#view?.show?.()
    scrollTo(0, this.#scrolled)
  }
}

function makeKey(): string {
  return String(++keys)
}
