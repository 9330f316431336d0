// What comparing texts has shown, and how it is reported at the end.

import { alignNames } from '../terminal/word-list.ts'

/** What comparing the texts of a revision has shown. */
export type Verdict =
  /** The hash is that of the texts. */
  | 'equal'
  /** It is that of the texts with CR LF, or with CR, for each line feed; or of the texts with all characters decomposed. */
  | 'line-ends'
  | 'decomposed'
  // What cannot be proved: the dump does not have what is needed for the hash.
  /** There are signs of replaced characters, and the size fits to them. */
  | 'replaced'
  /** The stored text may have carriage returns in some of its lines: the size fits to them. */
  | 'left-out'
  /** The text may have been normalised, and the size fits to that. */
  | 'normalised'
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
/** Changes after which the texts have their hash when they are undone, in words; and those for which the dump does not have what is needed. */
const PROVED: readonly (readonly [verdict: Verdict, words: string])[] = [
  ['line-ends', 'by line ends (the hash is of the text with CR LF, or CR)'],
  ['decomposed', 'by normalisation to NFC (the hash is of the decomposed text)'],
]
const UNPROVED: typeof PROVED = [
  ['replaced', 'may have replaced characters (U+FFFD)'],
  ['left-out', 'may lack carriage returns'],
  ['normalised', 'may be normalised to NFC'],
]

export const NO_VERDICTS: Verification = { counts: {}, different: [] }

export function addVerdicts(known = NO_VERDICTS, later: Verification): Verification {
  const counts = { ...known.counts }
  for (const [verdict, count = 0] of Object.entries(later.counts) as [Verdict, number][])
    counts[verdict] = (counts[verdict] ?? 0) + count
  return { counts, different: [...known.different, ...later.different].slice(0, MOST_DIFFERENCES) }
}

/** Lines of a name and a value each. */
export function describeVerdicts({ counts }: Verification): string[] {
  const { equal = 0, different = 0, 'no-text': noText = 0, 'no-hash': noHash = 0 } = counts
  const sumOf = (table: typeof PROVED) => table.reduce((sum, [verdict]) => sum + (counts[verdict] ?? 0), 0)
  const describe = (table: typeof PROVED) => {
    const parts = table.flatMap(([verdict, words]) => (counts[verdict] ? `${format(counts[verdict])} ${words}` : []))
    return format(sumOf(table)) + (parts.length > 0 ? `: ${parts.join(', ')}` : '')
  }
  return alignNames([
    ['texts compared', format(equal + different + sumOf(PROVED) + sumOf(UNPROVED))],
    ['equal', format(equal)],
    ['explained', describe(PROVED)],
    ['not proved', describe(UNPROVED)],
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
