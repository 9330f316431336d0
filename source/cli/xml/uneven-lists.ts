// Lists of values of the same elements, such as all names and all times of `testcase`: they do not go together where one of the elements lacks a value.

import { type Counter, count, keepFirst } from '../../record/report.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { allBut, joinSteps, stepsOf } from '../options/shape-options.ts'

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
  const say = (found: number) => [warn(pairs[found] as Pair)]
  return pairs.length === 0 ? [] : count('uneven', keepFirst, { on: 'written', dataOf, say })
}

function warn({ element, lists }: Pair): string {
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
