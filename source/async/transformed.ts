// Items of a source on their way through a generator.

import { CancellableGenerator } from './cancellable-generator.ts'

/**
 * What `through` makes of the items of a source. Leaving it, also while it waits, returns from the source first, once: a generator by itself would
 * wait for the item that it has asked for.
 */
export function transformed<In, Out>(
  source: AsyncIterable<In> | Iterable<In>,
  through: (items: AsyncIterable<In>) => AsyncGenerator<Out, void, undefined>,
): { [Symbol.asyncIterator](): CancellableGenerator<Out> } {
  return {
    [Symbol.asyncIterator]() {
      const items = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
      let leaving: Promise<IteratorResult<In>> | undefined
      const leave = () => {
        leaving ??= (async () => (await items.return?.()) ?? { done: true, value: undefined })()
        return leaving
      }
      const once = { next: () => items.next() as Promise<IteratorResult<In>>, return: leave }
      return new CancellableGenerator(({ signal }) => {
        // An error is that of whoever waits for the end of the generator.
        signal.addEventListener('abort', () => void leave().catch(() => {}))
        return through({ [Symbol.asyncIterator]: () => once })
      })
    },
  }
}
