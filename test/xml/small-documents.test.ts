import { afterEach, describe, expect, test, vi } from 'vitest'
import { readXml } from '../../source/xml/index.ts'
import { countControllers } from '../support/count-controllers.ts'

afterEach(() => vi.unstubAllGlobals())

describe('a document in memory', () => {
  const text = '<feed><entry id="1"><title>One</title></entry></feed>'

  test.each([
    ['text', text],
    ['bytes', new TextEncoder().encode(text)],
  ])('is read without an AbortController: %s', async (_, source) => {
    const count = countControllers()
    const ways: (() => AsyncIterable<unknown> | Promise<void>)[] = [
      () => readXml(source).check(),
      () => readXml(source).events().batches(),
      () => readXml(source).select('entry'),
      () => readXml(source).records('entry', { title: 'title' }),
    ]
    for (const read of ways) {
      const before = count()
      for (let i = 0; i < 20; i++) {
        const reading = read()
        if (reading instanceof Promise) await reading
        else for await (const item of reading) expect(item).toBeDefined()
      }
      // Where the event loop is due for a turn, the reading waits for it.
      expect(count() - before).toBeLessThan(10)
    }
  })

  test('that is larger than what is read ahead ends with its signal', async () => {
    const large = `<feed>${'<entry>some text</entry>'.repeat(200_000)}</feed>`
    const controller = new AbortController()
    const reading = async () => {
      for await (const _ of readXml(large, { signal: controller.signal }).events().batches()) controller.abort('enough')
    }
    await expect(reading()).rejects.toBe('enough')
  })
})
