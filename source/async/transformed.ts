// Items of a source on their way through a generator.

import { CancellableGenerator } from './cancellable-generator.ts'

/**
 * What `through` makes of the items of a source. Leaving it, also while it waits, returns from the source first: a generator by itself would
 * wait for the item that it has asked for.
 */
export function transformed<In, Out>(
  source: AsyncIterable<In>,
  through: (items: AsyncIterable<In>) => AsyncGenerator<Out, void, undefined>,
): AsyncIterable<Out> {
  return {
    [Symbol.asyncIterator]() {
      const items = source[Symbol.asyncIterator]()
      return new CancellableGenerator(({ signal }) => {
        signal.addEventListener('abort', () => void items.return?.())
        return through({ [Symbol.asyncIterator]: () => items })
      })
    },
  }
}
