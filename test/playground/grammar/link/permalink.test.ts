import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Draft, decodeDraft, encodeDraft, LONGEST_LINK } from '../../../../playground/grammar/link/permalink.ts'
import { anyText } from '../../../support/property.ts'

const draft: Draft = { grammar: 'program ::= "木"+ ;', input: '木🌳\r\n', entry: 'program', dialect: 'xylem' }

async function encode(value: Draft): Promise<string> {
  const encoded = await encodeDraft(value)
  if (encoded === undefined) throw new Error('too long')
  return encoded
}

function pack(bytes: Uint8Array | string): string {
  return deflateRawSync(bytes).toString('base64url')
}

describe('a permalink', () => {
  test('holds all that the view shows', async () => {
    expect(await decodeDraft(await encode(draft))).toEqual(draft)
  })

  test('holds any text', async () => {
    const text = anyText(200)
    await fc.assert(
      fc.asyncProperty(text, text, text, async (grammar, input, entry) => {
        const any: Draft = { grammar, input, entry, dialect: 'bnf-parser' }
        expect(await decodeDraft(await encode(any))).toEqual(any)
      }),
      { numRuns: 50 },
    )
  })

  test('has only characters that an address may have', async () => {
    const long = {
      ...draft,
      input: Array.from({ length: 3000 }, (_, i) => String.fromCharCode((i * 7919) % 55_000)).join(''),
    }
    expect(await encode(long)).toMatch(/^[\w-]+$/)
  })

  test('is much shorter than what it holds', async () => {
    expect((await encode({ ...draft, input: 'ash,birch\n'.repeat(10_000) })).length).toBeLessThan(2000)
  })

  test('is not made if it would be too long', async () => {
    let seed = 1
    const input = Array.from({ length: LONGEST_LINK }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return String.fromCharCode(33 + (seed % 90))
    }).join('')
    expect(await encodeDraft({ ...draft, input })).toBeUndefined()
  })

  test.each([
    ['is cut', async () => (await encode(draft)).slice(0, -8)],
    [
      'has another character in it',
      async () => `${(await encode(draft)).slice(0, 20)}!${(await encode(draft)).slice(21)}`,
    ],
    ['is not compressed', async () => Buffer.from('{"grammar":""}').toString('base64url')],
    ['is compressed text that is not JSON', async () => pack('program ::= ;')],
    ['has bytes that are not UTF-8', async () => pack(Uint8Array.of(0x22, 0xff, 0x22))],
    ['unpacks to more than it may', async () => pack('a'.repeat(9_000_000))],
  ])('is called damaged if it %s', async (_, make) => {
    await expect(decodeDraft(await make())).rejects.toThrow('the link is damaged')
  })

  test.each([
    'null',
    '[]',
    '{"grammar":"a","input":"b","entry":"c"}',
    '{"grammar":1,"input":"b","entry":"c","dialect":"xylem"}',
    '{"grammar":"a","input":"b","entry":"c","dialect":"yacc"}',
  ])('is refused if it holds something else: %s', async (json) => {
    await expect(decodeDraft(pack(json))).rejects.toThrow('the link holds something else')
  })
})
