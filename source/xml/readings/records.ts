// Records of a document: in the batches of a format, as the bytes that the format makes of them, and as objects.

import type { Delivery } from '../delivery.ts'
import type { Collected, Format, FormatOptions, FormatWriter } from '../format/format.ts'
import type { RecordView } from '../output/record-view.ts'
import { RecordWriter } from '../output/record-writer.ts'
import { Projector } from '../projection/projector.ts'
import type { RecordValues } from '../question/shape.ts'
import type { RunParser } from './reading.ts'
import type { RecordQuestion } from './record-question.ts'
import { parsing } from './rest.ts'

/** Yields batches of at least one record. The last one may come after an error, which is thrown then. */
export async function* readRecords<Batch>(
  run: RunParser,
  { projection, conditions, isWanted, isLenient }: RecordQuestion,
  format: Format<Batch>,
  options: FormatOptions & { readonly limit?: number | undefined },
  delivery: Delivery | undefined,
): AsyncGenerator<Batch, void, undefined> {
  let { limit: left = Number.POSITIVE_INFINITY } = options
  /** Offsets after the records that are not delivered yet. */
  const ends: number[] = []
  const collector = format.collect(projection.plan, options)
  const make = (record: RecordView): RecordValues | undefined => {
    if (left <= 0 || (isWanted && !isWanted(record.values))) return undefined
    const item = collector.add(record)
    left--
    if (delivery) ends.push(record.end)
    return item
  }
  const writer = new RecordWriter({ isLenient, conditions, parse: parsing.module?.parseElement, make })
  const projector = new Projector({ projection, writer, lineForm: collector.form })
  const batchesOf = function* (collected: readonly Collected<Batch>[]): Generator<Batch, void, undefined> {
    for (const { batch, records } of collected) {
      delivery?.note(ends.splice(0, records))
      yield batch
    }
  }
  let failure: { readonly error: unknown } | undefined
  try {
    for await (const parser of run(projector)) {
      parser.hold(projector.retainedFrom)
      yield* batchesOf(collector.take(writer.take()))
      if (left <= 0) yield* batchesOf(collector.finish())
    }
  } catch (error) {
    failure = { error }
  }
  yield* batchesOf(collector.finish())
  if (failure) throw failure.error
}

/** Yields the bytes of one output: what its writer makes of batches. The beginning comes with the first of them, and before an error. */
export async function* writeBatches<Batch>(
  writer: FormatWriter<Batch>,
  batches: AsyncGenerator<Batch, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isComplete = false
  let beginning: Uint8Array = NO_BYTES
  const withBeginning = (bytes: Uint8Array): Uint8Array[] => {
    const all = beginning.length === 0 ? bytes : new Uint8Array(beginning.length + bytes.length)
    if (all !== bytes) {
      all.set(beginning)
      all.set(bytes, beginning.length)
      beginning = NO_BYTES
    }
    return all.length === 0 ? [] : [all]
  }
  try {
    beginning = await writer.begin()
    for await (const batch of batches) for (const bytes of withBeginning(await writer.write(batch))) yield bytes
    yield* withBeginning(await writer.end())
    isComplete = true
  } catch (error) {
    yield* withBeginning(NO_BYTES)
    throw error
  } finally {
    if (!isComplete) {
      await batches.return()
      await writer.abandon?.()
    }
  }
}

const NO_BYTES = new Uint8Array(0)

/** The format of objects, which needs nothing but this module. */
export const format: Format<RecordValues[]> = {
  collect: () => ({
    add: (record) => record.complete(),
    take: (items) => (items.length === 0 ? [] : [{ batch: items, records: items.length }]),
    finish: () => [],
  }),
}
