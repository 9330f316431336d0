// Records from JSON lines: objects are made on the page, from bytes, because an object in a message costs more than reading it. Those with numbers of
// 64 bits come as objects, because JSON as JavaScript reads it has none.

import type { RecordValues, Value } from '../record/value.ts'

/** Bytes that are made into objects at a time: with reading these one by one, some ten milliseconds of work. */
const PIECE = 64 * 1024
const LINE_FEED = 10

const decoder = new TextDecoder()

/** Yields the records in arrays of at least one. `addDates` makes them what they are. */
export function* parseRecords(
  lines: Uint8Array,
  addDates?: (record: RecordValues) => void,
): Generator<RecordValues[], void, undefined> {
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf(LINE_FEED, from + PIECE)
    const to = end === -1 ? lines.length : end + 1
    // Strings in JSON have no line feeds. One call for many lines takes two thirds of the time of a call for each.
    const text = decoder.decode(lines.subarray(from, to)).trimEnd()
    const records = JSON.parse(`[${text.replaceAll('\n', ',')}]`) as RecordValues[]
    if (addDates) for (const record of records) addDates(record)
    yield records
    from = to
  }
}

/** What puts dates into a record of a shape where JSON has texts; undefined if it has no dates. The worker finds what is wrong with a shape. */
export function dateAdder(shape: unknown): ((record: RecordValues) => void) | undefined {
  const makers = Object.entries(shape ?? {}).flatMap(([name, given]) => {
    const make = dateMaker(given)
    return make ? [[name, make] as const] : []
  })
  if (makers.length === 0) return undefined
  return (record) => {
    for (const [name, make] of makers) if (Object.hasOwn(record, name)) record[name] = make(record[name])
  }
}

function dateMaker(given: unknown): ((value: Value) => Value) | undefined {
  if (Array.isArray(given)) {
    const make = dateMaker(given[0])
    return make && ((values) => (values as Value[]).map(make))
  }
  const { as, fields, oneOf } = (given ?? {}) as { as?: unknown; fields?: unknown; oneOf?: unknown }
  if (as === 'date') return (value) => (typeof value === 'string' ? new Date(value) : value)
  const add = dateAdder(Array.isArray(oneOf) ? Object.assign({}, ...oneOf) : fields)
  return (
    add &&
    ((record) => {
      // In a list, a record may be null.
      if (record) add(record as RecordValues)
      return record
    })
  )
}

/** Whether a field of a shape, or of a record in it, is of a kind. */
export function hasKind(shape: unknown, kind: string): boolean {
  if (typeof shape !== 'object' || shape === null) return false
  return Object.entries(shape).some(([name, one]) => (name === 'as' && one === kind) || hasKind(one, kind))
}

/** Records without the keys of absent values, as JSON has them. */
export function dropAbsent<One>(value: One): One {
  if (Array.isArray(value)) return value.map((one) => dropAbsent(one) ?? null) as One
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const present = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(present.map(([name, one]) => [name, dropAbsent(one)])) as One
}
