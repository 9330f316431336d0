// Programs that are kept in a file.

import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import type { Program } from '../../../source/machine/program/program.ts'
import { storePrograms } from '../../../source/machine/program/store-programs.ts'
import { ProgramStore, type StoredPrograms } from '../../../source/machine/program/stored-programs.ts'
import { assemblePrograms, type ProgramName } from '../../../source/xml/language/assemble-programs.ts'

let programs: Record<ProgramName, Program>
let stored: StoredPrograms

beforeAll(() => {
  const grammar = readFileSync(new URL('../../../source/xml/language/xml.bnf', import.meta.url), 'utf8')
  programs = assemblePrograms(grammar)
  stored = storePrograms(programs)
}, 60_000)

/** Everything that a program has, with its notes as a list. */
function listOf({ notes, ...program }: Program): unknown {
  const { code, data, types, parts, labels, ruleLabels, alphabet, start, usesSymbols, procedures } = program
  const all = Array.from(code, (_, at) => notes.get(at))
  return { code, data, types, parts, labels, ruleLabels, alphabet, start, usesSymbols, procedures, all }
}

test('programs are restored as they were, in any order', () => {
  const names = Object.keys(programs) as ProgramName[]
  for (const order of [names, names.toReversed()]) {
    const store = new ProgramStore<ProgramName>(stored)
    // A tenth of the time of toEqual, for programs of tens of thousands of words.
    const different = order.filter((name) => !isDeepStrictEqual(listOf(store.get(name)), listOf(programs[name])))
    expect(different).toEqual([])
  }
})

test('a program is restored once, with the kernel that it has', () => {
  const store = new ProgramStore<ProgramName>(stored, { check: 'a module' })
  expect(store.get('check')).toBe(store.get('check'))
  expect([store.get('check').kernel, store.get('document').kernel]).toEqual(['a module', undefined])
})

test('what programs have in common takes little room', () => {
  const plain = Object.values(programs).reduce((sum, { code, data }) => sum + 4 * code.length + data.length, 0)
  expect(stored.programs.length).toBeLessThan(plain / 5)
})
