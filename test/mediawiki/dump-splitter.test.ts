import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DumpSplitter } from '../../source/mediawiki/dump-splitter.ts'
import { inPieces } from '../support/collect.ts'
import { parameters } from '../support/property.ts'
import { failing, stalling } from '../support/sources.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const allocate = (length: number) => new Uint8Array(length)

async function split(source: AsyncIterable<Uint8Array> | Uint8Array[]) {
  const splitter = new DumpSplitter(source, {}, allocate)
  const pieces: string[] = []
  let rest = ''
  let error: unknown
  const head = await splitter.readHead()
  try {
    for (let piece = head && (await splitter.next()); piece; piece = await splitter.next()) pieces.push(decode(piece))
    for await (const chunk of splitter.rest()) rest += decode(chunk)
  } catch (fault) {
    error = fault
  }
  await splitter.close()
  return { head: head && decode(head), pieces, rest, error }
}

const page = (length: number) => `\n <page>${'x'.repeat(length)}</page>`

describe('a dump that is split', () => {
  test('is the sum of its pieces, however it arrives, and each ends after a page', async () => {
    const lengths = fc.array(fc.oneof(fc.nat(3000), fc.nat(200_000)), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(lengths, fc.constantFrom(999, 65536, 1 << 22), async (pages, size) => {
        const text = `<mediawiki>\n${pages.map(page).join('')}\n</mediawiki>`
        const { head, pieces, rest } = await split(inPieces(encode(text), size))
        expect(head).toBe('<mediawiki>')
        expect(head + pieces.join('') + rest).toBe(text)
        expect(rest).toBe('\n</mediawiki>')
        for (const piece of pieces) expect(piece.slice(-7)).toBe('</page>')
      }),
      parameters(60),
    )
  })

  test('is cut into small pieces first, then into large ones', async () => {
    const text = `<mediawiki>${page(1000).repeat(9000)}</mediawiki>`
    const { pieces } = await split([encode(text)])
    const sizes = pieces.map(({ length }) => length / 65536)
    for (const [i, size] of sizes.slice(0, 6).entries()) expect(Math.round(size)).toBe(2 ** i)
  })

  test('has no head where no page begins, and then all is in the rest', async () => {
    for (const text of ['', 'nothing', '<page>', `<mediawiki>${'x'.repeat(1 << 21)}<page></page>`]) {
      const { head, pieces, rest } = await split(inPieces(encode(text), 50_000))
      expect({ head, pieces, rest }).toEqual({ head: undefined, pieces: [], rest: text })
    }
  })

  test('gives all pieces before a source fails, and the error at the end of the rest', async () => {
    const text = `<mediawiki>${page(500).repeat(300)}<page>and`
    const { pieces, rest, error } = await split(failing(inPieces(encode(text), 10_000), new Error('gone')))
    expect(pieces.join('')).toBe(page(500).repeat(300))
    expect(rest).toBe('<page>and')
    expect(error).toMatchObject({ code: 'source-failed' })
  })

  test('does not wait for more where pages are there', async () => {
    const splitter = new DumpSplitter(stalling([encode(`<mediawiki>${page(9)}<page>`)]), {}, allocate)
    await splitter.readHead()
    expect(decode((await splitter.next()) as Uint8Array)).toBe(page(9))
    const pending = splitter.next()
    await splitter.close()
    await expect(pending).rejects.toThrow()
  })
})
