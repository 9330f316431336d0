// Items between writers, who wait for room, and one reader.

import { expect, test } from 'vitest'
import { ItemQueue } from '../../../source/stream/sources/item-queue.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { collect, collectAll } from '../../support/collect.ts'
import { settle } from '../../support/sources.ts'

const queueOf = (...items: string[]): ItemQueue<string> => {
  const queue = new ItemQueue<string>(3, ({ length }) => length)
  for (const item of items) queue.push(item)
  return queue
}
const reason = new Error('no more')

test('items come out in order, also those that are waited for', async () => {
  const queue = queueOf('a')
  const items = collectAll(queue)
  await settle()
  expect([queue.isAwaited, queue.isEmpty, queue.isEnded]).toEqual([true, true, false])
  queue.push('b')
  queue.push('c')
  queue.end()
  expect(await items).toEqual(['a', 'b', 'c'])
})

test('writers wait while the sizes sum up to the room', async () => {
  const queue = queueOf('ab')
  await queue.ready()
  queue.push('c')
  expect(queue.hasRoom).toBe(false)
  let isReady = false
  const waiting = queue.ready().then(() => {
    isReady = true
  })
  await settle()
  expect(isReady).toBe(false)
  await queue.next()
  await waiting
})

test('a failure comes after the items before it, and writers get it at once', async () => {
  const queue = queueOf('abc')
  const waiting = expect(queue.ready()).rejects.toBe(reason)
  queue.fail(reason)
  await waiting
  expect(await queue.next()).toEqual({ done: false, value: 'abc' })
  await expect(queue.next()).rejects.toBe(reason)
  queue.push('d')
  expect(queue.isEmpty).toBe(true)
})

test('what is dropped reaches nobody, and the first reason holds', async () => {
  const queue = queueOf('abc')
  queue.drop(reason)
  queue.fail(new Error('another'))
  await expect(queue.next()).rejects.toBe(reason)
  await expect(queue.ready()).rejects.toBe(reason)
})

test('after the end nothing fails, and only what was not read can be dropped', async () => {
  const failed = queueOf('a')
  failed.end()
  failed.fail(reason)
  expect(await collectAll(failed)).toEqual(['a'])
  failed.drop(reason)
  expect(await failed.next()).toEqual({ done: true, value: undefined })
  const dropped = queueOf('a')
  dropped.end()
  dropped.drop(reason)
  await expect(dropped.next()).rejects.toBe(reason)
})

test('a reader that leaves gives an AbortError to writers', async () => {
  const queue = queueOf('abc')
  for await (const _ of queue) break
  await expect(queue.ready()).rejects.toMatchObject({ name: 'AbortError' })
})

test('a cache reads no further ahead than its cursors ask for', async () => {
  const queue = queueOf('a', 'b', 'c')
  queue.end()
  const cache = StreamCache.from(queue)
  await settle()
  expect(cache.retained).toBe(0)
  expect(`${Buffer.from(await collect(cache))}`).toBe('abc')
})
