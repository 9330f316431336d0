// Records of a document as lines of text.

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
): AsyncGenerator<Item, void, undefined> {
  const { plan } = projection
  const lines = new RecordLines({ plan, format, hasNulls, isWanted })
  const make = lines.add.bind(lines)
  const parse = parsing.module?.parseElement
  const writer = new ObjectWriter({ isLenient, conditions, parse, make, lines: lines.taker })
  const projector = new Projector({ projection, writer, lineForm: lines.form })
  for await (const parser of run(projector)) {
    parser.hold(projector.retainedFrom)
    const batch = lines.take()
    if (batch) yield itemOf(batch)
  }
}
