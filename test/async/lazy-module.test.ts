import { describe, expect, test } from 'vitest'
import { LazyModule } from '../../source/async/lazy-module.ts'

async function* twice<Item>(item: Item): AsyncGenerator<Item, void, undefined> {
  yield item
  yield item
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('a module that is loaded when it is needed', () => {
  test('is loaded once, and is there from then on', async () => {
    let loads = 0
    const lazy = new LazyModule(async () => ({ value: ++loads }))
    expect(lazy.module).toBeUndefined()
    expect(() => lazy.required).toThrow('not loaded')
    expect(await collect(lazy.generate(({ value }) => twice(value)))).toEqual([1, 1])
    expect(await lazy.load()).toBe(lazy.module)
    expect(await collect(lazy.generate(({ value }) => twice(value)))).toEqual([1, 1])
    expect([loads, lazy.required.value]).toEqual([1, 1])
  })

  test('is not loaded if it was provided', async () => {
    const lazy = new LazyModule<{ value: number }>(() => Promise.reject(new Error('loaded')))
    lazy.provide({ value: 2 })
    lazy.provide({ value: 3 })
    expect((await lazy.load()).value).toBe(2)
  })

  test('is asked for again after it could not be loaded', async () => {
    let loads = 0
    const lazy = new LazyModule(async () => {
      if (++loads === 1) throw new Error('offline')
      return { value: loads }
    })
    await expect(collect(lazy.generate(({ value }) => twice(value)))).rejects.toThrow('offline')
    expect(await collect(lazy.generate(({ value }) => twice(value)))).toEqual([2, 2])
  })
})
