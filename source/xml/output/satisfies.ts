// Conditions on records.

import type { Value } from '../../record/value.ts'
import type { FieldPlan } from '../question/plan.ts'
import type { WherePlan } from '../question/where.ts'
import type { Looking, RecordReader } from './record-reader.ts'

type Test = (value: Value) => boolean

/** Whether a condition holds of a record. A condition on a record in it that is not there does not. */
export function satisfies(
  reader: RecordReader,
  record: number,
  { fields, computed, anyOf }: WherePlan,
  looking: Looking = 'one',
): boolean {
  if (anyOf) return anyOf.some((all) => all.every((one) => satisfies(reader, record, one, looking)))
  if (!computed) {
    for (const { path, test } of fields) if (holds(reader, record, path, 0, test, looking)) return true
    return false
  }
  const read = (name: string): Value => {
    const path = fields[computed.reads.indexOf(name)]?.path ?? []
    const entry = reader.entryOf(record, path.slice(0, -1))
    return entry === 0 ? undefined : reader.valueOf(entry, path.at(-1) as FieldPlan, looking)
  }
  return fields[0]?.test(computed.valueOf(read)) ?? false
}

/** Whether a test holds of a field to which a path leads from a record. */
function holds(
  reader: RecordReader,
  record: number,
  path: readonly FieldPlan[],
  from: number,
  test: Test,
  looking: Looking,
): boolean {
  const field = path[from] as FieldPlan
  const inner = path[from + 1]
  if (!inner) return test(reader.valueOf(record, field, looking))
  const { captures, texts } = reader
  const options = field.record?.options
  for (let entry = captures.firstOf(record, field.slot); entry !== 0; entry = captures.next(entry)) {
    const isThere = !texts.isAbsent(field, entry) && !captures.isNil(entry)
    const option = isThere ? options && reader.optionOf(options, entry) : undefined
    if (isThere && (!options || option)) {
      const hasField = !option || option.includes(inner)
      if (hasField ? holds(reader, entry, path, from + 1, test, looking) : test(undefined)) return true
    }
    if (!field.isList) return false
  }
  return false
}
