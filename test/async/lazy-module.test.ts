import { describe, expect, test } from 'vitest'
import { LazyModule } from '../../source/async/lazy-module.ts'

describe('a module that is loaded when it is needed', () => {
  test('is loaded once, and is there from then on', async () => {
    let loads = 0
    const lazy = new LazyModule(async () => ({ value: ++loads }))
    expect(lazy.module).toBeUndefined()
    expect(() => lazy.required).toThrow('not loaded')
    expect(await lazy.load()).toEqual({ value: 1 })
    expect(await lazy.load()).toBe(lazy.module)
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
    await expect(lazy.load()).rejects.toMatchObject({ code: 'module-unavailable', cause: new Error('offline') })
    expect(await lazy.load()).toEqual({ value: 2 })
  })
})
