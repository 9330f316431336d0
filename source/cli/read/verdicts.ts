// What comparing texts has shown, and how it is reported at the end.

import { alignNames } from '../terminal/word-list.ts'

/** What comparing the texts of a revision has shown. */
export type Verdict =
  /** The hash is that of the texts. */
  | 'equal'
  /** It is that of the texts with CR LF, or with CR, for each line feed; or of the texts with all characters decomposed. */
  | 'explained'
  /**
   * Cannot be proved, because the dump does not have what is needed for the hash. The texts may have replaced characters, lack carriage returns, or be
   * normalised, and the size fits to that.
   */
  | 'unproved'
  /** The texts are not those that the dump describes. */
  | 'different'
  /** The dump has no text to compare. */
  | 'no-text'
  /** The dump gives no hash; the size, where it gives one, is that of the text. */
  | 'no-hash'

/** How many revisions there are of each verdict, and ids of the first ones that differ. */
export interface Verification {
  readonly counts: { readonly [One in Verdict]?: number }
  readonly different: readonly number[]
}

/** Revisions whose hash is wrong that are named. */
export const MOST_DIFFERENCES = 10

export const NO_VERDICTS: Verification = { counts: {}, different: [] }

export function addVerdicts(known = NO_VERDICTS, later: Verification): Verification {
  const counts = { ...known.counts }
  for (const [verdict, count = 0] of Object.entries(later.counts) as [Verdict, number][])
    counts[verdict] = (counts[verdict] ?? 0) + count
  return { counts, different: [...known.different, ...later.different].slice(0, MOST_DIFFERENCES) }
}

/** Lines of a name and a value each. */
export function describeVerdicts({ counts }: Verification): string[] {
  const { equal = 0, explained = 0, unproved = 0, different = 0, 'no-text': noText = 0, 'no-hash': noHash = 0 } = counts
  return alignNames([
    ['texts compared', format(equal + explained + unproved + different)],
    ['equal', format(equal)],
    ['explained', format(explained)],
    ['not proved', format(unproved)],
    ['different', format(different)],
    [
      'not comparable',
      `${format(noText + noHash)} (${format(noText)} without a text, ${format(noHash)} without a hash)`,
    ],
  ])
}

function format(value: number): string {
  return value.toLocaleString('en')
}
