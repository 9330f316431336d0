// General entities: what references to them stand for (sections 4.1, 4.4 and 4.5), and how much they may make of a document.

import type { MachineLimits } from '../../machine/run/limits.ts'
import { limitLength } from '../../text/units.ts'
import { UnplacedError } from '../errors/unplaced-error.ts'
import type { FrameSource } from '../tape/tape-frame.ts'
import { doctypes } from './doctypes.ts'
import { type DocumentType, type EntityDeclaration, type EntityRules, findEntity } from './document-type.ts'
import type { EntityCounter } from './entity-limits.ts'

/** The general entities of one document. */
export class Entities {
  readonly #counter: EntityCounter
  readonly #machineLimits: MachineLimits
  readonly #replacements = new Map<string, FrameSource>()
  /** The texts of external ones that were asked for; undefined where they are not to be had. */
  readonly #externalTexts = new Map<string, string | undefined>()
  #declared: DocumentType['entities'] | undefined
  #rules: Omit<EntityRules, 'known'> = { mayBeUndeclared: false, mayBeOutside: false }
  /** The declaration of one that the document need not declare. */
  known: EntityRules['known']

  readonly #onSkip: (name: string, byteOffset: number) => void

  /** `onSkip` is called for each reference that is left out. */
  constructor(
    counter: EntityCounter,
    machineLimits: MachineLimits,
    onSkip: (name: string, byteOffset: number) => void,
  ) {
    this.#counter = counter
    this.#machineLimits = machineLimits
    this.#onSkip = onSkip
  }

  /** Reports that a reference is left out. */
  skip(name: string, byteOffset: number): void {
    this.#onSkip(name, byteOffset)
  }

  /** Says what the document declares. */
  declare({ entities, hasUnreadDeclarations }: DocumentType, isStandalone: boolean): void {
    this.#declared = entities
    this.#rules = { mayBeUndeclared: hasUnreadDeclarations && !isStandalone, mayBeOutside: !isStandalone }
  }

  /** The declaration for a reference; undefined when it may be one that was not read. Throws an {@link UnplacedError}. */
  find(name: string): EntityDeclaration | undefined {
    return findEntity(name, this.#declared, { ...this.#rules, known: this.known })
  }

  /** Whether the text of an external entity was asked for. */
  isKnown(name: string): boolean {
    return this.#externalTexts.has(name)
  }

  /** The text of a general entity; undefined of an external one that is not known, or not to be had. */
  textOf({ name, text }: EntityDeclaration): string | undefined {
    return text ?? this.#externalTexts.get(name)
  }

  /** Says what the text of an external entity is. */
  setText(name: string, text: string | undefined): void {
    this.#externalTexts.set(name, text)
  }

  /** Counts what a reference at an offset in the document makes. Throws a `LimitError`; parsing cannot continue after it. */
  count(units: number, name: string, byteOffset: number): void {
    this.#counter.expand(units, byteOffset, 'the entity', name)
  }

  /**
   * The replacement text of an internal entity, or what a resolver gave for an external one. Read once. `place` is
   * the offset of the reference. Throws an {@link UnplacedError}, or a `LimitError`.
   */
  replacementOf(name: string, text: string, place: number): FrameSource {
    const known = this.#replacements.get(name)
    if (known) return known
    const source = doctypes.required.parseReplacement(name, text, this.#machineLimits, place)
    this.#replacements.set(name, source)
    return source
  }

  /** What a reference at an offset stands for in the value of an attribute. Throws an {@link UnplacedError} or a `LimitError`. */
  expandInValue(name: string, byteOffset: number): string {
    try {
      // What expands it is there only if something is declared or known: otherwise this throws.
      if (!this.#declared) this.find(name)
      return doctypes.required.expandValue(`&${name};`, {
        find: (entity) => {
          const declaration = this.find(entity)
          if (!declaration) this.skip(entity, byteOffset)
          return declaration
        },
        count: (units, entity) => this.count(units, entity, byteOffset),
      })
    } catch (error) {
      if (!(error instanceof UnplacedError)) throw limitLength(error, 'a value', byteOffset)
      throw new UnplacedError(error.message, error.code, error.constraint, byteOffset)
    }
  }
}
