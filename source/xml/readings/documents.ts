// Documents that follow each other in one stream.

import type { Leaving } from '../../async/leaving.ts'
import { Op } from '../../machine/program/instructions.ts'
import type { Program } from '../../machine/program/program.ts'
import { TextPosition } from '../../machine/tree/text-position.ts'
import type { Cursor } from '../../stream/cursor.ts'
import { withCode } from '../../stream/errors.ts'
import type { Position } from '../../text/line-counter.ts'
import type { XmlDocumentsOptions } from '../options.ts'
import type { PartReading, XmlReader } from '../reader.ts'
import { type End, findDocument } from './document-start.ts'

const DONE: IteratorReturnResult<void> = { done: true, value: undefined }
/** Bytes of a document that are read at once at first. */
const LEAST_PIECE = 1024

/** Makes the reader of a document. */
type MakeReader = (part: PartReading) => XmlReader

/** Yields a reader for each document. The next one begins where the reader before has come to the end of its root. */
export async function* readDocuments(
  cursor: Cursor,
  makeReader: MakeReader,
  { encoding, signal: given }: XmlDocumentsOptions,
  leaving: Leaving,
): AsyncGenerator<XmlReader, void, undefined> {
  const { signal } = leaving
  let part: Part | undefined
  // A reading ends by itself with the signal that was given, and throws its reason.
  signal.addEventListener('abort', () => given?.aborted || part?.close())
  try {
    const { line, column } = TextPosition.START
    let end: End = { position: { byteOffset: cursor.offset, line, column }, encoding: '' }
    for (;;) {
      const start = await findDocument(cursor, end, encoding, signal)
      if (!start) return
      part = new Part(start)
      yield makeReader(part)
      end = await part.complete(makeReader)
      leaving.throwIfAborted()
    }
  } finally {
    part?.close()
  }
}

/** One of the documents. */
class Part implements PartReading {
  readonly start: Position
  isClosed = false
  #end: End | undefined
  #reading: SharedReading<unknown> | undefined
  #isPassed = false

  constructor(start: Position) {
    this.start = start
  }

  programOf(program: Program): Program {
    return endAtRoot(program)
  }

  pieceAfter(length: number): number {
    return Math.max(LEAST_PIECE, length)
  }

  end(position: Position, encoding: string): void {
    this.#end = { position, encoding }
  }

  share<Item>(items: AsyncGenerator<Item, void, undefined>): AsyncGenerator<Item, void, undefined> {
    if (this.#isPassed || this.isClosed) throw makePassedError()
    const reading = new SharedReading(items)
    this.#reading = reading
    return reading
  }

  /** Reads what its reader has left of it. Throws what is wrong with it, also where the reader has thrown that before. */
  async complete(makeReader: MakeReader): Promise<End> {
    const skipping = this.#reading ? this.#reading.drain() : makeReader(this).check()
    this.#isPassed = true
    await skipping
    return this.#end as End
  }

  /** Ends the reading, also while it waits. */
  close(): void {
    this.isClosed = true
    this.#reading?.close()
  }
}

function makePassedError(): TypeError {
  return withCode(new TypeError('the document was passed: the next one was asked for'), 'stream-read')
}

/** A reading that its user can leave, also while it waits, and that can be continued nevertheless. */
class SharedReading<Item> implements AsyncGenerator<Item, void, undefined> {
  readonly #items: AsyncGenerator<Item, void, undefined>
  #pending: Promise<unknown> | undefined
  #failure: { readonly error: unknown } | undefined
  /** Whether its user gets nothing any more: it was left, or has ended. */
  #isLeft = false
  /** Whether the next document was asked for, so that the rest goes to nobody. */
  #isPassed = false
  #onLeave: (() => void) | undefined
  readonly #left = new Promise<IteratorReturnResult<void>>((resolve) => {
    this.#onLeave = () => resolve(DONE)
  })

  constructor(items: AsyncGenerator<Item, void, undefined>) {
    this.#items = items
  }

  async next(): Promise<IteratorResult<Item, void>> {
    if (this.#isLeft) return DONE
    if (this.#isPassed) throw makePassedError()
    const pending = this.#step()
    this.#pending = pending
    try {
      const result = await Promise.race([pending, this.#left])
      this.#isLeft ||= result.done === true
      return result
    } catch (error) {
      this.#isLeft = true
      throw error
    }
  }

  async return(): Promise<IteratorResult<Item, void>> {
    this.#leave()
    return DONE
  }

  async throw(error: unknown): Promise<IteratorResult<Item, void>> {
    this.#leave()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave()
  }

  /** Reads to the end, for nobody. Who waits for an item gets that. Throws the error of the reading. */
  async drain(): Promise<void> {
    this.#isPassed = true
    await this.#pending?.catch(() => {})
    while (!(await this.#step()).done);
    if (this.#failure) throw this.#failure.error
  }

  close(): void {
    this.#leave()
    this.#items.return().catch(() => {})
  }

  #leave(): void {
    this.#isLeft = true
    this.#onLeave?.()
  }

  async #step(): Promise<IteratorResult<Item, void>> {
    try {
      return await this.#items.next()
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }
}

/** Programs of documents that end where the root does. They differ in two instructions, so what is compiled for a program runs its twin as well. */
const twins = new WeakMap<Program, Program>()

/** A program that matches a document up to the end of its root, and neither looks at what follows nor waits for it. */
function endAtRoot(program: Program): Program {
  const known = twins.get(program)
  if (known) return known
  const code = program.code.slice()
  // The entry calls the rule `document`, and would now want the end of the input.
  const document = findProcedure(program, 'document')
  code[code.indexOf(callOf(document)) + 1] = Op.DONE
  // In it, the content of the root ends before the first instruction for what follows.
  const content = code.indexOf(callOf(findProcedure(program, 'content')), document)
  code[content + 1] = Op.RETURN
  const twin = Object.create(program, { code: { value: code, enumerable: true } }) as Program
  twins.set(program, twin)
  return twin
}

function findProcedure(program: Program, rule: string): number {
  for (const [index, name] of program.procedures) if (name === rule) return index
  throw new Error(`the program has no procedure ${rule}`)
}

function callOf(index: number): number {
  return Op.CALL | (index << 8)
}
