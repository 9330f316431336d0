// Programs that are kept in a file.

import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'
import type { Program } from '../../../source/machine/program/program.ts'
import { storePrograms } from '../../../source/machine/program/store-programs.ts'
import { ProgramStore, type StoredPrograms } from '../../../source/machine/program/stored-programs.ts'
import { assemblePrograms, type ProgramName } from '../../../source/xml/language/assemble-programs.ts'
import { storedPrograms } from '../../../source/xml/language/generated/programs.ts'
import { isThorough } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'

const NAMES: readonly ProgramName[] = ['document', 'check', 'checkFragment', 'fragment', 'replacement']

/** The programs of XML, and what is stored of them. */
let programs: Record<string, Program>
let stored: StoredPrograms
/** Programs that are stored now. To assemble and to store those of XML takes seconds: in npm test, others. */
let fresh: { readonly programs: Record<string, Program>; readonly stored: StoredPrograms }

beforeAll(() => {
  if (isThorough) {
    programs = assemblePrograms(readFileSync(new URL('../../../source/xml/language/xml.bnf', import.meta.url), 'utf8'))
    stored = storePrograms(programs)
    fresh = { programs, stored }
    return
  }
  const store = new ProgramStore<ProgramName>(storedPrograms)
  programs = Object.fromEntries(NAMES.map((name) => [name, store.get(name)]))
  stored = storedPrograms
  const grammar = Grammar.from(readFileSync(fixturePath('grammar/json/json.bnf'), 'utf8'))
  const compiled = ['program', 'value', 'string'].map((entry) => {
    const purpose = { entry, parts: new Set([entry]), nested: 'outermost', isPartial: entry === 'string' } as const
    return [entry, grammar.compile(purpose).program] as const
  })
  fresh = { programs: Object.fromEntries(compiled), stored: storePrograms(Object.fromEntries(compiled)) }
}, 60_000)

/** Everything that a program has, with its notes as a list. */
function listOf({ notes, ...program }: Program): unknown {
  const { code, data, types, parts, labels, ruleLabels, alphabet, start, usesSymbols, procedures } = program
  const all = Array.from(code, (_, at) => notes.get(at))
  return { code, data, types, parts, labels, ruleLabels, alphabet, start, usesSymbols, procedures, all }
}

test('programs are restored as they were, in any order', () => {
  for (const { programs: before, stored: kept } of [fresh, { programs, stored }]) {
    const names = Object.keys(before)
    for (const order of [names, names.toReversed()]) {
      const store = new ProgramStore<string>(kept)
      // A tenth of the time of toEqual, for programs of tens of thousands of words.
      const different = order.filter((name) => {
        return !isDeepStrictEqual(listOf(store.get(name)), listOf(before[name] as Program))
      })
      expect(different).toEqual([])
    }
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
