// Records of a document as columns.

import type { Delivery } from '../delivery.ts'
import type { ColumnBatch } from '../output/column.ts'
import { ObjectWriter } from '../output/objects.ts'
import { RecordColumns } from '../output/record-columns.ts'
import { Projector } from '../projection/projector.ts'
import type { RunParser } from './reading.ts'
import type { RecordQuestion } from './record-question.ts'
import { parsing } from './rest.ts'

/** Yields batches of at most so many rows, and the last one when no more records come: at the end, or because of an error. */
export async function* readColumns(
  run: RunParser,
  { projection, conditions, isWanted, isLenient }: RecordQuestion,
  rows: number,
  delivery: Delivery | undefined,
): AsyncGenerator<ColumnBatch, void, undefined> {
  const { plan } = projection
  const columns = new RecordColumns({ plan, rows, isWanted })
  const parse = parsing.module?.parseElement
  const writer = new ObjectWriter({ isLenient, conditions, parse, make: columns.add.bind(columns) })
  const projector = new Projector({ projection, writer, lineForm: columns.form })
  let failure: { readonly error: unknown } | undefined
  try {
    for await (const parser of run(projector)) {
      parser.hold(projector.retainedFrom)
      yield* deliver(columns.take(), delivery)
    }
  } catch (error) {
    failure = { error }
  }
  yield* deliver(columns.finish(), delivery)
  if (failure) throw failure.error
}

function* deliver(found: ReturnType<RecordColumns['take']>, delivery: Delivery | undefined): Generator<ColumnBatch> {
  for (const { batch, end } of found) {
    delivery?.note([end])
    yield batch
  }
}
