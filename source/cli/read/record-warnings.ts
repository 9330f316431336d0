// What is warned of once records were read: matches in other matches, and lists that do not go together.

import { type Counter, count, keepFirst } from '../../record/report.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { allBut, joinSteps, stepsOf } from '../options/shape-options.ts'

/** Elements that match, but lie in another one that does: by default the outer one becomes a record, and they do not. */
interface InnerCount {
  readonly matches: number
  readonly records: number
}

/** Counts matches in records, and these records. */
export function countInner(): Counter<RecordView, InnerCount> {
  const join = ({ matches, records }: InnerCount = { matches: 0, records: 0 }, later: InnerCount) => ({
    matches: matches + later.matches,
    records: records + later.records,
  })
  const dataOf = ({ innerMatches: matches }: RecordView) => (matches > 0 ? { matches, records: 1 } : undefined)
  return count('inner', join, { on: 'written', dataOf, say: warnOfInner })
}

function warnOfInner({ matches, records }: InnerCount): string[] {
  const [lie, were] = matches === 1 ? ['element lies', 'was'] : ['elements lie', 'were']
  const [inner, outer] = [matches, records].map((count) => count.toLocaleString('en'))
  return [
    `xylem: warning: ${inner} matching ${lie} in ${outer} ${records === 1 ? 'record' : 'records'} and ${were} left out; --nested all gives all of them`,
  ]
}

// Lists of values of the same elements, such as all names and all times of `testcase`: they do not go together where one of the elements lacks a value.

/** A list of values that a path leads to. */
interface ValueList {
  readonly name: string
  readonly path: string
  /** The paths of elements that its values are of: that of the last step, and the one before it. */
  readonly elements: readonly string[]
}

/** Two lists of the same elements. */
interface Pair {
  readonly element: string
  readonly lists: readonly [ValueList, ValueList]
}

/** Looks for lists of the same elements with different lengths, and warns of the first two. Gives none where no lists can be uneven. */
export function countUneven(shape: ReadonlyMap<string, unknown>): Counter<RecordView, number> | [] {
  const lists = [...shape].flatMap(([name, field]) => listOf(name, field))
  const pairs = lists.flatMap((list, i) => lists.slice(i + 1).flatMap((other) => pairOf(list, other)))
  const isUneven = (record: RecordView, { lists: [one, other] }: Pair) =>
    record.countOf(one.name) !== record.countOf(other.name)
  /** The place among the pairs of the first one that is uneven. */
  const dataOf = (record: RecordView, known: number | undefined) => {
    const found = known === undefined ? pairs.findIndex((pair) => isUneven(record, pair)) : -1
    return found === -1 ? undefined : found
  }
  const say = (found: number) => [warnOfUneven(pairs[found] as Pair)]
  return pairs.length === 0 ? [] : count('uneven', keepFirst, { on: 'written', dataOf, say })
}

function warnOfUneven({ element, lists }: Pair): string {
  const [one, other] = lists
  const fields = lists.map(({ name, path }) => `--field 'list[].${name}=${path === element ? `${path}/.` : path}'`)
  return (
    `xylem: warning: ${one.name} and ${other.name} are lists of the same elements (${element}) with different lengths in some records, ` +
    `so their values do not go together; a list of records keeps them together: ${fields.join(' ')}`
  )
}

/** A list that has all values of its path. */
function listOf(name: string, field: unknown): ValueList | [] {
  const [one] = Array.isArray(field) ? field : []
  const { path, as: _, ...more } = typeof one === 'string' ? { path: one } : (one ?? {})
  if (typeof path !== 'string' || Object.keys(more).length > 0) return []
  const steps = stepsOf(path)
  const isOfElement = !/^(?:@|name\(\)$)/.test(steps.at(-1) ?? '')
  const elements = [...(isOfElement ? [steps] : []), allBut(steps, 1)].map(joinSteps)
  return { name, path: joinSteps(steps), elements: elements.filter((element) => element !== '') }
}

function pairOf(one: ValueList, other: ValueList): Pair | [] {
  const element = one.elements.find((path) => other.elements.includes(path))
  return element === undefined || one.path === other.path ? [] : { element, lists: [one, other] }
}
