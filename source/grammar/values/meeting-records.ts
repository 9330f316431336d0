// Which rules give records that stand where other records may stand, anywhere in a grammar: these say what they are. In linear time: of each place it is known
// whether it may have none, one, or several kinds of records, before any are looked for.

import type { RecordShape, ValueShape } from './value-shape.ts'

/** The record that may be somewhere, if there is only one. */
type Found = RecordShape | 'several' | undefined

/** The rules whose records meet others: as values, as items of arrays, and as fields of one name. `shapes`: those of all rules. */
export function findMeetingRecords(shapes: ReadonlyMap<string, ValueShape>): ReadonlySet<string> {
  const found = findRecords(shapes)
  const meeting = new Set<string>()
  const entered = new Set<string>()
  const markAll = (places: readonly ValueShape[]): void => {
    const waiting = [...places]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (next.kind === 'record' && next.rule !== undefined) meeting.add(next.rule)
      if (next.kind === 'rule') {
        if (entered.has(next.name)) continue
        entered.add(next.name)
        waiting.push(shapes.get(next.name) as ValueShape)
      }
      for (const inner of innerOf(next)) waiting.push(inner)
    }
  }
  const visit = (shape: ValueShape): void => {
    const places = shape.kind === 'record' ? fieldsOf(shape) : shape.kind === 'union' ? [shape.members] : []
    for (const place of places) if (findIn(place, (name) => found.get(name)) === 'several') markAll(place)
    const inner = shape.kind === 'record' ? places.flat() : innerOf(shape)
    for (const one of inner) visit(one)
  }
  for (const shape of shapes.values()) visit(shape)
  return meeting
}

/** The shapes of the fields of each name. */
function fieldsOf({ variants }: RecordShape): ValueShape[][] {
  const fields = new Map<string, ValueShape[]>()
  for (const variant of variants) {
    for (const { name, shape } of variant) {
      const places = fields.get(name)
      if (places) places.push(shape)
      else fields.set(name, [shape])
    }
  }
  return [...fields.values()]
}

/** What may stand in the place of a shape, or in arrays that do. */
function innerOf(shape: ValueShape): readonly ValueShape[] {
  if (shape.kind === 'union') return shape.members
  return shape.kind === 'array' ? [shape.item] : []
}

function findIn(places: readonly ValueShape[], ofRule: (name: string) => Found): Found {
  let found: Found
  for (const place of places) {
    const inner =
      place.kind === 'record' ? place : place.kind === 'rule' ? ofRule(place.name) : findIn(innerOf(place), ofRule)
    found = join(found, inner)
  }
  return found
}

function join(one: Found, other: Found): Found {
  if (one === undefined || other === undefined) return one ?? other
  return one === other ? one : 'several'
}

/** What records the values of rules may be. */
function findRecords(shapes: ReadonlyMap<string, ValueShape>): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>()
  /** The rules whose values may be those of a rule. */
  const users = new Map<string, string[]>()
  for (const [rule, shape] of shapes) {
    const own = findIn([shape], (name) => {
      const known = users.get(name)
      if (known) known.push(rule)
      else users.set(name, [rule])
      return undefined
    })
    found.set(rule, own)
  }
  const changed = [...found.keys()].filter((rule) => found.get(rule) !== undefined)
  for (let rule = changed.pop(); rule !== undefined; rule = changed.pop()) {
    for (const user of users.get(rule) ?? []) {
      const before = found.get(user)
      const after = join(before, found.get(rule))
      if (after === before) continue
      found.set(user, after)
      changed.push(user)
    }
  }
  return found
}
