// Makes plain data of programs, when xylem is built (stored-programs.ts).

import type { Continuation, Expectation, Place, Program, Rounds } from './program.ts'
import type {
  StoredContinuation,
  StoredExpectation,
  StoredMessages,
  StoredNote,
  StoredNotes,
  StoredPlace,
  StoredRounds,
} from './stored-messages.ts'
import type { StoredProgram } from './stored-programs.ts'

/** What runs a program. `encodeBytes` makes what `decodeBytes` decodes. */
export function storeProgram(
  { code, data, parts, procedures, ...program }: Program,
  encodeBytes: (bytes: Uint8Array) => string,
): StoredProgram {
  const { types, labels, alphabet, usesSymbols } = program
  return {
    code: encodeBytes(toBytes(code)),
    data: encodeBytes(data),
    types,
    parts: [...parts],
    labels,
    alphabet,
    usesSymbols,
    procedures: [...procedures],
  }
}

/** What is in messages of programs, as text. */
export function storeMessages(programs: Readonly<Record<string, Program>>): string {
  const messages = new MessageStore()
  for (const [name, program] of Object.entries(programs)) messages.add(name, program)
  return messages.toJson()
}

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

class MessageStore {
  readonly #expectations = new Pool<StoredExpectation>()
  readonly #continuations = new Pool<StoredContinuation>()
  readonly #places = new Pool<StoredPlace>()
  readonly #notes = new Pool<StoredNote>()
  readonly #programs: Record<string, StoredNotes> = {}

  add(name: string, { code, notes, start, ruleLabels }: Program): void {
    const noted: number[] = []
    let [lastAt, lastNote] = [0, 0]
    for (let at = 0; at < code.length; at++) {
      const note = notes.get(at)
      if (!note) continue
      const { rules, places, restPlaces } = note
      const place = (one: Place) => this.#place(one)
      const index = this.#notes.add([rules, places.map(place), restPlaces.map(place)])
      noted.push(at - lastAt, index - lastNote)
      lastAt = at
      lastNote = index
    }
    this.#programs[name] = {
      noted,
      start: this.#continuation(start),
      ruleLabels: [...ruleLabels],
    }
  }

  toJson(): string {
    const stored: StoredMessages = {
      expectations: this.#expectations.items,
      continuations: this.#continuations.items,
      places: this.#places.items,
      notes: this.#notes.items,
      programs: this.#programs,
    }
    return JSON.stringify(stored)
  }

  #place({ rules, next, rounds }: Place): number {
    const stored = [rules, this.#continuation(next)] as const
    return this.#places.add(rounds ? [...stored, this.#rounds(rounds)] : stored)
  }

  #continuation({ expects, beyond, ended, begins }: Continuation): number {
    const stored = beyond === undefined ? 0 : beyond === 'caller' ? 1 : this.#rounds(beyond)
    return this.#continuations.add([this.#all(expects), stored, ended, begins])
  }

  #rounds({ min, max, again, reportsOptional, after }: Rounds): StoredRounds {
    const most = max === Number.POSITIVE_INFINITY ? 0 : max
    return [min, most, this.#all(again), reportsOptional ? 1 : 0, this.#continuation(after)]
  }

  #all(expectations: readonly Expectation[]): number[] {
    return expectations.map(({ text, rules, literal }) => {
      return this.#expectations.add(literal ? [text, rules, literal] : [text, rules])
    })
  }
}

/** Words as little-endian bytes, on any machine. */
function toBytes(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(4 * words.length)
  const view = new DataView(bytes.buffer)
  words.forEach((word, i) => {
    view.setUint32(4 * i, word, true)
  })
  return bytes
}
