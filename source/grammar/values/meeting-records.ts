// Which rules give records that stand where other records may stand, anywhere in a grammar: these say what they are. In linear time: of each place it is known
// whether it may have none, one, or several kinds of records, before any are looked for.

import { findComponents } from '../facts/components.ts'
import { addTo } from '../facts/multimap.ts'
import type { RecordShape, ValueShape } from './value-shape.ts'

/** The record that may be somewhere, if there is only one. */
type Found = RecordShape | 'several' | undefined

/** The rules whose records meet others: as values, as items of arrays, and as fields of one name. `shapes`: those of all rules. */
export function findMeetingRecords(shapes: ReadonlyMap<string, ValueShape>): ReadonlySet<string> {
  const ofRules = new Map<string, Found>()
  const nextOf = (name: string) => rulesIn(shapes.get(name) as ValueShape)
  // What rules may be that lead to each other is the same, and what they lead to otherwise comes before them.
  for (const names of findComponents(shapes.keys(), nextOf)) {
    const found = findIn(
      names.map((name) => shapes.get(name) as ValueShape),
      ofRules,
    )
    for (const name of names) ofRules.set(name, found)
  }
  const meeting = new Set<string>()
  const entered = new Set<string>()
  const mark = (shape: ValueShape): void => {
    if (shape.kind === 'record' && shape.rule !== undefined) meeting.add(shape.rule)
    for (const inner of innerOf(shape)) mark(inner)
    if (shape.kind !== 'rule' || entered.has(shape.name)) return
    entered.add(shape.name)
    waiting.push(shapes.get(shape.name) as ValueShape)
  }
  // Without recursion from rule to rule: they may refer to each other to any depth.
  const waiting = [...shapes.values()]
    .flatMap(placesIn)
    .filter((place) => findIn(place, ofRules) === 'several')
    .flat()
  for (const shape of waiting) mark(shape)
  return meeting
}

/** The places in a shape, and what may stand there: the members of a union, and the fields of each name. */
function placesIn(shape: ValueShape): (readonly ValueShape[])[] {
  if (shape.kind !== 'record') return [innerOf(shape), ...innerOf(shape).flatMap(placesIn)]
  const fields = new Map<string, ValueShape[]>()
  for (const field of shape.variants.flat()) addTo(fields, field.name, field.shape)
  return [...fields.values()].flatMap((place) => [place, ...place.flatMap(placesIn)])
}

/** What may stand in the place of a shape, or in arrays that do. */
function innerOf(shape: ValueShape): readonly ValueShape[] {
  if (shape.kind === 'union') return shape.members
  return shape.kind === 'array' ? [shape.item] : []
}

/** The rules that may stand there. */
function rulesIn(shape: ValueShape): string[] {
  return shape.kind === 'rule' ? [shape.name] : innerOf(shape).flatMap(rulesIn)
}

function findIn(places: readonly ValueShape[], ofRules: ReadonlyMap<string, Found>): Found {
  let found: Found
  for (const place of places) {
    const inner =
      place.kind === 'record'
        ? place
        : place.kind === 'rule'
          ? ofRules.get(place.name)
          : findIn(innerOf(place), ofRules)
    if (inner !== undefined) found = found === undefined || found === inner ? inner : 'several'
  }
  return found
}
