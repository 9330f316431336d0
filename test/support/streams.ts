// Streams that are read to their end.

export async function collect<Item>(items: AsyncIterable<Item> | ReadableStream<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items as AsyncIterable<Item>) collected.push(item)
  return collected
}

export async function failure(
  items: AsyncIterable<unknown> | ReadableStream<unknown>,
): Promise<{ items: unknown[]; error: unknown }> {
  const collected: unknown[] = []
  try {
    for await (const item of items as AsyncIterable<unknown>) collected.push(item)
  } catch (error) {
    return { items: collected, error }
  }
  throw new Error('it did not fail')
}
