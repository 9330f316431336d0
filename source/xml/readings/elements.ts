// Elements of a document that paths match.

import type { Delivery } from '../delivery.ts'
import type { SelectOptions } from '../options.ts'
import { Selector, type SelectorOptions } from '../selector.ts'
import type { XmlElement } from '../tree/element.ts'
import type { RunParser } from './reading.ts'
import type { Recovery } from './recovery.ts'

/** Yields the elements in arrays of at least one. */
export async function* readElements(
  run: RunParser,
  options: SelectorOptions,
  where: SelectOptions['where'],
  delivery: Delivery | undefined,
  recovery: Recovery | undefined,
): AsyncGenerator<XmlElement[], void, undefined> {
  let selector!: Selector
  const make = () => {
    selector = new Selector(options)
    return selector
  }
  const children = options.projection.paths[0]?.children ?? []
  const isWanted =
    children.length === 0 ? where : (element: XmlElement) => element.hasChildren(children) && (where?.(element) ?? true)
  for await (const parser of run(make, recovery)) {
    parser.hold(selector.retainedFrom)
    const all = selector.take()
    for (const elements of isWanted ? filterElements(all, isWanted) : [all]) {
      if (elements.length === 0) continue
      delivery?.note(elements.map(({ end }) => end))
      yield elements
    }
  }
}

/** Those that are wanted. When the predicate throws, those before it are given first. */
function* filterElements(
  all: readonly XmlElement[],
  where: NonNullable<SelectOptions['where']>,
): Generator<XmlElement[], void, undefined> {
  const wanted: XmlElement[] = []
  try {
    for (const element of all) if (where(element)) wanted.push(element)
  } catch (error) {
    if (wanted.length > 0) yield wanted
    throw error
  }
  yield wanted
}
