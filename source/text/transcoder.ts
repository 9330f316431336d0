// From other encodings to UTF-8, which is what all parsers here read.

/** Turns chunks into UTF-8, cut anywhere. The text before an error comes first; then `error` says what is wrong, and no more text comes. */
export interface Transcoder {
  readonly error: string | undefined
  /** How many bytes of the source each character of the last text took; undefined where `sourceLength` says so. */
  readonly lengths: Uint8Array | undefined
  /** The UTF-8 of bytes that follow those before; without a character that is cut off. */
  push(bytes: Uint8Array): Uint8Array
  /** Says that no more bytes come. */
  end(): void
  /** How many bytes of the source a character took, by the first byte of its UTF-8. */
  sourceLength(lead: number): number
}

export const CUT_CHARACTER = 'the input ends inside a character'
