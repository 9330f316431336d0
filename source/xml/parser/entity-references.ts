// References to general entities in content: what they stand for comes before what comes after them, as a frame of its own.

import type { Entities } from '../doctype/entities.ts'
import type { ExternalEntities, ExternalRequest } from '../doctype/external.ts'
import type { ExternalText } from '../doctype/external-text.ts'
import { shorten, UnplacedError } from '../errors/unplaced-error.ts'
import { type FrameEntity, TapeFrame } from '../tape/tape-frame.ts'
import type { StepCounter } from './step-counter.ts'

/** What an entity counts as, of what is read at once. */
const ENTITY_STEPS = 20

/** Where a reference in the document is, and the entity that it names. */
type ReferencePlace = Omit<FrameEntity, 'name' | 'outermost'> & Partial<Pick<FrameEntity, 'outermost'>>

export interface EntityReferencesOptions {
  readonly entities: Entities
  readonly externals: ExternalEntities
  readonly steps: StepCounter
  /** On which those of entities are put. */
  readonly frames: TapeFrame[]
}

export class EntityReferences {
  readonly #options: EntityReferencesOptions
  /** The names of entities that are open. */
  readonly #open = new Set<string>()
  /** The reference that is being followed. */
  #referred: FrameEntity = { name: '', outermost: '', start: 0, end: 0 }
  #request: ExternalRequest | undefined

  constructor(options: EntityReferencesOptions) {
    this.#options = options
  }

  /** The text that is wanted from outside; undefined for none. */
  get request(): ExternalRequest | undefined {
    return this.#request
  }

  /** Where the reference begins that was followed last. */
  get place(): number {
    return this.#referred.start
  }

  /** Throws an {@link UnplacedError} for an entity that may not be referred to. */
  check(name: string): void {
    this.#options.entities.find(name)
  }

  /** Follows a reference in a text of a frame. True when something was put before what comes after it. */
  followIn(frame: TapeFrame, hole: number): boolean {
    const place = frame.entity ?? { start: frame.startOf(hole), end: frame.endOf(hole) }
    return this.follow(frame.referenceName(hole), place)
  }

  /** Follows a reference at a place in the document. */
  follow(name: string, place: ReferencePlace): boolean {
    try {
      return this.#follow(name, place)
    } catch (error) {
      throw error instanceof UnplacedError ? error.at(place.start) : error
    }
  }

  /** Continues in the text of the external entity that was asked for. */
  answer(given: ExternalText): void {
    const request = this.#request as ExternalRequest
    this.#request = undefined
    const { entities, externals } = this.#options
    const { name, start } = this.#referred
    const content = externals.read(given, request, start)
    const text = content?.text.slice(content.start)
    entities.setText(name, text)
    if (text === undefined) entities.skip(name, start)
    else this.#enter(text)
  }

  /** The text of an entity is at its end. */
  leave({ name }: FrameEntity): void {
    this.#open.delete(name)
  }

  #follow(name: string, place: ReferencePlace): boolean {
    const { entities, externals } = this.#options
    const declaration = entities.find(name)
    if (!declaration) {
      entities.skip(name, place.start)
      return false
    }
    if (this.#open.has(name)) {
      throw new UnplacedError(`the entity ${shorten(name)} refers to itself`, 'entity-loop', 'WFC: No Recursion')
    }
    this.#referred = { name, outermost: place.outermost ?? name, start: place.start, end: place.end }
    const text = entities.textOf(declaration)
    if (text === undefined && !entities.isKnown(name)) {
      this.#request = externals.request(declaration, place.start)
      if (this.#request) return true
    }
    if (text === undefined) entities.skip(name, place.start)
    else this.#enter(text)
    return text !== undefined
  }

  #enter(text: string): void {
    const { entities, frames, steps } = this.#options
    const entity = this.#referred
    entities.count(text.length, entity.name, entity.start)
    steps.add(ENTITY_STEPS)
    const source = entities.replacementOf(entity.name, text, entity.start)
    this.#open.add(entity.name)
    frames.push(new TapeFrame(source, entity))
  }
}
