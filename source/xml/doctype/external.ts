// Entities outside of the document.

import { shorten, UnplacedError } from '../errors/unplaced-error.ts'
import type { EntityCounter } from './entity-limits.ts'
import type { ExternalText, ReadText } from './external-text.ts'

/** The entity that a resolver must return. */
export interface ExternalRequest {
  readonly publicId: string | undefined
  readonly systemId: string
  /** The system identifier of the entity in which it was declared; undefined for the document itself. */
  readonly base: string | undefined
  /** The name of the entity, after `%` that of a parameter entity; undefined for the external subset of the document type. */
  readonly name: string | undefined
  /** Aborts when the answer is no longer needed; undefined without the option `signal`. */
  readonly signal?: AbortSignal
}

/** Where something external is declared; without a system identifier it is not external. */
interface ExternalIdentifier {
  readonly publicId?: string | undefined
  readonly systemId?: string | undefined
  readonly base?: string | undefined
  readonly name?: string | undefined
}

/** Asks for the external entities of one document, and reads what is given. Offsets are those of references in the document. */
export class ExternalEntities {
  readonly #counter: EntityCounter
  readonly #resolves: boolean
  readonly #readText: (given: ExternalText) => ReadText | undefined
  /** What the resolver gave for each request, for elements that are read once more. */
  readonly #given = new Map<string, ExternalText>()

  /** Without `resolves` nothing is to be had. `readText` is `readExternalText`, which is loaded late. */
  constructor(counter: EntityCounter, resolves: boolean, readText: (given: ExternalText) => ReadText | undefined) {
    this.#counter = counter
    this.#resolves = resolves
    this.#readText = readText
  }

  /** What to ask a resolver for; undefined where there is none. Throws a `LimitError`. */
  request({ publicId, systemId, base, name }: ExternalIdentifier, byteOffset: number): ExternalRequest | undefined {
    if (!this.#resolves || systemId === undefined) return undefined
    this.#counter.ask(systemId, byteOffset)
    return { publicId, systemId, base, name }
  }

  /** What the resolver gave before for such a request; undefined if it was not asked. */
  recall(request: ExternalRequest): ExternalText {
    return this.#given.get(keyOf(request))
  }

  /**
   * The text that was given; undefined where none was. Throws an {@link UnplacedError} for what is not text, a `LimitError`, and a `TypeError` with
   * the code `invalid-source` for what is neither text nor bytes.
   */
  read(given: ExternalText, request: ExternalRequest, byteOffset: number): ReadText | undefined {
    const { systemId } = request
    this.#given.set(keyOf(request), given)
    try {
      const read = this.#readText(given)
      if (read) this.#counter.addExternal(read.text.length, systemId, byteOffset)
      return read
    } catch (error) {
      if (!(error instanceof UnplacedError)) throw error
      throw new UnplacedError(`in ${shorten(systemId)}: ${error.message}`, error.code, error.constraint, byteOffset)
    }
  }
}

function keyOf({ publicId, systemId, base }: ExternalRequest): string {
  return JSON.stringify([publicId, systemId, base])
}
