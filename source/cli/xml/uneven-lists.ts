// Lists of values of the same elements, such as all names and all times of `testcase`: they do not go together where one of the elements lacks a value.

import type { RecordView } from '../../xml/output/record-view.ts'
import { allBut, joinSteps, stepsOf } from '../options/shape-options.ts'
import { tell } from '../terminal/terminal.ts'

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

/** Looks for lists of the same elements with different lengths, and warns of the first two at the end. */
export class UnevenLists {
  readonly #pairs: readonly Pair[]
  /** The place among the pairs of the first one that is uneven. */
  #found: number | undefined

  constructor(shape: ReadonlyMap<string, unknown>) {
    const lists = [...shape].flatMap(([name, field]) => listOf(name, field))
    this.#pairs = lists.flatMap((list, i) => lists.slice(i + 1).flatMap((other) => pairOf(list, other)))
  }

  /** Looks at a record; undefined where no lists can be uneven. */
  get look(): ((record: RecordView) => void) | undefined {
    if (this.#pairs.length === 0) return undefined
    return (record) => {
      if (this.#found !== undefined) return
      this.add(this.#pairs.findIndex(({ lists }) => record.countOf(lists[0].name) !== record.countOf(lists[1].name)))
    }
  }

  /** The place of the pair that was found; -1 for none. */
  get found(): number {
    return this.#found ?? -1
  }

  /** Adds what others have found later. */
  add(found: number): void {
    if (found !== -1) this.#found ??= found
  }

  /** Warns on standard error, if there were any. */
  report(): void {
    const pair = this.#pairs[this.found]
    if (!pair) return
    const { element, lists } = pair
    const [one, other] = lists
    const fields = lists.map(({ name, path }) => `--field 'list[].${name}=${path === element ? `${path}/.` : path}'`)
    tell(
      `xylem: warning: ${one.name} and ${other.name} are lists of the same elements (${element}) with different lengths in some records, ` +
        `so their values do not go together; a list of records keeps them together: ${fields.join(' ')}`,
    )
  }
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
