// Records of a document as objects.

import type { FoundRecord } from '../output/found-record.ts'
import { ObjectWriter } from '../output/objects.ts'
import { Projector } from '../projection/projector.ts'
import type { RecordValues } from '../projection/shape.ts'
import type { RunParser } from './reading.ts'
import type { RecordQuestion } from './record-question.ts'
import { parsing } from './rest.ts'

/** Yields the records in arrays of at least one. */
export async function* readRecords(
  run: RunParser,
  { projection, conditions, isWanted, isLenient }: RecordQuestion,
): AsyncGenerator<RecordValues[], void, undefined> {
  const make = isWanted && filtered(isWanted)
  const parse = parsing.module?.parseElement
  const writer = new ObjectWriter({ isLenient, conditions, make, parse })
  const projector = new Projector({ projection, writer })
  for await (const parser of run(projector)) {
    const records = writer.take()
    parser.hold(projector.retainedFrom)
    if (records.length > 0) yield records
  }
}

/** What becomes of a record if a function decides. */
function filtered(isWanted: (record: RecordValues) => boolean): (record: FoundRecord) => RecordValues | undefined {
  return (record) => {
    if (!isWanted(record.values)) return undefined
    record.addLate()
    return record.values
  }
}
