// Downloads: lines as pieces of a file, each sent when the page has taken the one before.

import type { ExplorerAnswer, ToldError } from '../protocol.ts'

/** Bytes of a piece: as many as a page takes at once without being held up. */
const PIECE = 1024 * 1024

/** Joins what is small, so that a message does not carry a few bytes. Pieces are copies, which can be transferred. */
export async function* joinPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(PIECE)
  let length = 0
  try {
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length; ) {
        const part = chunk.subarray(from, from + PIECE - length)
        piece.set(part, length)
        length += part.length
        from += part.length
        if (length < PIECE) continue
        yield piece
        piece = new Uint8Array(PIECE)
        length = 0
      }
    }
  } catch (error) {
    // What came before the error is complete.
    if (length > 0) yield piece.slice(0, length)
    throw error
  }
  if (length > 0) yield piece.slice(0, length)
}

/** Gives the page an answer. */
export type Answer = (answer: ExplorerAnswer, transfer?: Transferable[]) => void

interface Download {
  readonly abort: AbortController
  readonly pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>
}

export class Downloads {
  readonly #answer: Answer
  readonly #tell: (error: unknown) => ToldError
  readonly #running = new Map<number, Download>()

  constructor(answer: Answer, tell: (error: unknown) => ToldError) {
    this.#answer = answer
    this.#tell = tell
  }

  /** Begins a download by its number, and sends its first piece. */
  begin(number: number, open: (signal: AbortSignal) => AsyncIterable<Uint8Array>): void {
    const abort = new AbortController()
    this.#running.set(number, { abort, pieces: joinPieces(open(abort.signal)) })
    void this.next(number)
  }

  /** Sends the next piece, or the end with the error, if there was one. */
  async next(number: number): Promise<void> {
    const download = this.#running.get(number)
    if (!download) return
    try {
      const { value, done } = await download.pieces.next()
      if (done) this.#running.delete(number)
      const bytes = done ? undefined : value
      this.#answer({ type: 'piece', download: number, bytes, error: undefined }, bytes ? [bytes.buffer] : [])
    } catch (error) {
      this.#running.delete(number)
      if (download.abort.signal.aborted) return
      this.#answer({ type: 'piece', download: number, bytes: undefined, error: this.#tell(error) })
    }
  }

  end(number: number): void {
    const download = this.#running.get(number)
    this.#running.delete(number)
    download?.abort.abort()
    void download?.pieces.return(undefined).catch(() => {})
  }

  endAll(): void {
    for (const number of [...this.#running.keys()]) this.end(number)
  }
}
