// Options for reading a dump.

import { DECOMPRESS_OPTIONS, type DecompressOptions } from '../compression/decompress-options.ts'
import type { LimitError } from '../stream/errors.ts'
import type { LimitOptions, OptionKinds } from '../stream/options.ts'
import type { ParseError } from '../text/parse-error.ts'
import type { XmlLimits } from '../xml/options.ts'
import type { HeadBytes } from '../xml/ranges/head-facts.ts'
import type { RangeProgress } from '../xml/ranges/range-progress.ts'

/** Options for reading a dump. */
export interface DumpOptions extends Omit<DecompressOptions, 'onFault' | 'limits'> {
  /** Those of XML; `maxRetained` bounds a page, or a revision where revisions are read, and `maxInput` the decompressed dump. */
  limits?: LimitOptions<XmlLimits> | undefined
  /**
   * Whether the source is a part of a dump that begins and ends anywhere, even in a page. Reading begins at the first page that begins in
   * it. The site is unknown, and so is what the beginning of the dump declares: prefixes, the default namespace, entities and defaults of attributes.
   * `RangeReader` and `readPageAt` read that too. Offsets, lines and columns in errors count from the start of the part.
   */
  isPart?: boolean | undefined
  /**
   * Whether to refuse everything that is not XML (default: false). Without it, bytes that are not UTF-8 and control characters are read as
   * `?`, U+FFFE and U+FFFF as U+FFFD, and an ampersand in the site description that does not begin a reference as itself. `DumpReader.replaced` counts them.
   */
  strict?: boolean | undefined
  /**
   * Called with each error instead of throwing it: a `CompressionError`, an `XmlError`, or a `LimitError` for a page that is larger than
   * `maxRetained` or has elements deeper than `maxDepth`. The page or bzip2 block is skipped, and reading continues with the next page that can be found.
   */
  onFault?: ((error: ParseError | LimitError) => void) | undefined
}

export const DUMP_OPTIONS: OptionKinds<DumpOptions> = { ...DECOMPRESS_OPTIONS, isPart: 'boolean', strict: 'boolean' }

/** What those know who read a part of a dump. */
export interface DumpPart {
  /** Gives the head of the dump that the source is a part of (`readHeadOf`); the part then ends with the dump. */
  readonly head?: (leaving: AbortSignal) => Promise<HeadBytes | undefined>
  /** The range of a dump that is read: it says up to where, and gets to know where that began and ended. */
  readonly range?: RangeProgress
  /** The offset in the part from which on a `<page>` is looked for, as soon as it is known. Without it, that is the start of the part. */
  readonly partStart?: () => number | undefined
  /** The offset in the decompressed dump of the page with which reading begins. What is before it was read already: only its lines are counted. */
  readonly startOffset?: number
}
