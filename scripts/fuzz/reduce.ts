// Making a failing case smaller: bytes are taken away as long as it fails in the same way. (Zeller and Hildebrandt, "Simplifying and
// Isolating Failure-Inducing Input", IEEE TSE 28, 2002; only the complements are tried.)

import { type FuzzCase, judgeCase, type Target } from './target.ts'

/** How often a case is judged at most, and for how many milliseconds. */
const MOST_JUDGEMENTS = 3000
const MOST_TIME = 60_000

/** The kind of a failure. */
function kindOf(failure: string | undefined): string | undefined {
  return failure?.split(':')[0]
}

/** The smallest case that was found to fail like this one, and its failure. */
export async function reduce(
  target: Target,
  fuzzCase: FuzzCase,
  failure: string,
): Promise<{ fuzzCase: FuzzCase; failure: string }> {
  const end = performance.now() + MOST_TIME
  let left = MOST_JUDGEMENTS
  let best = { fuzzCase, failure }
  const attempt = async (parts: readonly Uint8Array[]): Promise<boolean> => {
    left--
    const smaller: FuzzCase = { ...fuzzCase, parts }
    const found = await judgeCase(target, smaller)
    if (found === undefined || kindOf(found) !== kindOf(failure)) return false
    best = { fuzzCase: smaller, failure: found }
    return true
  }
  for (const [i] of fuzzCase.parts.entries()) {
    for (let size = partOf(best.fuzzCase, i).length; size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < partOf(best.fuzzCase, i).length && left > 0 && performance.now() < end; ) {
        const part = partOf(best.fuzzCase, i)
        const without = new Uint8Array(Math.max(0, part.length - size, at))
        without.set(part.subarray(0, at))
        without.set(part.subarray(Math.min(part.length, at + size)), at)
        if (!(await attempt(best.fuzzCase.parts.with(i, without)))) at += size
      }
    }
  }
  return best
}

function partOf({ parts }: FuzzCase, index: number): Uint8Array {
  return parts[index] as Uint8Array
}
