// Readable streams of items that are made when somebody reads them.

import { withCode } from './errors.ts'

/** What a source of items does with its stream. */
interface ItemController<Item> {
  enqueue(item: Item): void
  close(): void
}

/** Where the items of a stream come from. */
export interface ItemSource<Item> {
  /** Gets what ends the stream with an error at any time. */
  start?(fail: (reason: unknown) => void): void
  pull(controller: ItemController<Item>): Promise<void>
  cancel(reason: unknown): Promise<void>
  /** Whether nobody else has the memory of the chunks. Otherwise they are copied. */
  readonly givesMemory?: boolean
}

/** A stream of items, which can be read in arrays instead. */
export interface ItemStream<Item> extends ReadableStream<Item> {
  /**
   * The items in arrays of at least one, with one read for each array: a read takes longer than a small record. The stream of single items is locked from then on.
   * Throws a `TypeError` with the code `stream-read` if somebody reads that, or has begun to.
   */
  batches(): ReadableStream<Item[]>
}

/** A stream that asks for items only when somebody reads. */
export function makeItemStream<Item>(source: ItemSource<Item>): ReadableStream<Item> {
  return new ReadableStream<Item>(
    {
      start: (controller) => source.start?.((reason) => controller.error(reason)),
      pull: (controller) => source.pull(controller),
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** The items that each call of `pull` brings are an array of `batches`. */
export function makeBatchedStream<Item>(source: ItemSource<Item>): ItemStream<Item> {
  let isBegun = false
  const pull: typeof source.pull = (controller) => {
    isBegun = true
    return source.pull(controller)
  }
  const stream = makeItemStream<Item>({ ...source, pull })
  const batches = () => {
    if (isBegun || stream.locked) throw withCode(new TypeError('the items are already read one by one'), 'stream-read')
    const { closed } = stream.getReader()
    return makeItemStream<Item[]>({
      ...source,
      start: (fail) => void closed.catch(fail),
      async pull(controller) {
        const items: Item[] = []
        await source.pull({ enqueue: (item) => items.push(item), close: () => controller.close() })
        if (items.length > 0) controller.enqueue(items)
      },
    })
  }
  return Object.assign(stream, { batches })
}

/** A stream of the chunks of a source: a byte stream if the platform has those. The chunks that are read have memory of their own. */
export function makeByteStream(source: ItemSource<Uint8Array>): ReadableStream<Uint8Array> {
  const pull = (controller: ReadableByteStreamController): Promise<void> =>
    source.pull({
      // What is enqueued is taken away from whoever else has it.
      enqueue: (bytes) =>
        controller.enqueue(source.givesMemory ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)),
      close() {
        controller.close()
        // Whoever waits with memory of their own gets that back.
        controller.byobRequest?.respond(0)
      },
    })
  try {
    return new ReadableStream({
      type: 'bytes',
      start: (controller) => source.start?.((reason) => controller.error(reason)),
      pull,
      cancel: (reason) => source.cancel(reason),
    })
  } catch {
    return makeItemStream(source)
  }
}
