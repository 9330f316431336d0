// General entities: what references to them stand for (sections 4.1, 4.4 and 4.5), and how much they may make of a document.

import type { MachineLimits } from '../machine/limits.ts'
import type { Machine, Outcome } from '../machine/machine.ts'
import { acquireMachine, releaseMachine } from '../machine/pool.ts'
import { LimitError } from '../stream/errors.ts'
import type { DocumentType, EntityDeclaration } from './document-type.ts'
import { explainSyntax } from './explain.ts'
import { Fault } from './fault.ts'
import { NameTable } from './names.ts'
import { MarkupFinder } from './open-markup.ts'
import { partTypesOf } from './part-types.ts'
import { getProgram } from './programs.ts'
import { predefinedEntity, referredCharacter } from './references.ts'
import type { FrameSource } from './tape-frame.ts'

/** Expansion is limited as in expat: so many times the document, once so many bytes have come of it. */
export interface EntityLimits {
  /** UTF-16 units from expansions by bytes of the document. */
  readonly maxAmplification: number
  /** UTF-16 units from expansions that are always allowed. */
  readonly freeExpansion: number
}

export const DEFAULT_ENTITY_LIMITS: EntityLimits = { maxAmplification: 100, freeExpansion: 8 * 1024 * 1024 }

/** The replacement text of an entity, as the machine has read it: text alone where there is nothing but text. */
export type Replacement = { readonly text: string } | { readonly source: FrameSource }

/** Where the specification says what a replacement text has to be. */
const CONSTRAINT = 'XML 1.0, section 4.3.2'

const encoder = new TextEncoder()

/** The general entities of one document. */
export class Entities {
  readonly #limits: EntityLimits
  readonly #machineLimits: MachineLimits
  readonly #replacements = new Map<string, Replacement>()
  #type: DocumentType | undefined
  #isStandalone = false
  #expanded = 0

  constructor(limits: EntityLimits, machineLimits: MachineLimits) {
    this.#limits = limits
    this.#machineLimits = machineLimits
  }

  /** Says what the document declares. */
  declare(type: DocumentType | undefined, isStandalone: boolean): void {
    this.#type = type
    this.#isStandalone = isStandalone
  }

  /** The declaration that a reference means; undefined when it may be one that nobody has read. Throws an {@link Fault}. */
  find(name: string): EntityDeclaration | undefined {
    const declaration = this.#type?.entities.get(name)
    const mayBeElsewhere = this.#type?.hasUnreadDeclarations === true && !this.#isStandalone
    if (!declaration) {
      if (mayBeElsewhere) return undefined
      throw new Fault(`the entity ${name} is not declared`, 'undeclared-entity', 'WFC: Entity Declared')
    }
    if (declaration.isExternalDeclaration && this.#isStandalone) {
      const message = `the entity ${name} is declared outside of a document that says it stands alone`
      throw new Fault(message, 'undeclared-entity', 'WFC: Entity Declared')
    }
    if (declaration.notation !== undefined) {
      throw new Fault(`the entity ${name} is not parsed`, 'unparsed-entity', 'WFC: Parsed Entity')
    }
    return declaration
  }

  /**
   * Counts that so many UTF-16 units come of an expansion, of a reference at `position` in the document. Throws a `LimitError` with the code
   * `entity-limit`; there is no going on after it.
   */
  count(units: number, position: number): void {
    this.#expanded += units
    const { maxAmplification, freeExpansion } = this.#limits
    const all = this.#expanded
    if (all <= freeExpansion || all <= maxAmplification * position) return
    const message = `entities have made ${all} units of text of ${position} bytes of the document: more than ${maxAmplification} times as much (maxAmplification)`
    throw new LimitError(message, { code: 'entity-limit', byteOffset: position, limit: maxAmplification })
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
          view?.drop()
          if (outcome !== 'part' && outcome !== 'paused') break
          outcome = machine.run()
        }
        if (outcome === 'done') break
        if (outcome !== 'input') {
          throw new Fault(`in the entity ${name}: ${explainContent(machine, outcome)}`, 'entity-content', CONSTRAINT)
        }
      }
      const names: string[] = []
      const words = join(pieces)
      const table = new NameTable((symbol) => names[symbol] as string)
      // The machine is given back: its names are copied.
      for (let symbol = 1; symbol <= machine.nameCount; symbol++) names[symbol] = machine.nameOf(symbol)
      return { words, bytes, start: 0, from: 0, names: table, types: partTypesOf('replacement') }
    } catch (error) {
      throw error instanceof LimitError ? limitAt(error, name, place) : error
    } finally {
      releaseMachine(machine)
    }
  }

  /**
   * What a reference in an attribute's value stands for (section 3.3.3), with white space made blanks. Without recursion: entities may
   * name each other to any depth. Throws an {@link Fault}.
   */
  expandInValue(name: string, position: number): string {
    const open: { name: string; text: string; at: number }[] = []
    const names = new Set<string>()
    let value = ''
    const enter = (entity: string) => {
      if (names.has(entity)) {
        throw new Fault(`the entity ${entity} refers to itself`, 'entity-loop', 'WFC: No Recursion')
      }
      const text = this.#textForValue(entity)
      if (text === undefined) return
      this.count(text.length, position)
      names.add(entity)
      open.push({ name: entity, text, at: 0 })
    }
    enter(name)
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const { text, at } = top
      const reference = text.indexOf('&', at)
      value += text.slice(at, reference === -1 ? undefined : reference).replace(/[\t\n\r]/g, ' ')
      if (reference === -1) {
        open.pop()
        names.delete(top.name)
        continue
      }
      const end = text.indexOf(';', reference)
      const inner = text.slice(reference + 1, end)
      top.at = end + 1
      if (end === -1) throw new Fault(`a reference in the entity ${top.name} has no end`, 'entity-content', CONSTRAINT)
      const character = inner.startsWith('#') ? referredCharacter(inner) : predefinedEntity(inner)
      if (character !== undefined) value += character
      else if (inner.startsWith('#')) {
        throw new Fault(`&${inner}; is no character of XML`, 'character-reference', 'WFC: Legal Character')
      } else enter(inner)
    }
    return value
  }

  #textForValue(name: string): string | undefined {
    const declaration = this.find(name)
    if (!declaration) return undefined
    const { text } = declaration
    if (text === undefined) {
      const message = `the external entity ${name} must not be referred to in an attribute`
      throw new Fault(message, 'external-entity', 'WFC: No External Entity References')
    }
    if (text.includes('<')) {
      const message = `the entity ${name} holds "<", which must not come into an attribute`
      throw new Fault(message, 'less-than-in-value', 'WFC: No < in Attribute Values')
    }
    return text
  }
}

/** A limit that the replacement text of an entity passes: it is told where the reference stands. */
function limitAt(error: LimitError, name: string, byteOffset: number): LimitError {
  const { code, limit } = error
  const what = code === 'depth-limit' ? `more than ${limit} elements are open (maxDepth)` : error.message
  return new LimitError(`in the entity ${name}: ${what}`, { code, byteOffset, limit })
}

/** What is wrong with a replacement text. Where something was opened in it is not told: it would look like a place in the document. */
function explainContent(machine: Machine, outcome: Outcome): string {
  const { openSymbol } = machine
  const element = openSymbol && { name: machine.nameOf(openSymbol.symbol), place: undefined }
  const found = outcome === 'failed' ? new MarkupFinder(machine, 0).find(machine.farthest) : undefined
  const markup = found && { ...found, position: undefined }
  return explainSyntax(machine, outcome, { element, markup, input: 'its text' }).message
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
