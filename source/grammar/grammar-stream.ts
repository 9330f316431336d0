// Reading by a grammar in a pipe of Web Streams.

import type { TextOrBytes } from '../stream/chunk-encoder.ts'
import { connectSides } from '../stream/transform-sides.ts'
import type { Grammar, StreamOptions } from './grammar.ts'
import type { RuleName, RuleTypes, TreeOf } from './grammar-types.ts'

/**
 * Turns bytes or text into the nodes of one or more rules, as `Grammar.stream` yields them:
 *
 * ```ts
 * import { Grammar, GrammarStream } from 'xylem/grammar'
 *
 * const log = Grammar.from('program ::= line* ; line ::= ...( !"\\n"* ) %"\\n" ;')
 * const { body } = await fetch('https://example.org/access.log')
 * if (body) for await (const { text } of body.pipeThrough(new GrammarStream(log, { emit: 'line' }))) console.log(text)
 * ```
 *
 * Input is parsed when the reader asks for a node. Even before that, up to 64 KiB are read ahead, plus the rest of the last chunk and one chunk
 * that waits for room. An error in the input errors both sides with the same error, the readable side after the nodes before it. A cancellation
 * cancels the source of the pipe. If the writable side is aborted, the readable side fails with a `SourceError` whose cause is the reason.
 */
export class GrammarStream<
  Types extends RuleTypes = RuleTypes,
  Entry extends RuleName<Types['trees']> = RuleName<Types['trees']>,
  Item extends RuleName<Types['trees']> = Entry,
> {
  readonly readable: ReadableStream<TreeOf<Types, Item>>
  readonly writable: WritableStream<TextOrBytes>

  /**
   * Throws what `Grammar.stream` throws for invalid options: a `TypeError` or a `RangeError` with the code `invalid-option`, and a `RangeError` with the code
   * `unknown-rule`.
   */
  constructor(grammar: Grammar<Types>, options: StreamOptions<Entry, Item> = {}) {
    const { readable, writable } = connectSides((input) => grammar.stream(input, options), options.signal)
    this.readable = readable
    this.writable = writable
  }
}
