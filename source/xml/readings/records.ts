// Records of a document as objects.

import type { Delivery } from '../delivery.ts'
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
  delivery: Delivery | undefined,
): AsyncGenerator<RecordValues[], void, undefined> {
  const ends: number[] = []
  const wanted = isWanted ?? (delivery && (() => true))
  const make = wanted && filtered(wanted, delivery && ends)
  const parse = parsing.module?.parseElement
  const writer = new ObjectWriter({ isLenient, conditions, make, parse })
  const projector = new Projector({ projection, writer })
  for await (const parser of run(projector)) {
    const records = writer.take()
    parser.hold(projector.retainedFrom)
    if (records.length === 0) continue
    delivery?.note(ends.splice(0, records.length))
    yield records
  }
}

/** Makes the values of records that a function accepts; `ends` gets the offsets after these. */
function filtered(
  isWanted: (record: RecordValues) => boolean,
  ends: number[] | undefined,
): (record: FoundRecord) => RecordValues | undefined {
  return (record) => {
    if (!isWanted(record.values)) return undefined
    record.addLate()
    ends?.push(record.end)
    return record.values
  }
}
