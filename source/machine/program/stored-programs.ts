// Programs as plain data, so that they can be assembled once and kept in a file. What they have in common is kept once.

import { decodeBase64 } from '../../kernel/base64.ts'
import { unpackBytes } from './packed-bytes.ts'
import type { Continuation, Expectation, ExpectedLiteral, Note, Place, Program, Rounds } from './program.ts'

/** Programs by their names, as JSON: a parser is sooner done with text than with literals, and only when it is wanted. */
export interface StoredPrograms {
  /** {@link StoredProgram} by name. */
  readonly programs: string
  /** {@link StoredMessages}: most readings never need them. */
  readonly messages: string
}

export interface StoredProgram {
  /** The code, as little-endian words, and the data, packed after those of the programs before it, in base64 (packed-bytes.ts). */
  readonly packed: string
  /** Words of code. */
  readonly codeLength: number
  /** Bytes of data. */
  readonly dataLength: number
  readonly types: readonly string[]
  readonly parts: readonly number[]
  readonly labels: readonly string[]
  readonly alphabet: Program['alphabet']
  readonly usesSymbols: boolean
}

/**
 * What programs need for messages. Numbers are indices: of `expectations` in continuations, of `continuations` in places, of `places` in
 * notes, of `notes` in programs.
 */
export interface StoredMessages {
  readonly expectations: readonly StoredExpectation[]
  readonly continuations: readonly StoredContinuation[]
  readonly places: readonly StoredPlace[]
  readonly notes: readonly StoredNote[]
  readonly programs: Readonly<Record<string, StoredNotes>>
}

/** What is in messages of one program. */
export interface StoredNotes {
  /** Indices of instructions and of their notes, in turn, each less the one before it. */
  readonly noted: readonly number[]
  /** The index of what could stand where the input begins. */
  readonly start: number
  readonly ruleLabels: readonly (readonly [string, string])[]
  readonly procedures: readonly (readonly [number, string])[]
}

export type StoredExpectation = readonly [text: string, rules: readonly string[], literal?: ExpectedLiteral]
export type StoredRounds = readonly [
  min: number,
  /** 0 for any number. */
  max: number,
  again: readonly number[],
  isOptionalTold: 0 | 1,
  after: number,
]
export type StoredContinuation = readonly [
  expects: readonly number[],
  beyond: 0 | 1 | StoredRounds,
  ended: number,
  begins: readonly string[],
]
export type StoredPlace = readonly [rules: readonly string[], next: number, rounds?: StoredRounds]
export type StoredNote = readonly [rules: readonly string[], places: readonly number[], restPlaces: readonly number[]]

/** Restores programs, each when it is first asked for. */
export class ProgramStore<Name extends string> {
  readonly #stored: StoredPrograms
  readonly #kernels: Partial<Record<Name, string>>
  /** In the order in which they were packed. */
  readonly #programs: readonly [name: string, program: StoredProgram][]
  readonly #restored = new Map<string, Program>()
  /** Code and data of the programs in their order, as far as they are unpacked. */
  readonly #bytes: Uint8Array<ArrayBuffer>
  #unpacked = 0
  #messages: Messages | undefined

  /** `kernels`: of programs of which a part is compiled (Program.kernel). */
  constructor(stored: StoredPrograms, kernels: Partial<Record<Name, string>> = {}) {
    this.#stored = stored
    this.#kernels = kernels
    this.#programs = Object.entries(JSON.parse(stored.programs) as Record<string, StoredProgram>)
    this.#bytes = new Uint8Array(this.#startOf(this.#programs.length))
  }

  get(name: Name): Program {
    const known = this.#restored.get(name)
    if (known) return known
    const program = this.#restore(name)
    this.#restored.set(name, program)
    return program
  }

