// Parts of a source: the loop that waits, round the machine that does not.

import { breathe } from '../async/breathe.ts'
import { CancellableGenerator } from '../async/cancellable-generator.ts'
import { BatchedItems } from '../async/items.ts'
import { EXCERPT_CONTEXT, explainFailure } from '../machine/failure/failure.ts'
import { Recovery } from '../machine/failure/recovery.ts'
import type { Program } from '../machine/program/program.ts'
import type { EngineName } from '../machine/run/engine.ts'
import type { MachineLimits } from '../machine/run/limits.ts'
import type { Machine, Outcome } from '../machine/run/machine.ts'
import { acquireMachine, releaseMachine } from '../machine/run/pool.ts'
import type { Parts } from '../machine/tree/tape.ts'
import { TextPosition } from '../machine/tree/text-position.ts'
import { Cursor, hasArrived } from '../stream/cursor.ts'
import { LimitError } from '../stream/errors.ts'
import { InputLimit } from '../stream/input-limit.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import { StreamCache } from '../stream/stream-cache.ts'
import type { ParseError } from '../text/parse-error.ts'
import { InvalidValue } from './values/invalid-value.ts'

/** Makes items of parts: calls `put` with each and the offset in the input after it. May throw, after those before the error. */
export type MakeItems<Item> = (parts: Parts, put: (item: Item, end: number) => void) => void

/** What a stream of parts needs to know. */
export interface PartStreamOptions {
  readonly limits: MachineLimits
  readonly engine?: EngineName | undefined
  readonly signal?: AbortSignal | undefined
  /** Bytes of a copy that parts may share (`LARGEST_SHARE`, unless it is said). */
  readonly largestShare?: number | undefined
  /** Gets the errors after which reading continues; without it, the first one is thrown. */
  readonly report?: ((error: ParseError) => void) | undefined
}

/** What is read, and how long. */
interface Reading {
  readonly cursor: Cursor
  readonly signal: AbortSignal
  readonly limit: InputLimit
}

/**
 * What is made of the parts that a grammar delivers, in the order in which they end. It can be read once.
 *
 * An error is thrown after all items before it were delivered. Leaving a loop early closes the source. If you pass a cursor, it is not
 * released: afterwards it is directly after the parsed input; after an error or a loop left early, it is after the last delivered item.
 * Lines and columns then count from the initial position of the cursor.
 */
export function readParts<Item>(
  source: ByteSource | Cursor,
  program: Program,
  options: PartStreamOptions,
  make: MakeItems<Item>,
): BatchedItems<Item> {
  /** Offset after the last item that was delivered. */
  let delivered = 0
  /** Offsets after the items of the current batch that were not taken, the last one first. */
  let ends: number[] = []
  const batches = new CancellableGenerator(({ signal }) => readBatches(signal), options.signal)
  const items = new BatchedItems(batches, options.signal, () => {
    delivered = ends.pop() ?? delivered
  })
  return items

  async function* readBatches(signal: AbortSignal): AsyncGenerator<Item[], void, undefined> {
    const lent = source instanceof Cursor ? source : undefined
    const cursor = open(source, options)
    const machine = acquireMachine(program, options.engine)
    delivered = cursor.offset
    const reading = { cursor, signal, limit: new InputLimit(cursor.offset, options.limits.maxInput) }
    try {
      signal.throwIfAborted()
      machine.begin(program, options.limits, new TextPosition(cursor.offset, 1, 1, 0))
      const recovery = new Recovery(machine)
      for (let outcome: Outcome = 'input'; outcome !== 'done'; ) {
        if (outcome === 'input') await feed(machine, reading)
        outcome = recovery.run()
        const isError = outcome === 'failed' || outcome === 'label' || outcome === 'malformed'
        // What is dropped has at least one byte.
        if (options.report && outcome === 'label' && machine.position === machine.inputEnd) await feed(machine, reading)
        const round = isError && options.report ? recovery.find(outcome) : undefined
        const taken = recovery.takeParts(options.largestShare)
        let dropped: ParseError | undefined
        if (round) {
          // Some parts before the round are certain only after it is dropped. They come before its error, which must not keep them back if `report` throws.
          await feedContext(machine, reading)
          dropped = recovery.drop(round, outcome)
          taken.push(...recovery.takeParts(options.largestShare))
        }
        const { batch, ends: made, skipped, failure } = makeItems(taken, make, options.report !== undefined)
        if (batch.length > 0) {
          ends = made.reverse()
          if (!items.isOneByOne) delivered = ends[0] as number
          yield batch
        }
        for (const invalid of skipped) {
          // What follows a round that was dropped is there, and more could push the part out of the window.
          if (!round) await feedContext(machine, reading, invalid.found.end)
          options.report?.(invalid.explain(machine))
        }
        const { error } = failure ?? {}
        if (error instanceof InvalidValue) {
          await feedContext(machine, reading, error.found.end)
          throw error.explain(machine)
        }
        if (failure) throw error
        if (dropped) options.report?.(dropped)
        if (isError && !round) {
          if (!options.report || !recovery.isOver(outcome)) {
            await feedContext(machine, reading)
            throw explainFailure(machine, outcome)
          }
          outcome = 'done'
        }
        delivered = outcome === 'done' ? machine.position : Math.max(delivered, machine.retainedFrom)
        if (lent) moveTo(lent, delivered)
        const turn = breathe()
        if (turn) await turn
        signal.throwIfAborted()
      }
    } finally {
      cursor.release()
      releaseMachine(machine)
      if (lent) moveTo(lent, delivered)
    }
  }
}

