// Who iterates a reader itself, and not what one of its methods returns, gets an error that says what can be iterated.

import { describe, expect, test } from 'vitest'
import { readDump } from '../source/mediawiki/dump-reader.ts'
import { readXmlInWorker } from '../source/worker/index.ts'
import { readXml } from '../source/xml/index.ts'
import { collectAll } from './support/collect.ts'

async function iterate(items: unknown): Promise<void> {
  for await (const _ of items as AsyncIterable<unknown>);
}

const ERROR = { name: 'TypeError', code: 'not-iterable' }

describe('a reader that is iterated itself', () => {
  test.each([
    ['a document', readXml('<a/>'), 'use one of .records(path, fields), .select(path) and .events()'],
    ['a dump', readDump('<mediawiki/>'), 'use one of .pages(), .revisions(), .places() and .logItems()'],
    ['a document', readXmlInWorker('<a/>'), 'use one of .records(path, fields) and .write(format, path, fields)'],
  ])('says what can be iterated: %s', async (name, reader, advice) => {
    await expect(iterate(reader)).rejects.toMatchObject({ ...ERROR, message: `${name} cannot be iterated: ${advice}` })
  })

  test('is not a source either', async () => {
    await expect(readXml(readXml('<a/>') as never).check()).rejects.toMatchObject(ERROR)
    await expect(collectAll(readDump(readXml('<a/>') as never).pages())).rejects.toMatchObject(ERROR)
  })

  test('can be read afterwards', async () => {
    const reader = readXml('<a/>')
    await expect(iterate(reader)).rejects.toThrow()
    expect(await collectAll(reader.records('a', {}))).toEqual([{}])
  })

  test('is refused by TypeScript before', () => {
    async function* wrong() {
      // @ts-expect-error It has no public iterator.
      yield* readXml('<a/>')
    }
    expect(wrong).toBeTypeOf('function')
  })
})
