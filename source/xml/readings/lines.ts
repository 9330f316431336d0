// Records of a document as lines of text.

import type { Delivery } from '../delivery.ts'
import type { FoundRecord } from '../output/found-record.ts'
import { ObjectWriter } from '../output/objects.ts'
import { type LineBatch, RecordLines, type RecordLinesOptions } from '../output/record-lines.ts'
import { Projector } from '../projection/projector.ts'
import type { RunParser } from './reading.ts'
import type { RecordQuestion } from './record-question.ts'
import { parsing } from './rest.ts'

/** Yields what a function gives for complete lines, one or more at a time. */
export async function* readLines<Item>(
  run: RunParser,
  { projection, conditions, isWanted, isLenient }: RecordQuestion,
  { format, hasNulls }: Pick<RecordLinesOptions, 'format' | 'hasNulls'>,
  itemOf: (batch: LineBatch) => Item,
  delivery: Delivery | undefined,
): AsyncGenerator<Item, void, undefined> {
  const { plan } = projection
  let end = 0
  const onAdd = delivery && ((record: FoundRecord) => (end = record.end))
  const lines = new RecordLines({ plan, format, hasNulls, isWanted, onAdd })
  const make = lines.add.bind(lines)
  const parse = parsing.module?.parseElement
  const writer = new ObjectWriter({ isLenient, conditions, parse, make, lines: lines.taker })
  const projector = new Projector({ projection, writer, lineForm: lines.form })
  for await (const parser of run(projector)) {
    parser.hold(projector.retainedFrom)
    const batch = lines.take()
    if (!batch) continue
    delivery?.note([end])
    yield itemOf(batch)
  }
}
