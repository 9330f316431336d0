// A program as plain data, so that it can be assembled once and kept in a file.

import { decodeBase64 } from '../kernel/base64.ts'
import type { Continuation, Expectation, ExpectedLiteral, Note, Place, Program, Rounds } from './program.ts'

/** Numbers in it are indices: of `expectations` in continuations, of `continuations` in places, of `places` in notes, of `notes` in pairs. */
export interface StoredProgram {
  /** Words of code, little-endian, and data, both in base64. */
  readonly code: string
  readonly data: string
  readonly types: readonly string[]
  readonly parts: readonly number[]
  readonly labels: readonly string[]
  readonly ruleLabels: readonly (readonly [string, string])[]
  readonly alphabet: Program['alphabet']
  readonly expectations: readonly StoredExpectation[]
  readonly continuations: readonly StoredContinuation[]
  readonly places: readonly StoredPlace[]
  readonly notes: readonly StoredNote[]
  /** The index of an instruction, and that of its note. */
  readonly noted: readonly (readonly [number, number])[]
  /** The index of what could stand where the input begins. */
  readonly start: number
  readonly usesSymbols: boolean
  readonly procedures: readonly (readonly [number, string])[]
}

type StoredExpectation = readonly [text: string, rules: readonly string[], literal?: ExpectedLiteral]
type StoredRounds = readonly [
  min: number,
  /** 0 for any number. */
  max: number,
  again: readonly number[],
  isOptionalTold: 0 | 1,
  after: number,
]
type StoredContinuation = readonly [
  expects: readonly number[],
  beyond: 0 | 1 | StoredRounds,
  ended: number,
  begins: readonly string[],
]
type StoredPlace = readonly [rules: readonly string[], next: number, rounds?: StoredRounds]
type StoredNote = readonly [rules: readonly string[], places: readonly number[], restPlaces: readonly number[]]

/** Equal things are kept once. */
class Pool<Item> {
  readonly items: Item[] = []
  readonly #known = new Map<string, number>()

  add(item: Item): number {
    const key = JSON.stringify(item)
    const known = this.#known.get(key) ?? this.items.push(item) - 1
    this.#known.set(key, known)
    return known
  }
}

export function storeProgram(program: Program): StoredProgram {
  const expectations = new Pool<StoredExpectation>()
  const continuations = new Pool<StoredContinuation>()
  const places = new Pool<StoredPlace>()
  const notes = new Pool<StoredNote>()
  const storeAll = (all: readonly Expectation[]) => {
    return all.map(({ text, rules, literal }) => expectations.add(literal ? [text, rules, literal] : [text, rules]))
  }
  const storeRounds = ({ min, max, again, isOptionalTold, after }: Rounds): StoredRounds => {
    const most = max === Number.POSITIVE_INFINITY ? 0 : max
    return [min, most, storeAll(again), isOptionalTold ? 1 : 0, storeContinuation(after)]
  }
  const storeContinuation = ({ expects, beyond, ended, begins }: Continuation): number => {
    const stored = beyond === undefined ? 0 : beyond === 'caller' ? 1 : storeRounds(beyond)
    return continuations.add([storeAll(expects), stored, ended, begins])
  }
  const storePlace = ({ rules, next, rounds }: Place): number => {
    const stored = [rules, storeContinuation(next)] as const
    return places.add(rounds ? [...stored, storeRounds(rounds)] : stored)
  }
  const noted: [number, number][] = []
  program.code.forEach((_, at) => {
    const note = program.notes.get(at)
    if (!note) return
    noted.push([at, notes.add([note.rules, note.places.map(storePlace), note.restPlaces.map(storePlace)])])
  })
  const start = storeContinuation(program.start)
  const code = new Uint8Array(4 * program.code.length)
  const view = new DataView(code.buffer)
  program.code.forEach((word, i) => {
    view.setUint32(4 * i, word, true)
  })
  return {
    code: encode(code),
    data: encode(program.data),
    types: program.types,
    parts: [...program.parts],
    labels: program.labels,
    ruleLabels: [...program.ruleLabels],
    alphabet: program.alphabet,
    expectations: expectations.items,
    continuations: continuations.items,
    places: places.items,
    notes: notes.items,
    noted,
    start,
    usesSymbols: program.usesSymbols,
    procedures: [...program.procedures],
  }
}

export function restoreProgram(stored: StoredProgram, kernel?: string): Program {
  const diagnostics = new Diagnostics(stored)
  return {
    kernel,
    code: toWords(decodeBase64(stored.code)),
    data: decodeBase64(stored.data),
    types: stored.types,
    parts: new Set(stored.parts),
    labels: stored.labels,
    ruleLabels: new Map(stored.ruleLabels),
    alphabet: stored.alphabet,
    notes: diagnostics,
    get start() {
      return diagnostics.continuation(stored.start)
    },
    usesSymbols: stored.usesSymbols,
    procedures: new Map(stored.procedures),
  }
}

/** What is for messages, which most programs never give: it is restored when it is asked for. */
class Diagnostics implements Pick<ReadonlyMap<number, Note>, 'get'> {
  readonly #stored: StoredProgram
  #noted: ReadonlyMap<number, number> | undefined

  constructor(stored: StoredProgram) {
    this.#stored = stored
  }

  get(at: number): Note | undefined {
    this.#noted ??= new Map(this.#stored.noted)
    const note = this.#stored.notes[this.#noted.get(at) ?? -1]
    if (!note) return undefined
    const [rules, places, restPlaces] = note
    const place = (index: number) => this.#place(index)
    return { rules, places: places.map(place), restPlaces: restPlaces.map(place) }
  }

  #place(index: number): Place {
    const [rules, next, rounds] = this.#stored.places[index] as StoredPlace
    return { rules, next: this.continuation(next), rounds: rounds && this.#rounds(rounds) }
  }

  continuation(index: number): Continuation {
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
      after: this.continuation(after),
    }
  }

  #expectations(indices: readonly number[]): Expectation[] {
    return indices.map((index) => {
      const [text, rules, literal] = this.#stored.expectations[index] as StoredExpectation
      return { text, rules, literal }
    })
  }
}

function encode(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function toWords({ buffer, length }: Uint8Array): Uint32Array {
  const view = new DataView(buffer)
  const words = new Uint32Array(length / 4)
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(4 * i, true)
  return words
}
