// The view "Explorer": looks into files of any size while they are read.

import { addStyle } from 'style:./explorer.css'
import { button, element } from '../shell/element.ts'
import type { Frame, Place, View } from '../shell/view.ts'
import { reserve } from './connection.ts'
import type { Visit } from './dump/dump-pane.ts'
import { Look } from './look.ts'
import { decodePart, type Opened, Opener } from './opener/opener.ts'
import { SAMPLES } from './opener/samples.ts'

/** The address of a place is that of what is open, so that it can be passed on. Without one: the opener, or a file that this visit has opened. */
export async function open(container: HTMLElement, frame: Frame, place: Place): Promise<View> {
  await addStyle()
  return new ExplorerView(container, frame, place)
}

export function prepare(): void {
  reserve.fill()
  // The threads are started by the worker, in which the browser looks for what it has kept.
  const threads = BLOCK_WORKER === undefined ? [] : [fetch(new URL(BLOCK_WORKER, import.meta.url))]
  void Promise.allSettled([addStyle(), ...SAMPLES.map(({ load }) => load()), ...threads])
}

class ExplorerView implements View {
  readonly #container: HTMLElement
  readonly #frame: Frame
  readonly #opener = new Opener((opened) => this.#open(opened))
  readonly #start: HTMLElement
  /** Leads back to the file that is still open. */
  readonly #back = element('p', { class: 'row still-open', hidden: true })
  /** What was opened at each place, so that the visitor can come back to it. */
  readonly #opened = new Map<string, Opened>()
  /** The page of the file that was open at each place. */
  readonly #visits = new Map<string, Visit>()
  /** What is open: the file that was shown last, and those whose downloads still run. */
  readonly #looks = new Map<Opened, Look>()
  #last: Opened | undefined
  #place: Place
  #shown: Look | undefined

  constructor(container: HTMLElement, frame: Frame, place: Place) {
    this.#container = container
    this.#frame = frame
    this.#place = place
    this.#start = element('div', { class: 'stack' }, this.#opener.element, this.#back)
    container.append(this.#start)
    this.#listenToDrops()
    this.visit(place)
  }

  get wouldLose(): boolean {
    return [...this.#looks.values()].some(({ wouldBeLost }) => wouldBeLost)
  }

  visit(place: Place): void {
    this.#keepVisit()
    this.#place = place
    const opened = this.#opened.get(place.key)
    if (opened) {
      const isOpen = this.#looks.has(opened)
      this.#show(opened)
      const visit = this.#visits.get(place.key)
      if (isOpen && visit) this.#shown?.returnTo(visit)
      return
    }
    this.#showStart()
    this.#opener.reset()
    if (place.address === '') return
    this.#opener.askForAddress(decodePart(place.address), () => {
      this.#place = this.#frame.go('')
    })
  }

  /** Opens what the visitor has chosen: at a place of its own, unless a link has led to it. */
  #open(opened: Opened): void {
    const address = typeof opened.source === 'string' ? encodeURIComponent(opened.source) : ''
    const { key, address: from } = this.#place
    const isLinked = !this.#opened.has(key) && from !== '' && decodePart(from) === opened.source
    if (!isLinked) this.#place = this.#frame.go(address)
    else this.#frame.become(address)
    this.#opened.set(this.#place.key, opened)
    this.#show(opened)
  }

  #show(opened: Opened): void {
    for (const [other, { isSaving }] of this.#looks) if (other !== opened && !isSaving) this.#close(other)
    let look = this.#looks.get(opened)
    if (!look) {
      look = new Look(opened, { onOther: () => this.#openOther(), onStep: () => this.#step(opened) })
      this.#looks.set(opened, look)
      this.#container.append(look.element)
    }
    this.#last = opened
    this.#swap(look)
  }

  /** Makes a place for what a link in the file leads to. */
  #step(opened: Opened): void {
    this.#keepVisit()
    this.#place = this.#frame.go(this.#place.address)
    this.#opened.set(this.#place.key, opened)
  }

  #keepVisit(): void {
    const visit = this.#shown?.visit
    if (visit) this.#visits.set(this.#place.key, visit)
  }

  #close(opened: Opened): void {
    const look = this.#looks.get(opened)
    this.#looks.delete(opened)
    look?.close()
    look?.element.remove()
  }

  #openOther(): void {
    this.#keepVisit()
    this.#place = this.#frame.go('')
    this.#showStart()
  }

  #showStart(): void {
    const last = this.#last
    if (last) {
      const again = button('Show it', () => this.#open(last), { class: 'button small' })
      this.#back.replaceChildren(element('span', {}, `${last.name} is still open here.`), again)
    }
    this.#back.hidden = last === undefined
    this.#swap(undefined)
  }

  /** Shows a file in place of what was shown, or the start of the view. What had the focus is gone. */
  #swap(look: Look | undefined): void {
    const hadFocus = this.#container.contains(document.activeElement)
    if (this.#shown) this.#shown.element.hidden = true
    this.#start.hidden = look !== undefined
    this.#shown = look
    if (look) look.element.hidden = false
    if (hadFocus) (look ?? this.#opener).focus()
  }

  #listenToDrops(): void {
    const isHeard = ({ dataTransfer }: DragEvent) =>
      this.#container.checkVisibility() && dataTransfer?.types.includes('Files')
    const mark = (isDropping: boolean) => this.#container.classList.toggle('dropping', isDropping)
    document.addEventListener('dragover', (event) => {
      if (!isHeard(event)) return
      event.preventDefault()
      mark(true)
    })
    document.addEventListener('dragleave', () => mark(false))
    document.addEventListener('drop', (event) => {
      if (!isHeard(event)) return
      event.preventDefault()
      mark(false)
      this.#opener.openFirst(event.dataTransfer?.files)
    })
  }
}
