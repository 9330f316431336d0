// What was found by fuzzing stays right, and a little is fuzzed anew (SEED=N for the same again; npm run fuzz for more).

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CaseFile, parseCase } from '../scripts/fuzz/case-file.ts'
import { caseSeed, type Target } from '../scripts/fuzz/target.ts'
import { TARGETS } from '../scripts/fuzz/targets/index.ts'
import { isThorough } from './support/extent.ts'
import { Random } from './support/random.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const CASES = Number(process.env.FUZZ_CASES ?? (isThorough ? 20 : 2))
const folder = new URL('../fixtures/fuzz/', import.meta.url)
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []

describe.each(TARGETS)('$name', (target: Target) => {
  beforeAll(() => target.open?.().then(() => {}))
  afterAll(() => target.close?.())

  test.each(files.filter((name) => name.startsWith(`${target.name}-`)))('%s is judged to be right', async (name) => {
    const { settings, parts } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as CaseFile
    expect(await target.judge(parseCase({ settings, parts }))).toBeUndefined()
  })

  test(`cases made at random are judged to be right (SEED=${seed})`, async () => {
    // Cases of growth take as long as many others.
    const count = target.name === 'growth' ? Math.ceil(CASES / 3) : CASES
    for (let index = 0; index < count; index++) {
      const failure = await target.judge(target.make(new Random(caseSeed(seed, index))))
      expect({ index, failure }).toEqual({ index, failure: undefined })
    }
  })
})
