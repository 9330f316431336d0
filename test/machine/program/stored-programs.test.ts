// Programs that are kept in files.

import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { encodeBytes } from '../../../scripts/kernels/encode-bytes.mjs'
import { Grammar } from '../../../source/grammar/index.ts'
import type { Place, Program } from '../../../source/machine/program/program.ts'
import { storeMessages, storeProgram } from '../../../source/machine/program/store-programs.ts'
import { Messages } from '../../../source/machine/program/stored-messages.ts'
import { restoreProgram } from '../../../source/machine/program/stored-programs.ts'
import { assemblePrograms } from '../../../source/xml/language/assemble-programs.ts'
import { isThorough } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { getProgram } from '../../support/programs.ts'

let programs: Record<string, Program>

beforeAll(() => {
  // To assemble and to store those of XML takes seconds: in npm test, others.
  if (isThorough) {
    programs = assemblePrograms(readFileSync(new URL('../../../source/xml/language/xml.bnf', import.meta.url), 'utf8'))
    return
  }
  const grammar = Grammar.from(readFileSync(fixturePath('grammar/json/json.bnf'), 'utf8'))
  const compiled = ['program', 'value', 'string'].map((entry) => {
    const purpose = { entry, parts: new Set([entry]), nested: 'outermost', isPartial: entry === 'string' } as const
    return [entry, grammar.compile(purpose).program] as const
  })
  programs = Object.fromEntries(compiled)
}, 60_000)

/** Everything that a program has, with its notes as a list. */
function listOf({ notes, ...program }: Program): unknown {
  const { code, data, types, parts, labels, ruleLabels, alphabet, start, usesSymbols, procedures } = program
  const listPlaces = (places: readonly Place[] = []) =>
    places.map(({ rules, next, rounds }) => ({ rules, next, rounds }))
  const all = Array.from(code, (_, at) => {
    const note = notes.get(at)
    return note && { rules: note.rules, places: listPlaces(note.places), restPlaces: listPlaces(note.restPlaces) }
  })
  const messages = { start: withoutUndefined(start), all: withoutUndefined(all) }
  return { code, data, types, parts, labels, ruleLabels, alphabet, usesSymbols, procedures, ...messages }
}

/** Fields that may be undefined may be missing as well. */
function withoutUndefined(value: unknown): unknown {
  const text = JSON.stringify(value, (_, inner) => (inner === Number.POSITIVE_INFINITY ? 'Infinity' : inner))
  return JSON.parse(text)
}

test('programs are restored as they were', () => {
  const messages = new Messages(storeMessages(programs))
  // A tenth of the time of toEqual, for programs of tens of thousands of words.
  const different = Object.entries(programs).filter(([name, program]) => {
    const restored = restoreProgram(
      name,
      storeProgram(program, encodeBytes),
      () => messages,
      () => program.kernel,
    )
    return !isDeepStrictEqual(listOf(restored), listOf(program))
  })
  expect(different.map(([name]) => name)).toEqual([])
})

test('without messages a program has no notes, and nothing can be explained', () => {
  const [[name, program]] = Object.entries(programs) as [[string, Program]]
  const restored = restoreProgram(
    name,
    storeProgram(program, encodeBytes),
    () => undefined,
    () => undefined,
  )
  expect(restored.kernel).toBeUndefined()
  expect(restored.procedures).toEqual(program.procedures)
  expect(restored.notes.get(0)).toBeUndefined()
  expect(() => restored.start).toThrow('before they were loaded')
  expect(() => restored.ruleLabels).toThrow('before they were loaded')
})

test('the programs for XML are those that are made of its grammar', { skip: !isThorough }, () => {
  for (const name of ['document', 'check', 'checkFragment', 'fragment'] as const) {
    expect(isDeepStrictEqual(listOf(getProgram(name)), listOf(programs[name] as Program))).toBe(true)
  }
})
