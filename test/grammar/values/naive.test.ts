// Random grammars with fields, for an evaluator by the book (scripts/fuzz/targets/grammar-values.ts; SEED=N for the same again).

import { expect, test } from 'vitest'
import { caseSeed } from '../../../scripts/fuzz/target.ts'
import { grammarValues, tally } from '../../../scripts/fuzz/targets/grammar-values.ts'
import { extent, isComplete } from '../../support/extent.ts'
import { Random } from '../../support/random.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const CASES = extent(6, 250, 1_000)

test(`values are those of the book, in streams as well, and trees are those without names (SEED=${seed})`, {
  timeout: 600_000,
}, async () => {
  for (let index = 0; index < CASES; index++) {
    const failure = await grammarValues.judge(grammarValues.make(new Random(caseSeed(seed, index))))
    expect({ index, failure }).toEqual({ index, failure: undefined })
  }
  // Only many cases are sure to have some of each.
  if (isComplete) expect(Math.min(...Object.values(tally))).toBeGreaterThan(0)
})