/** Items of parts, the offsets after them, the values that were left out, and the error that ended them. */
interface Made<Item> {
  readonly batch: Item[]
  readonly ends: number[]
  readonly skipped: readonly InvalidValue[]
  readonly failure: { readonly error: unknown } | undefined
}

/** `skips`: whether invalid values are left out. */
function makeItems<Item>(parts: readonly Parts[], make: MakeItems<Item>, skips: boolean): Made<Item> {
  const batch: Item[] = []
  const ends: number[] = []
  const skipped: InvalidValue[] = []
  const put = (item: Item, end: number): void => {
    batch.push(item)
    ends.push(end)
  }
  for (const some of parts) {
    for (let { roots } = some; roots.length > 0; ) {
      const before = batch.length
      try {
        make({ ...some, roots }, put)
        break
      } catch (error) {
        if (!skips || !(error instanceof InvalidValue)) return { batch, ends, skipped, failure: { error } }
        skipped.push(error)
        roots = roots.slice(batch.length - before + 1)
      }
    }
  }
  return { batch, ends, skipped, failure: undefined }
}

/** A cursor of our own at the start. */
function open(source: ByteSource | Cursor, { limits }: PartStreamOptions): Cursor {
  if (source instanceof Cursor) return source.clone()
  if (source instanceof StreamCache) return source.cursor()
  // The signal is watched where the stream waits: so its reason is thrown, and releasing the cursor closes the source.
  return StreamCache.from(source, { limits: { maxRetained: Math.max(1, limits.maxRetained) } }).cursor()
}

/** Gives the machine what has arrived, or waits for it. */
async function feed(machine: Machine, { cursor, signal, limit }: Reading): Promise<void> {
  let chunk = cursor.peekChunk()
  while (chunk.length === 0) {
    if (!(await cursor.fill(1, { signal }))) return machine.finish()
    chunk = cursor.peekChunk()
  }
  cursor.skip(machine.append(limit.cut(chunk, cursor.offset)))
}

/** Gives the machine what follows an error, as far as a message shows it and it is there. */
async function feedContext(
  machine: Machine,
  { cursor, signal, limit }: Reading,
  from = Math.max(machine.farthest, machine.position),
): Promise<void> {
  const end = from + EXCERPT_CONTEXT
  while (machine.inputEnd < end && machine.malformedAt === undefined) {
    if (!(await hasArrived(cursor, signal))) return
    try {
      const chunk = limit.cut(cursor.peekChunk(), cursor.offset)
      cursor.skip(machine.append(chunk.subarray(0, end - machine.inputEnd)))
    } catch (error) {
      if (error instanceof LimitError) return
      throw error
    }
  }
}

/** Moves a cursor forward to an offset; not where its user has released it or moved it further. */
function moveTo(cursor: Cursor, offset: number): void {
  if (cursor.available > 0 && offset > cursor.offset) cursor.skip(offset - cursor.offset)
}
