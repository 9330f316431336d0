// References to general entities in content: what they stand for comes before what comes after them, as a frame of its own.

import type { Entities } from '../doctype/entities.ts'
import type { ExternalEntities, ExternalRequest, ExternalText } from '../doctype/external.ts'
import { Fault, shorten } from '../errors/fault.ts'
import { type FrameEntity, TapeFrame } from '../tape/tape-frame.ts'
import type { ContentHandler } from './sink.ts'
import type { StepCounter } from './step-counter.ts'

/** What an entity counts as, of what is read at once. */
const ENTITY_STEPS = 20

export interface EntityReferencesOptions {
  readonly entities: Entities
  readonly externals: ExternalEntities
  readonly sink: ContentHandler
  readonly steps: StepCounter
  /** On which those of entities are put. */
  readonly frames: TapeFrame[]
}

export class EntityReferences {
  readonly #options: EntityReferencesOptions
  /** The names of entities that are open. */
  readonly #open = new Set<string>()
  #outermost: string | undefined
  /** The reference that is being followed. */
  #referred: FrameEntity = { name: '', start: 0, end: 0 }
  #request: ExternalRequest | undefined

  constructor(options: EntityReferencesOptions) {
    this.#options = options
  }

  /** The text that is wanted from outside; undefined for none. */
  get request(): ExternalRequest | undefined {
    return this.#request
  }

  /** The entity to which the document refers, while what it brings is reported; undefined otherwise. */
  get outermost(): string | undefined {
    return this.#outermost
  }

  /** Where the reference begins that was followed last. */
  get place(): number {
    return this.#referred.start
  }

  /** Follows a reference in content. True when something was put before what comes after it. */
  followIn(frame: TapeFrame, start: number, end: number): boolean {
    return this.follow(frame.text(start + 1, end - 1), frame.entity ?? { start, end })
  }

  /** The same of a reference at a place in the document. */
  follow(name: string, place: { readonly start: number; readonly end: number }): boolean {
    try {
      return this.#follow(name, place)
    } catch (error) {
      throw error instanceof Fault ? error.at(place.start) : error
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
    if (this.#open.size === 0) this.#outermost = undefined
  }

  #follow(name: string, place: { readonly start: number; readonly end: number }): boolean {
    const { entities, externals } = this.#options
    const declaration = entities.find(name)
    if (!declaration) {
      entities.skip(name, place.start)
      return false
    }
    if (this.#open.has(name)) {
      throw new Fault(`the entity ${shorten(name)} refers to itself`, 'entity-loop', 'WFC: No Recursion')
    }
    this.#referred = { name, start: place.start, end: place.end }
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
    const { entities, frames, sink, steps } = this.#options
    const entity = this.#referred
    entities.count(text.length, entity.name, entity.start)
    steps.add(ENTITY_STEPS)
    const replacement = entities.replacementOf(entity.name, text, entity.start)
    this.#outermost ??= entity.name
    if ('text' in replacement) {
      if (sink.wantsContent && text !== '') sink.text(text, false, entity.start, entity.end, false)
      if (this.#open.size === 0) this.#outermost = undefined
      return
    }
    this.#open.add(entity.name)
    frames.push(new TapeFrame(replacement.source, entity))
  }
}
