// General entities: what references to them stand for (sections 4.1, 4.4 and 4.5), and how much they may make of a document.

import type { MachineLimits } from '../../machine/run/limits.ts'
import type { Machine, Outcome } from '../../machine/run/machine.ts'
import { acquireMachine, releaseMachine } from '../../machine/run/pool.ts'
import { LimitError } from '../../stream/errors.ts'
import { limitLength } from '../../text/length-limit.ts'
import { explainSyntax } from '../errors/explain.ts'
import { Fault, shorten } from '../errors/fault.ts'
import { MarkupFinder } from '../errors/open-markup.ts'
import { getProgram } from '../language/programs.ts'
import { type Name, NameTable, readName } from '../names/names.ts'
import { partTypesOf } from '../tape/part-types.ts'
import type { FrameSource } from '../tape/tape-frame.ts'
import { RECORD_WORDS } from '../tape/tape-frame.ts'
import { type DocumentType, type EntityDeclaration, type EntityRules, findEntity } from './document-type.ts'
import type { EntityCounter } from './entity-limits.ts'
import { expandValue } from './literal-values.ts'

/** The replacement text of an entity, as the machine has read it: text alone where there is nothing but text. */
export type Replacement = { readonly text: string } | { readonly source: FrameSource }

/** A reference that was left out, because the declaration or the text of its entity was not read. */
export interface SkippedEntity {
  readonly name: string
  /** Where the reference begins, in bytes of the input. */
  readonly byteOffset: number
}

/** Where the specification says what a replacement text must be. */
const CONSTRAINT = 'XML 1.0, section 4.3.2'

const encoder = new TextEncoder()

/** The general entities of one document. */
export class Entities {
  readonly #counter: EntityCounter
  readonly #machineLimits: MachineLimits
  readonly #replacements = new Map<string, Replacement>()
  /** The texts of external ones that were asked for; undefined where they are not to be had. */
  readonly #externalTexts = new Map<string, string | undefined>()
  #declared: DocumentType['entities'] | undefined
  #rules: EntityRules = { mayBeUndeclared: false, mayBeOutside: false }

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

  /** The declaration for a reference; undefined when it may be one that was not read. Throws a {@link Fault}. */
  find(name: string): EntityDeclaration | undefined {
    return findEntity(name, this.#declared, this.#rules)
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
   * the offset of the reference. Throws a {@link Fault}, or a `LimitError`.
   */
  replacementOf(name: string, text: string, place: number): Replacement {
    const known = this.#replacements.get(name)
    if (known) return known
    const replacement = /[<&]|\]\]>/.test(text) ? { source: this.#parse(name, text, place) } : { text }
    this.#replacements.set(name, replacement)
    return replacement
  }

  #parse(name: string, text: string, place: number): FrameSource {
    const bytes = encoder.encode(text)
    const machine = acquireMachine(getProgram('replacement'))
    try {
      machine.begin(getProgram('replacement'), this.#machineLimits)
      const pieces: Int32Array[] = []
      for (let rest = bytes; ; ) {
        const length = rest.length === 0 ? 0 : machine.append(rest)
        rest = rest.subarray(length)
        if (rest.length === 0) machine.finish()
        let outcome = machine.run()
        for (;;) {
          const view = machine.readTape()
          if (view) pieces.push(view.words.slice())
          view?.drop(view.words.length / RECORD_WORDS)
          if (outcome !== 'part' && outcome !== 'paused') break
          outcome = machine.run()
        }
        if (outcome === 'done') break
        if (outcome !== 'input') {
          throw new Fault(
            `in the entity ${shorten(name)}: ${explainContent(machine, outcome)}`,
            'entity-content',
            CONSTRAINT,
          )
        }
      }
      const names: Name[] = []
      const words = join(pieces)
      const table = new NameTable((symbol) => names[symbol] as Name)
      // The machine is given back: its names are copied.
      for (let symbol = 1; symbol <= machine.nameCount; symbol++) names[symbol] = machine.readName(symbol, readName)
      return { words, bytes, start: 0, from: 0, names: table, types: partTypesOf('replacement') }
    } catch (error) {
      throw error instanceof LimitError ? limitAt(error, name, place) : error
    } finally {
      releaseMachine(machine)
    }
  }

  /** What a reference at an offset stands for in the value of an attribute. Throws a {@link Fault} or a `LimitError`. */
  expandInValue(name: string, byteOffset: number): string {
    try {
      return expandValue(`&${name};`, {
        find: (entity) => {
          const declaration = this.find(entity)
          if (!declaration) this.skip(entity, byteOffset)
          return declaration
        },
        count: (units, entity) => this.count(units, entity, byteOffset),
      })
    } catch (error) {
      if (!(error instanceof Fault)) throw limitLength(error, 'a value', byteOffset)
      throw new Fault(error.message, error.code, error.constraint, byteOffset)
    }
  }
}

/** A limit that the replacement text of an entity exceeds. It is reported at the reference. */
function limitAt(error: LimitError, name: string, byteOffset: number): LimitError {
  const { code, limit } = error
  const what = code === 'depth-limit' ? `more than ${limit} elements are open (maxDepth)` : error.message
  return new LimitError(`in the entity ${shorten(name)}: ${what}`, { code, byteOffset, limit })
}

/** What is wrong with a replacement text. The place where something was opened in it is not reported: it would look like a place in the document. */
function explainContent(machine: Machine, outcome: Outcome): string {
  const { openSymbol } = machine
  const element = openSymbol && { name: machine.nameOf(openSymbol.symbol), place: undefined }
  const found = outcome === 'failed' ? new MarkupFinder(machine, 0).find(machine.farthest) : undefined
  const markup = found && { ...found, position: undefined }
  const { message, position } = explainSyntax(machine, outcome, { element, markup, input: 'its text' })
  const isEnd = position.byteOffset >= machine.inputEnd
  return isEnd ? message : `${message} (line ${position.line}, column ${position.column} of its text)`
}

function join(pieces: readonly Int32Array[]): Int32Array {
  const [only] = pieces
  if (pieces.length === 1 && only) return only
  const joined = new Int32Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}
