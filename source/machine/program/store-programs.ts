// Makes plain data of programs, when xylem is built (stored-programs.ts).

import { bytesOf } from './assembler.ts'
import type { Expectation, Place, Program } from './program.ts'
import { areExpectations, type StoredNotes } from './stored-messages.ts'
import type { StoredProgram } from './stored-programs.ts'

/** What runs a program. `encodeBytes` makes what `decodeBytes` decodes. */
export function storeProgram(
  { code, data, parts, procedures, ...program }: Program,
  encodeBytes: (bytes: Uint8Array) => string,
): StoredProgram {
  const { types, labels, alphabet, usesSymbols } = program
  return {
    code: encodeBytes(bytesOf(code)),
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
  const expectations = new Pool()
  const notes = new Pool()
  const replace = (field: string, value: unknown) =>
    areExpectations(field) ? (value as Expectation[]).map((one) => expectations.add(JSON.stringify(one))) : value
  const stored = Object.entries(programs).map(([name, { code, start, ruleLabels, ...program }]) => {
    const noted: number[] = []
    let [lastAt, lastNote] = [0, 0]
    for (let at = 0; at < code.length; at++) {
      const note = program.notes.get(at)
      if (!note) continue
      const { places, restPlaces } = note
      const data = { ...note, places: places.map(asData), restPlaces: restPlaces.map(asData) }
      const index = notes.add(JSON.stringify(data, replace))
      noted.push(at - lastAt, index - lastNote)
      lastAt = at
      lastNote = index
    }
    return [name, { noted, start, ruleLabels: [...ruleLabels] } satisfies StoredNotes] as const
  })
  const programsText = JSON.stringify(Object.fromEntries(stored), replace)
  return `{"expectations":${expectations.list},"notes":${notes.list},"programs":${programsText}}`
}

/** A place that is worked out when it is asked for, as plain data. */
function asData({ rules, next, rounds }: Place): Place {
  return { rules, next, rounds }
}

/** Texts of JSON, of which equal ones are kept once. */
class Pool {
  readonly #indices = new Map<string, number>()

  /** The index of a text. */
  add(text: string): number {
    const index = this.#indices.get(text) ?? this.#indices.size
    this.#indices.set(text, index)
    return index
  }

  get list(): string {
    return `[${[...this.#indices.keys()].join()}]`
  }
}
