import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { CancellableGenerator } from '../../source/async/cancellable-generator.ts'
import { abortable } from '../../source/async/waiting.ts'
import { watchSignal } from '../support/resources.ts'
import { isBun } from '../support/runtime.ts'

/** Gives numbers, and then waits until the signal aborts. Says in `log` what becomes of it. */
async function* count(signal: AbortSignal, numbers: readonly number[], log: unknown[] = []) {
  try {
    yield* numbers
    await abortable(new Promise<never>(() => {}), signal)
  } catch (error) {
    log.push(error)
    throw error
  } finally {
    log.push('closed')
  }
}

const done = { done: true, value: undefined }

describe('a generator that can be cancelled', () => {
  test('gives what the generator gives, and its error', async () => {
    const items = new CancellableGenerator(async function* () {
      yield 1
      await sleep(0)
      yield 2
      throw new Error('broken')
    })
    const seen: number[] = []
    const reading = (async () => {
      for await (const item of items) seen.push(item)
    })()
    await expect(reading).rejects.toThrow('broken')
    expect(seen).toEqual([1, 2])
    expect(await items.next()).toEqual(done)
  })

  test('is done at once when it is returned from while it waits', async () => {
    const log: unknown[] = []
    const items = new CancellableGenerator(({ signal }) => count(signal, [1], log))
    expect((await items.next()).value).toBe(1)
    const pending = [items.next(), items.next()]
    expect(await items.return()).toEqual(done)
    expect(await Promise.all(pending)).toEqual([done, done])
    expect(log.at(-1)).toBe('closed')
  })

  test('rejects with the error that is thrown into it, and is done for those who wait', async () => {
    const items = new CancellableGenerator(({ signal }) => count(signal, []))
    const pending = items.next()
    await expect(items.throw(new Error('mine'))).rejects.toThrow('mine')
    expect(await pending).toEqual(done)
  })

  test('gives nothing that came after it was left', async () => {
    const items = new CancellableGenerator(async function* () {
      await sleep(0)
      yield 1
    })
    const pending = items.next()
    await items.return()
    expect(await pending).toEqual(done)
  })

  test('runs the finally of a generator that does not wait, and throws what that throws', async () => {
    const items = new CancellableGenerator(async function* () {
      try {
        yield 1
      } finally {
        await Promise.reject(new Error('cannot close'))
      }
    })
    await items.next()
    await expect(items.return()).rejects.toThrow('cannot close')
  })

  test('that has not begun does not begin, but aborts the signal', async () => {
    let told: AbortSignal | undefined
    const log: unknown[] = []
    const items = new CancellableGenerator(({ signal }) => {
      told = signal
      return count(signal, [1], log)
    })
    await items[Symbol.asyncDispose]()
    expect(await items.next()).toEqual(done)
    expect([told?.aborted, log]).toEqual([true, []])
  })

  test('passes on the reason of a signal, before it begins and while it waits', async () => {
    const aborted = AbortSignal.abort('too late')
    const late = new CancellableGenerator(({ signal }) => count(signal, []), aborted)
    await expect(late.next()).rejects.toBe('too late')
    const { controller, signal } = watchSignal()
    const items = new CancellableGenerator(({ signal: inner }) => count(inner, []), signal)
    const pending = items.next()
    controller.abort('enough')
    await expect(pending).rejects.toBe('enough')
  })

  test('leaves no listener on a signal, however it ends, nor where it was never read', async () => {
    const { signal, listeners } = watchSignal()
    const make = (numbers: readonly number[]) =>
      new CancellableGenerator(({ signal: inner }) => count(inner, numbers), signal)
    const returned = make([1, 2])
    await returned.next()
    expect(listeners()).toBe(1)
    await returned.return()
    const ended = new CancellableGenerator(async function* () {}, signal)
    await ended.next()
    const failed = new CancellableGenerator(async function* () {
      yield await Promise.reject(new Error('broken'))
    }, signal)
    await failed.next().catch(() => {})
    make([])
    expect(listeners()).toBe(0)
  })

  test.skipIf(isBun)('leaves the loop that reads it in the stack of an error', async () => {
    async function* fail() {
      await sleep(0)
      yield 1
      await sleep(0)
      throw new Error('deep')
    }
    async function readThem() {
      for await (const _ of new CancellableGenerator(fail));
    }
    const error = await readThem().catch((one: Error) => one)
    expect(error?.stack).toContain('fail')
    expect(error?.stack).toContain('readThem')
  })
})