  #restore(name: Name): Program {
    const index = this.#programs.findIndex(([each]) => each === name)
    const [, stored] = this.#programs[index] as [string, StoredProgram]
    this.#unpackTo(index)
    const start = this.#startOf(index)
    const dataStart = start + 4 * stored.codeLength
    const messages = () => {
      this.#messages ??= new Messages(JSON.parse(this.#stored.messages) as StoredMessages)
      return this.#messages
    }
    return {
      kernel: this.#kernels[name],
      code: toWords(this.#bytes.subarray(start, dataStart)),
      data: this.#bytes.subarray(dataStart, dataStart + stored.dataLength),
      types: stored.types,
      parts: new Set(stored.parts),
      labels: stored.labels,
      alphabet: stored.alphabet,
      usesSymbols: stored.usesSymbols,
      notes: { get: (at) => messages().note(name, at) },
      get start() {
        return messages().start(name)
      },
      get ruleLabels() {
        return new Map(messages().notesOf(name).ruleLabels)
      },
      get procedures() {
        return new Map(messages().notesOf(name).procedures)
      },
    }
  }

  #startOf(index: number): number {
    const sizes = this.#programs.slice(0, index).map(([, { codeLength, dataLength }]) => 4 * codeLength + dataLength)
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  #unpackTo(index: number): void {
    for (; this.#unpacked <= index; this.#unpacked++) {
      const [, { packed }] = this.#programs[this.#unpacked] as [string, StoredProgram]
      unpackBytes(decodeBase64(packed), this.#bytes, this.#startOf(this.#unpacked))
    }
  }
}

/** Makes of what is stored for messages what is asked for. */
class Messages {
  readonly #stored: StoredMessages
  readonly #noted = new Map<string, ReadonlyMap<number, number>>()

  constructor(stored: StoredMessages) {
    this.#stored = stored
  }

  notesOf(name: string): StoredNotes {
    return this.#stored.programs[name] as StoredNotes
  }

  /** What could stand where the input of a program begins. */
  start(name: string): Continuation {
    return this.#continuation(this.notesOf(name).start)
  }

  /** The note of the instruction at an index. */
  note(name: string, at: number): Note | undefined {
    const note = this.#stored.notes[this.#notedIn(name).get(at) ?? -1]
    if (!note) return undefined
    const [rules, places, restPlaces] = note
    const place = (index: number) => this.#place(index)
    return { rules, places: places.map(place), restPlaces: restPlaces.map(place) }
  }

  #notedIn(name: string): ReadonlyMap<number, number> {
    const known = this.#noted.get(name)
    if (known) return known
    const notes = new Map<number, number>()
    const { noted } = this.notesOf(name)
    let [at, note] = [0, 0]
    for (let i = 0; i < noted.length; i += 2) {
      at += noted[i] as number
      note += noted[i + 1] as number
      notes.set(at, note)
    }
    this.#noted.set(name, notes)
    return notes
  }

  #place(index: number): Place {
    const [rules, next, rounds] = this.#stored.places[index] as StoredPlace
    return { rules, next: this.#continuation(next), rounds: rounds && this.#rounds(rounds) }
  }

  #continuation(index: number): Continuation {
    const [expects, kind, ended, begins] = this.#stored.continuations[index] as StoredContinuation
    const beyond = kind === 0 ? undefined : kind === 1 ? 'caller' : this.#rounds(kind)
    return { expects: this.#expectations(expects), beyond, ended, begins }
  }

  #rounds([min, max, again, isOptionalTold, after]: StoredRounds): Rounds {
    return {
      min,
      max: max === 0 ? Number.POSITIVE_INFINITY : max,
      again: this.#expectations(again),
      isOptionalTold: isOptionalTold === 1,
      after: this.#continuation(after),
    }
  }

  #expectations(indices: readonly number[]): Expectation[] {
    return indices.map((index) => {
      const [text, rules, literal] = this.#stored.expectations[index] as StoredExpectation
      return { text, rules, literal }
    })
  }
}

function toWords(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const words = new Uint32Array(bytes.length / 4)
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(4 * i, true)
  return words
}
