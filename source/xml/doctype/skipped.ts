// What lacks the text of entities that were skipped: nobody is to write it as if it were complete.

/** A reference that was left out, because the declaration or the text of its entity was not read. */
export interface SkippedEntity {
  readonly name: string
  /** Where the reference begins, in bytes of the input. */
  readonly byteOffset: number
}

/** Something of a document, and where it ends. */
interface Ended {
  readonly start: number
  readonly end: number
}

const skipped = new WeakMap<object, SkippedEntity>()

/** An entity that is missing in an element, an event or a document; undefined for none. */
export function findSkipped(from: object): SkippedEntity | undefined {
  return skipped.get(from)
}

/** Entities that were skipped, for as long as what they are missing in is not complete. */
export class SkippedEntities {
  #waiting: SkippedEntity[] = []

  add(entity: SkippedEntity): void {
    this.#waiting.push(entity)
  }

  /** Notes what is missing in an element that has ended, as its offsets say; `isLast`: it is in no other that is of interest. */
  endElement(element: Ended, isLast: boolean): void {
    const found = this.#waiting.findLast(({ byteOffset }) => byteOffset < element.end)
    if (found && found.byteOffset >= element.start) skipped.set(element, found)
    if (isLast) this.#waiting = this.#waiting.filter(({ byteOffset }) => byteOffset >= element.end)
  }

  /** Notes what is missing in events: in that which has its place, or comes after it. */
  takeEvents(events: readonly Ended[]): void {
    let at = 0
    this.#waiting = this.#waiting.filter((entity) => {
      while (at < events.length && (events[at] as Ended).end <= entity.byteOffset) at++
      if (at < events.length) skipped.set(events[at] as Ended, entity)
      return at === events.length
    })
  }

  /** Notes that something is missing in a document. */
  static note(document: object, entity: SkippedEntity): void {
    skipped.set(document, entity)
  }

  /** What is missing in an element is missing in a copy of it. */
  static copy(element: object, copy: object): void {
    const found = skipped.get(element)
    if (found) skipped.set(copy, found)
  }
}
