import { expect, test } from 'vitest'
import { makeTransform } from '../../source/stream/make-transform.ts'
import { ParseError } from '../../source/text/parse-error.ts'
import { grammar } from '../support/beginnings.ts'
import { until } from '../support/resources.ts'
import { webStream } from '../support/sources.ts'

const text = 'abc\nd\nefg\n'
const options = { emit: 'line' } as const

async function readTexts(chunks: Iterable<string | Uint8Array>): Promise<string[]> {
  const texts: string[] = []
  for await (const node of webStream(chunks).pipeThrough(makeTransform((source) => grammar.stream(source, options))))
    texts.push(node.text)
  return texts
}

test('nodes come out of a pipe as they come from a source, complete, unit by unit and at every cut', async () => {
  const expected: string[] = []
  for await (const node of grammar.stream(text, options)) expected.push(node.text)
  expect(expected).toHaveLength(3)
  expect(await readTexts([text])).toEqual(expected)
  expect(await readTexts(text)).toEqual(expected)
  for (let cut = 1; cut < text.length; cut++) {
    const pieces = [new TextEncoder().encode(text.slice(0, cut)), text.slice(cut)]
    expect(await readTexts(pieces)).toEqual(expected)
  }
})

test('an error in the input comes after the nodes before it, on both sides', async () => {
  const { readable, writable } = makeTransform((source) => grammar.stream(source, options))
  const writer = writable.getWriter()
  const written = writer.write('ab\nc\n4\n').then(() => writer.close())
  const texts: string[] = []
  const reading = (async () => {
    for await (const node of readable) texts.push(node.text)
  })()
  const error = await reading.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ParseError)
  expect(error).toMatchObject({ line: 3, column: 1, byteOffset: 5 })
  expect(texts).toEqual(['ab\n', 'c\n'])
  await expect(written).rejects.toBe(error)
})

test('leaving the loop cancels the source of the pipe', async () => {
  let reason: unknown = 'not cancelled'
  const endless = new ReadableStream<string>({
    pull: (controller) => controller.enqueue('abc\n'),
    cancel(why) {
      reason = why
    },
  })
  for await (const _ of endless.pipeThrough(makeTransform((source) => grammar.stream(source, options)))) break
  await until(() => reason === undefined)
})

test('invalid options are refused before anything is read', () => {
  expect(() => makeTransform((source) => grammar.stream(source, { emit: 'lines' }))).toThrow(
    expect.objectContaining({ code: 'unknown-rule' }),
  )
  expect(() => makeTransform((source) => grammar.stream(source, { emitted: 'line' } as object))).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  )
})
