// Property tests with a seed that is printed when they fail, and can be given again: FC_SEED=1234 npm test

import fc from 'fast-check'
import { isThorough } from './extent.ts'

const { FC_SEED, FC_RUNS } = process.env

/** Parameters for `fc.assert`: so many runs in `npm run test:all`, and a twentieth in `npm test`. fast-check prints the seed of a failure. */
export function parameters(runs: number): fc.Parameters<unknown> {
  const numRuns = FC_RUNS ? Number(FC_RUNS) : isThorough ? runs : Math.ceil(runs / 20)
  return { numRuns, ...(FC_SEED ? { seed: Number(FC_SEED) } : {}) }
}

/** Bytes in random pieces, some of them empty. */
export const chunkedBytes: fc.Arbitrary<Uint8Array[]> = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })

/** A string in random pieces, which may cut surrogate pairs. */
export const chunkedText: fc.Arbitrary<string[]> = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 60 }), fc.array(fc.nat(60), { maxLength: 8 }))
  .map(([text, cuts]) => {
    const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort((a, b) => a - b)
    return places.slice(1).map((place, i) => text.slice(places[i], place))
  })
