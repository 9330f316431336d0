import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { BatchedItems } from '../../source/async/items.ts'
import { isBun } from '../support/runtime.ts'

/** Gives the arrays; says in `log` what becomes of it. */
async function* give(arrays: readonly number[][], log: string[] = [], error?: Error) {
  try {
    for (const array of arrays) {
      await sleep(0)
      yield array
    }
    if (error) throw error
  } finally {
    log.push('closed')
  }
}

async function collect(items: AsyncIterable<number>, into: number[] = []): Promise<number[]> {
  for await (const item of items) into.push(item)
  return into
}

describe('items of arrays', () => {
  test('come one by one and in order, those of empty arrays too', async () => {
    expect(await collect(new BatchedItems(give([[1, 2], [], [3], [4, 5, 6], []])))).toEqual([1, 2, 3, 4, 5, 6])
    expect(await collect(new BatchedItems(give([])))).toEqual([])
  })

  test('come in the order of the calls when none is waited for', async () => {
    const items = new BatchedItems(give([[1, 2], [3], [4, 5]]))
    const calls = Array.from({ length: 7 }, () => items.next())
    const results = await Promise.all(calls)
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5, undefined, undefined])
    expect(results.map(({ done }) => done)).toEqual([false, false, false, false, false, true, true])
  })

  test('come all before an error, and none after it', async () => {
    const items = new BatchedItems(give([[1, 2], [3]], [], new Error('broken')))
    const seen: number[] = []
    await expect(collect(items, seen)).rejects.toThrow('broken')
    expect(seen).toEqual([1, 2, 3])
    expect(await items.next()).toEqual({ done: true, value: undefined })
  })

  test.skipIf(isBun)('leave the loop that reads them in the stack of an error', async () => {
    async function* fail() {
      await sleep(0)
      yield [1]
      await sleep(0)
      throw new Error('deep')
    }
    async function readThem() {
      for await (const _ of new BatchedItems(fail()));
    }
    const error = await readThem().catch((one: Error) => one)
    expect(error?.stack).toContain('fail')
    expect(error?.stack).toContain('readThem')
  })

  test('end for all calls after the one that got an error', async () => {
    const items = new BatchedItems(give([[1]], [], new Error('broken')))
    const [one, two, three] = await Promise.allSettled([items.next(), items.next(), items.next()])
    expect(one).toMatchObject({ value: { value: 1 } })
    expect(two).toMatchObject({ status: 'rejected' })
    expect(three).toMatchObject({ value: { done: true } })
  })
})

describe('batches of items', () => {
  test('are the arrays as they come', async () => {
    const arrays: number[][] = []
    for await (const array of new BatchedItems(give([[1, 2], [3]])).batches()) arrays.push(array)
    expect(arrays).toEqual([[1, 2], [3]])
  })

  test('are refused as soon as an item was requested', async () => {
    const refusal = { name: 'TypeError', code: 'stream-read', message: 'the items are already read one by one' }
    const items = new BatchedItems(give([[1, 2], [3]]))
    const first = items.next()
    expect(() => items.batches()).toThrow(expect.objectContaining(refusal))
    expect(await first).toEqual({ done: false, value: 1 })
    expect(() => items.batches()).toThrow(expect.objectContaining(refusal))
    expect(await collect(items)).toEqual([2, 3])
  })

  test('leave no item to be requested', async () => {
    const items = new BatchedItems(give([[1, 2], [3]]))
    const batches = items.batches()
    const refusal = { name: 'TypeError', code: 'stream-read', message: 'the items are already read in batches' }
    await expect(items.next()).rejects.toMatchObject(refusal)
    expect((await batches.next()).value).toEqual([1, 2])
    await expect(items.next()).rejects.toMatchObject(refusal)
    expect((await items.batches().next()).value).toEqual([3])
  })

  test.each(['items', 'batches'] as const)('end with the reading that is left by its %s', async (side) => {
    const log: string[] = []
    const items = new BatchedItems(give([[1, 2], [3]], log))
    const batches = items.batches()
    await batches.next()
    await (side === 'items' ? items : batches).return(undefined)
    expect(log).toEqual(['closed'])
    expect(await batches.next()).toEqual({ done: true, value: undefined })
  })

  test('show the generator of the arrays how they are read, as soon as the first is asked for', async () => {
    for (const isOneByOne of [true, false]) {
      const seen: unknown[] = []
      async function* look() {
        seen.push(items.isOneByOne)
        yield [1]
      }
      const items: BatchedItems<number> = new BatchedItems(look())
      for await (const _ of isOneByOne ? items : items.batches());
      expect(seen).toEqual([isOneByOne])
    }
  })
})

describe('whoever leaves the loop', () => {
  test('closes what gives the arrays, and gets no more', async () => {
    const log: string[] = []
    const items = new BatchedItems(give([[1, 2, 3], [4]], log))
    for await (const item of items) if (item === 2) break
    expect(log).toEqual(['closed'])
    expect(await items.next()).toEqual({ done: true, value: undefined })
  })

  test('is done at once, and so are the calls that wait', async () => {
    const log: string[] = []
    const items = new BatchedItems(give([[1], [2]], log))
    const first = await items.next()
    const [two, three, end, four] = await Promise.all([items.next(), items.next(), items.return(), items.next()])
    expect(first.value).toBe(1)
    expect([two.done, three.done, end.done, four.done]).toEqual([true, true, true, true])
    expect(log).toEqual(['closed'])
  })

  test('by an error throws it in the generator', async () => {
    const log: string[] = []
    const items = new BatchedItems(give([[1, 2]], log))
    await items.next()
    await expect(items.throw(new Error('mine'))).rejects.toThrow('mine')
    expect(log).toEqual(['closed'])
    expect(await items.next()).toEqual({ done: true, value: undefined })
  })

  test('closes it by disposing of it, too', async () => {
    const log: string[] = []
    const items = new BatchedItems(give([[1, 2]], log))
    await items.next()
    await items[Symbol.asyncDispose]()
    expect(log).toEqual(['closed'])
  })
})

describe('whoever takes long', () => {
  test('lets the event loop turn', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    for await (const _ of new BatchedItems(give([Array.from({ length: 60 }, (_, i) => i)]))) {
      const end = performance.now() + 2
      while (performance.now() < end);
    }
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })

  test('throws the reason of an abort even if the generator ends as if there was none', async () => {
    const controller = new AbortController()
    const items = new BatchedItems(give([[1, 2, 3]]), controller.signal)
    await items.next()
    controller.abort(new Error('enough'))
    await expect(items.next()).rejects.toThrow('enough')
    expect(await items.next()).toEqual({ done: true, value: undefined })
  })

  test('gets nothing after an abort except the error of the generator', async () => {
    const controller = new AbortController()
    async function* giveOnce() {
      yield [1, 2, 3]
      controller.signal.throwIfAborted()
      yield [4]
    }
    const seen: number[] = []
    const reading = (async () => {
      for await (const item of new BatchedItems(giveOnce(), controller.signal)) {
        seen.push(item)
        if (item === 2) controller.abort(new Error('enough'))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(seen).toEqual([1, 2])
  })
})
