import { expect, test } from 'vitest'
import { abortable } from '../../source/async/waiting.ts'

const never = () => new Promise<never>(() => {})

test('settles like the promise where nothing aborts', async () => {
  const { signal } = new AbortController()
  expect(await abortable(Promise.resolve(7), signal)).toBe(7)
  expect(await abortable(Promise.resolve(7), undefined)).toBe(7)
  await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
})

test('rejects with the reason of a signal that aborts, or has aborted', async () => {
  const controller = new AbortController()
  const waiting = abortable(never(), controller.signal)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(abortable(never(), controller.signal)).rejects.toThrow('enough')
})

test('leaves the promise alone that fails after the abort', async () => {
  const controller = new AbortController()
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), 1))
  const waiting = abortable(late, controller.signal)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await new Promise((resolve) => setTimeout(resolve, 5))
})
