// Property tests with a seed that is printed when they fail, and can be given again: FC_SEED=1234 npm test

import fc from 'fast-check'
import { extent } from './extent.ts'

const { FC_SEED, FC_RUNS } = process.env

/**
 * Parameters for `fc.assert`: so many runs in `npm run test:long`, an eighth in `npm run test:all`, and an eightieth in `npm test`, or half of `few` where each
 * takes long. fast-check prints the seed of a failure.
 */
export function parameters(runs: number, few = Math.ceil(runs / 40)): fc.Parameters<unknown> {
  const numRuns = FC_RUNS ? Number(FC_RUNS) : extent(Math.ceil(few / 2), Math.max(few, Math.ceil(runs / 8)), runs)
  return { numRuns, ...(FC_SEED ? { seed: Number(FC_SEED) } : {}) }
}

/** Bytes in random pieces, some of them empty. */
export const chunkedBytes: fc.Arbitrary<Uint8Array[]> = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })

/**
 * Any code point but half of a pair. fast-check's own unit `binary` fills a table with all of them: most of a second, and a hundred megabytes that
 * each garbage collection goes through afterwards.
 */
const codePoint: fc.Arbitrary<string> = fc
  .nat(0x10ffff - 0x800)
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800))

/** A string of any code points. */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  return fc.string({ unit: codePoint, ...(maxLength !== undefined && { maxLength }) })
}

/** A string in random pieces, which may cut surrogate pairs. */
export const chunkedText: fc.Arbitrary<string[]> = fc
  .tuple(anyText(60), fc.array(fc.nat(60), { maxLength: 8 }))
  .map(([text, cuts]) => {
    const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort((a, b) => a - b)
    return places.slice(1).map((place, i) => text.slice(places[i], place))
  })
