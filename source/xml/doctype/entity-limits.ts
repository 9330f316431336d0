// How much entities, defaults of attributes, and declarations that are repeated may make of a document: text that stands in no part of it that was read.

import { LimitError } from '../../stream/errors.ts'
import { shorten } from '../errors/unplaced-error.ts'

/** Expansion is limited as in expat: so many times the input, once so much has come of it. */
export interface EntityLimits {
  /** UTF-16 units that entities, defaults of attributes and what `standalone` repeats may make of each byte of input, that of external entities included. */
  readonly maxAmplification: number
  /** UTF-16 units that they may always make. */
  readonly freeExpansion: number
  /** External entities that a resolver is asked for. */
  readonly maxExternalEntities: number
  /** UTF-16 units of text that a resolver gives, in all. */
  readonly maxExternalText: number
}

export const DEFAULT_ENTITY_LIMITS: EntityLimits = {
  maxAmplification: 100,
  freeExpansion: 8 * 1024 * 1024,
  maxExternalEntities: 10_000,
  maxExternalText: 256 * 1024 * 1024,
}

/** What makes text: words for a message, and a name in the document. */
export type Expansion =
  | 'the entity'
  | 'the parameter entity'
  | 'attribute defaults of the element'
  | 'the declarations around the element'

/**
 * Counts for one document. All methods throw a `LimitError` whose offset is one of the document: with the code `entity-limit` for what
 * expansions make, with `external-limit` for what comes from outside. Parsing cannot continue after it.
 */
export class EntityCounter {
  readonly #limits: EntityLimits
  #made = 0
  #entities = 0
  #external = 0

  constructor(limits: EntityLimits) {
    this.#limits = limits
  }

  /** So many units come of an expansion, when so many bytes of the document were read, up to where it is unless `placeOf` says so. */
  expand(units: number, bytesRead: number, what: Expansion, name: string, placeOf = () => bytesRead): void {
    this.#made += units
    const { maxAmplification, freeExpansion } = this.#limits
    const input = bytesRead + this.#external
    if (this.#made <= freeExpansion || this.#made <= maxAmplification * input) return
    const message =
      `with ${what} ${shorten(name)}, ${input} bytes of input expand to ${this.#made} UTF-16 units of text: ` +
      `more than ${maxAmplification} times the input (maxAmplification) and more than ${freeExpansion} units (freeExpansion)`
    throw new LimitError(message, { code: 'entity-limit', byteOffset: placeOf(), limit: maxAmplification })
  }

  /** A resolver is about to be asked. */
  ask(systemId: string, byteOffset: number): void {
    const limit = this.#limits.maxExternalEntities
    if (++this.#entities <= limit) return
    const message = `${shorten(systemId)} exceeds the limit of ${limit} external entities (maxExternalEntities)`
    throw new LimitError(message, { code: 'external-limit', byteOffset, limit })
  }

  /** So many units came from outside. */
  addExternal(units: number, systemId: string, byteOffset: number): void {
    this.#external += units
    const limit = this.#limits.maxExternalText
    if (this.#external <= limit) return
    const message =
      `with ${shorten(systemId)}, external entities have ${this.#external} UTF-16 units of text: ` +
      `more than ${limit} (maxExternalText)`
    throw new LimitError(message, { code: 'external-limit', byteOffset, limit })
  }
}
