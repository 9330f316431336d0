// A program as plain data, so that it can be assembled once and kept in a file.

import { decodeBase64 } from '../kernel/base64.ts'
import type { Expectation, Note, Program } from './program.ts'

/** Numbers in it are indices: of `expectations` in notes, of `notes` in pairs with the index of an instruction. */
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
  readonly notes: readonly StoredNote[]
  readonly noted: readonly (readonly [number, number])[]
  readonly usesSymbols: boolean
  readonly procedures: readonly (readonly [number, string])[]
}

type StoredExpectation = readonly [text: string, rules: readonly string[], isNot: 0 | 1]
type StoredNote = readonly [
  expects: readonly number[],
  rules: readonly string[],
  begins: readonly string[],
  more?: readonly number[],
]

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
  const notes = new Pool<StoredNote>()
  const storeAll = (all: readonly Expectation[]) => {
    return all.map(({ text, rules, isNot }) => expectations.add([text, rules, isNot ? 1 : 0]))
  }
  const noted: [number, number][] = []
  program.code.forEach((_, at) => {
    const note = program.notes.get(at)
    if (!note) return
    const { expects, rules, begins, more } = note
    const all = storeAll(expects)
    noted.push([at, notes.add(more ? [all, rules, begins, storeAll(more)] : [all, rules, begins])])
  })
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
    notes: notes.items,
    noted,
    usesSymbols: program.usesSymbols,
    procedures: [...program.procedures],
  }
}

export function restoreProgram(stored: StoredProgram, kernel?: string): Program {
  return {
    kernel,
    code: toWords(decodeBase64(stored.code)),
    data: decodeBase64(stored.data),
    types: stored.types,
    parts: new Set(stored.parts),
    labels: stored.labels,
    ruleLabels: new Map(stored.ruleLabels),
    alphabet: stored.alphabet,
    notes: new LazyNotes(stored),
    usesSymbols: stored.usesSymbols,
    procedures: new Map(stored.procedures),
  }
}

/** Notes are for messages, and most programs never give one: they are restored when the first is asked for. */
class LazyNotes implements Pick<ReadonlyMap<number, Note>, 'get'> {
  readonly #stored: StoredProgram
  #notes: ReadonlyMap<number, Note> | undefined

  constructor(stored: StoredProgram) {
    this.#stored = stored
  }

  get(at: number): Note | undefined {
    this.#notes ??= restoreNotes(this.#stored)
    return this.#notes.get(at)
  }
}

function restoreNotes({ expectations, notes, noted }: StoredProgram): Map<number, Note> {
  const all = expectations.map(([text, rules, isNot]): Expectation => ({ text, rules, isNot: isNot === 1 }))
  const restoreAll = (indices: readonly number[]) => indices.map((index) => all[index] as Expectation)
  const restored = notes.map(([expects, rules, begins, more]): Note => {
    const note = { expects: restoreAll(expects), rules, begins }
    return more ? { ...note, more: restoreAll(more) } : note
  })
  return new Map(noted.map(([at, note]) => [at, restored[note] as Note]))
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
