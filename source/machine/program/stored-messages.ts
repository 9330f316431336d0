// What is in messages of programs, as plain data: one file for the messages of all, which have most in common.

import type { Continuation, Expectation, ExpectedLiteral, Note, Place, Rounds } from './program.ts'

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
}

export type StoredExpectation = readonly [text: string, rules: readonly string[], literal?: ExpectedLiteral]
export type StoredRounds = readonly [
  min: number,
  /** 0 for any number. */
  max: number,
  again: readonly number[],
  reportsOptional: 0 | 1,
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

/** Makes of what is stored for messages what is asked for. */
export class Messages {
  readonly #stored: StoredMessages
  readonly #noted = new Map<string, ReadonlyMap<number, number>>()

  /** `text`: what `storeMessages` has made ({@link StoredMessages}). */
  constructor(text: string) {
    this.#stored = JSON.parse(text) as StoredMessages
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

  #rounds([min, max, again, reportsOptional, after]: StoredRounds): Rounds {
    return {
      min,
      max: max === 0 ? Number.POSITIVE_INFINITY : max,
      again: this.#expectations(again),
      reportsOptional: reportsOptional === 1,
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
