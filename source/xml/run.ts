// The loop that waits, round the parser that does not.

import { breathe } from '../async/breathe.ts'
import { TextPosition } from '../machine/text-position.ts'
import { Cursor } from '../stream/cursor.ts'
import type { ByteSource } from '../stream/source.ts'
import { StreamCache } from '../stream/stream-cache.ts'
import type { ProgramName } from './assemble-programs.ts'
import { decodeExternal, type ExternalRequest } from './external.ts'
import { parserOptions, type XmlOptions } from './options.ts'
import { type Advance, XmlParser } from './parser.ts'
import type { Sink } from './sink.ts'

/** Runs a parser over a source. Gives way whenever the sink may have something, also before it throws. */
export async function* runParser(
  source: ByteSource | Cursor,
  program: ProgramName,
  sink: Sink,
  options: XmlOptions,
): AsyncGenerator<XmlParser, void, undefined> {
  const { signal, resolve } = options
  const cursor = open(source)
  const parser = new XmlParser(program, sink, parserOptions(options), new TextPosition(cursor.offset, 1, 1, 0))
  try {
    signal?.throwIfAborted()
    yield parser
    for (;;) {
      const advance = advanceTo(parser, sink)
      yield parser
      if (advance instanceof Error) throw advance
      if (advance === 'done') return
      if (advance === 'input') await feed(parser, cursor, signal)
      else if (advance === 'resolve') parser.answer(decodeExternal(await resolve?.(parser.request as ExternalRequest)))
      const turn = breathe()
      if (turn) await turn
      signal?.throwIfAborted()
    }
  } finally {
    cursor.release()
    parser.release()
    if (source instanceof Cursor && parser.position > source.offset) source.skip(parser.position - source.offset)
  }
}

/** Goes on, and keeps a fault until what came before it was handed over. */
function advanceTo(parser: XmlParser, sink: Sink): Advance | Error {
  try {
    const advance = parser.advance()
    if (advance === 'done') sink.finish()
    return advance
  } catch (error) {
    sink.finish()
    return error as Error
  }
}

/** A cursor of our own at the start. */
function open(source: ByteSource | Cursor): Cursor {
  if (source instanceof Cursor) return source.clone()
  if (source instanceof StreamCache) return source.cursor()
  return StreamCache.from(source).cursor()
}

/** Gives the parser what has arrived, or waits for it. */
async function feed(parser: XmlParser, cursor: Cursor, signal: AbortSignal | undefined): Promise<void> {
  let chunk = cursor.peekChunk()
  while (chunk.length === 0) {
    if (!(await cursor.fill(1, signal && { signal }))) return parser.finish()
    chunk = cursor.peekChunk()
  }
  cursor.skip(parser.append(chunk))
}
