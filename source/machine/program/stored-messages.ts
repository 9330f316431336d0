// What is in messages of programs, as text: one file for the messages of all, which have most in common.

import type { Continuation, Expectation, Note } from './program.ts'

/** What programs need for messages. In the text, lists of expectations are indices of `expectations`, and Infinity is null. */
interface StoredMessages {
  readonly expectations: readonly Expectation[]
  readonly notes: readonly Note[]
  readonly programs: Readonly<Record<string, StoredNotes>>
}

/** What is in messages of one program. */
export interface StoredNotes {
  /** Indices of instructions and of their notes, in turn, each less the one before it. */
  readonly noted: readonly number[]
  /** What could stand where the input begins. */
  readonly start: Continuation
  readonly ruleLabels: readonly (readonly [string, string])[]
}

/** Whether a field has a list of expectations. */
export function areExpectations(field: string): boolean {
  return field === 'expects' || field === 'again'
}

/** Makes of what is stored for messages what is asked for. */
export class Messages {
  readonly #stored: StoredMessages
  readonly #noted = new Map<string, ReadonlyMap<number, number>>()

  /** `text`: what `storeMessages` has made. */
  constructor(text: string) {
    let expectations: readonly Expectation[] = []
    this.#stored = JSON.parse(text, (field, value) => {
      if (field === 'expectations') expectations = value
      if (areExpectations(field)) return value.map((index: number) => expectations[index])
      return field === 'max' ? (value ?? Number.POSITIVE_INFINITY) : value
    })
  }

  notesOf(name: string): StoredNotes {
    return this.#stored.programs[name] as StoredNotes
  }

  /** The note of the instruction at an index. */
  note(name: string, at: number): Note | undefined {
    return this.#stored.notes[this.#notedIn(name).get(at) ?? -1]
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
}
