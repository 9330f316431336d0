// What comparing texts can show.

/** What comparing the texts of a revision has shown. */
export const VERDICTS = [
  /** The hash is that of the texts. */
  'equal',
  /** It is that of the texts with CR LF, or with CR, for each line feed; or of the texts with all characters decomposed. */
  'line-ends',
  'decomposed',
  // What cannot be proved: the dump does not have what is needed for the hash.
  /** There are signs of replaced characters, and the size fits to them. */
  'replaced',
  /** The stored text may have carriage returns in some of its lines: the size fits to them. */
  'left-out',
  /** The text may have been normalised, and the size fits to that. */
  'normalised',
  /** The texts are not those that the dump describes. */
  'different',
  /** The dump has no text to compare. */
  'no-text',
  /** The dump gives no hash; the size, where it gives one, is that of the text. */
  'no-hash',
] as const
export type Verdict = (typeof VERDICTS)[number]

/** What comparing texts has shown, and ids of revisions that differ. */
export interface Verification {
  readonly verdicts: Readonly<Record<Verdict, number>>
  readonly different: readonly number[]
}

/** No revision compared yet. */
export function startVerdicts(): Record<Verdict, number> {
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>
}
