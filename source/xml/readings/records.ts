// Records of a document: in the batches of a format, as the bytes that the format makes of them, and as objects.

import type { Delivery } from '../delivery.ts'
import type { Collected, Collector, CollectorOptions, Format, FormatOptions, FormatWriter } from '../format/format.ts'
import type { RecordView } from '../output/record-view.ts'
import { RecordWriter } from '../output/record-writer.ts'
import { Projector } from '../projection/projector.ts'
import type { RecordValues } from '../projection/shape.ts'
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
  const { plan } = projection
  const { limit = Number.POSITIVE_INFINITY } = options
  const collector = format.collect({ ...options, limit, plan, isWanted, hasEnds: delivery !== undefined })
  const make = (record: RecordView) => collector.add(record)
  const writer = new RecordWriter({ isLenient, conditions, parse: parsing.module?.parseElement, make })
  const projector = new Projector({ projection, writer, lineForm: collector.form })
  let failure: { readonly error: unknown } | undefined
  try {
    for await (const parser of run(projector)) {
      parser.hold(projector.retainedFrom)
      for (const { batch, ends } of collector.take(writer.take())) {
        delivery?.note(ends)
        yield batch
      }
    }
  } catch (error) {
    failure = { error }
  }
  for (const { batch, ends } of collector.finish()) {
    delivery?.note(ends)
    yield batch
  }
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
export const format: Format<RecordValues[]> = { collect: (options) => new ObjectCollector(options) }

class ObjectCollector implements Collector<RecordValues[]> {
  readonly #options: CollectorOptions
  readonly #ends: number[] = []

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  add(record: RecordView): RecordValues | undefined {
    const { isWanted, hasEnds } = this.#options
    if (!isWanted && !hasEnds) return record.build()
    if (isWanted && !isWanted(record.values)) return undefined
    record.addLate()
    if (hasEnds) this.#ends.push(record.end)
    return record.values
  }

  take(items: RecordValues[]): Collected<RecordValues[]>[] {
    return items.length === 0 ? [] : [{ batch: items, ends: this.#ends.splice(0, items.length) }]
  }

  finish(): never[] {
    return []
  }
}
