import { expect, test } from 'vitest'
import { nameCells } from '../../../source/cli/inputs/header-names.ts'
import { Grammar } from '../../../source/grammar/index.ts'
import { csv } from '../../../source/grammars/generated/csv.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import type { ParseError } from '../../../source/text/parse-error.ts'

const grammar = Grammar.from(csv, { dialect: 'xylem' })

/** The records of an input, in so many chunks, and the error at its end. */
async function read(text: string, size = text.length): Promise<{ records: object[]; error: unknown }> {
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
  const records: object[] = []
  try {
    const cache = StreamCache.from(chunks)
    const rows = grammar.values(cache, { positions: true }).batches()
    for await (const batch of nameCells(rows, [], cache)) records.push(...batch)
  } catch (error) {
    return { records, error }
  }
  return { records, error: undefined }
}

test.each([1, 2, 7, 1000])('the cells of the first row are the names of all others, in chunks of %i', async (size) => {
  const { records, error } = await read('id,name\r\n1,"a, b"\r\n2,\r\n', size)
  expect(error).toBe(undefined)
  expect(records).toEqual([
    { id: '1', name: 'a, b' },
    { id: '2', name: '' },
  ])
})

test('an empty line is skipped, unless there is one name', async () => {
  expect((await read('a,b\n\n1,2\n\n')).records).toEqual([{ a: '1', b: '2' }])
  expect((await read('a\n\n1\n')).records).toEqual([{ a: '' }, { a: '1' }])
})

test('there are no records without rows', async () => {
  expect(await read('')).toEqual({ records: [], error: undefined })
  expect(await read('a,b')).toEqual({ records: [], error: undefined })
})

test('names are names, whatever they are', async () => {
  const { records } = await read('__proto__,constructor,\n1,2,3\n')
  expect(records).toEqual([JSON.parse('{"__proto__":"1","constructor":"2","":"3"}')])
})

test.each([
  ['a,b\n1,2\n1\n3,4\n', 'expected 2 cells, as many as there are names, but found 1 (line 3, column 1, byte 8)'],
  ['a\n1\n1,2\n', 'expected 1 cell, as many as there are names, but found 2 (line 3, column 1, byte 4)'],
])('a row that is longer or shorter is an error, after the records before it: %j', async (text, message) => {
  const { records, error } = await read(text)
  expect(error).toMatchObject({ code: 'invalid-row', message })
  expect(records).toHaveLength(1)
})

test('a name that is there twice is an error', async () => {
  expect(await read('a,b,a\n1,2,3\n')).toMatchObject({
    records: [],
    error: { code: 'invalid-row', message: 'the name "a" is there twice in the header (line 1, column 1, byte 0)' },
  })
})

test.each([1, 5, 1000])('an error has its line and what stands there, in chunks of %i', async (size) => {
  const { error } = await read('a,b\r\n"1\n木",2\n\n3,4,5\n6,7\n', size)
  expect(error).toMatchObject({ line: 5, column: 1, byteOffset: 16 })
  expect((error as ParseError).excerpt).toMatch(/^3.*\n\^$/)
})
