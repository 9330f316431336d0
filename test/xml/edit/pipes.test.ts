// Editing in pipes, from cursors, and while an edit waits.

import { describe, expect, test } from 'vitest'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { atTags, editXml, remove } from '../../../source/xml/edit/index.ts'
import { collect } from '../../support/collect.ts'
import { stalling } from '../../support/sources.ts'

const textOf = async (items: AsyncIterable<Uint8Array>) => `${Buffer.from(await collect(items))}`

describe('a pipe', () => {
  test('gives the edited document', async () => {
    const input = new Blob(['<a><b/>', 'x</a>']).stream()
    const edited = input.pipeThrough(makeTransform((source) => editXml(source, { b: remove }), { type: 'bytes' }))
    expect(await textOf(edited as unknown as AsyncIterable<Uint8Array>)).toBe('<a>x</a>')
  })

  test('takes text, and fails on both sides with the error of an edit', async () => {
    const { readable, writable } = makeTransform((source) => editXml(source, { a: remove }), { type: 'bytes' })
    const writer = writable.getWriter()
    writer.write('<a/>').catch(() => {})
    const closed = writer.closed.catch((error: unknown) => error)
    await expect(textOf(readable as unknown as AsyncIterable<Uint8Array>)).rejects.toMatchObject({
      code: 'root-element',
    })
    expect(await closed).toMatchObject({ code: 'root-element' })
  })

  test('ends with its signal, also while an edit waits', async () => {
    for (const edit of [() => new Promise<void>(() => {}), atTags(() => new Promise<void>(() => {}))]) {
      const controller = new AbortController()
      const stream = makeTransform((source) => editXml(source, { a: edit }, { signal: controller.signal }), {
        type: 'bytes',
      })
      const written = new Blob(['<a/>']).stream().pipeTo(stream.writable)
      written.catch(() => {})
      setTimeout(() => controller.abort(new Error('enough')), 5)
      const reading = textOf(stream.readable as unknown as AsyncIterable<Uint8Array>)
      await expect(reading).rejects.toThrow('enough')
      await expect(written).rejects.toThrow('enough')
    }
  })

  test('refuses wrong options at once', () => {
    expect(() => makeTransform((source) => editXml(source, { a: 1 as never }), { type: 'bytes' })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    )
    expect(() =>
      makeTransform((source) => editXml(source, {}, { convrt: 'utf-8' } as never), { type: 'bytes' }),
    ).toThrow(/convert/)
  })
})

test('a cursor is after what was delivered, and is not released', async () => {
  const cursor = StreamCache.from(['skip', '<a><b/></a>\n']).cursor()
  await cursor.read(4)
  expect(await textOf(editXml(cursor, { b: remove }))).toBe('<a></a>\n')
  expect(cursor.offset).toBe(16)
  expect(cursor.done).toBe(true)
  cursor.release()
})

test('what is certain is delivered before more is waited for', async () => {
  const edited = editXml(stalling([Buffer.from('<a>1<b>2</b>'), Buffer.from('<c>')]), { c: () => {}, b: remove })
  let text = ''
  while (text !== '<a>1') text += Buffer.from((await edited.next()).value as Uint8Array)
  await edited.return()
})

test('an edit that waits can be left, and is ended by a signal', async () => {
  const waiting = atTags(() => new Promise<void>(() => {}))
  const left = editXml('<a><b/></a>', { b: waiting })
  const next = left.next()
  await new Promise((resolve) => setTimeout(resolve, 5))
  await left.return()
  expect(await next).toEqual({ done: true, value: undefined })
  const reason = new Error('enough')
  const aborted = editXml('<a><b/></a>', { b: waiting }, { signal: AbortSignal.timeout(5) })
  await expect(textOf(aborted)).rejects.toMatchObject({ name: 'TimeoutError' })
  const before = editXml('<a/>', { a: waiting }, { signal: AbortSignal.abort(reason) })
  await expect(textOf(before)).rejects.toBe(reason)
})
