import { expect, test } from 'vitest'
import { joinPieces } from '../../../playground/explorer/worker/downloads.ts'
import { collect } from '../../support/collect.ts'
import { Random } from '../../support/random.ts'

async function* cut(bytes: Uint8Array, largest: number): AsyncGenerator<Uint8Array> {
  const random = new Random(7)
  for (let from = 0; from < bytes.length; ) {
    const to = from + 1 + random.below(largest)
    yield bytes.subarray(from, to)
    from = to
  }
}

test('pieces hold all bytes, whatever the size of the chunks', async () => {
  const bytes = Uint8Array.from({ length: 3_000_001 }, (_, i) => i * 31)
  for (const largest of [100_000, 2_500_000, 5_000_000]) {
    const pieces: Uint8Array[] = []
    for await (const piece of joinPieces(cut(bytes, largest))) pieces.push(piece)
    expect(pieces.map(({ length }) => length)).toEqual([1_048_576, 1_048_576, 902_849])
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  }
  expect(await collect(joinPieces(cut(new Uint8Array(), 1)))).toEqual(new Uint8Array())
})

test('what came before an error is a piece', async () => {
  async function* fail(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(1, 2)
    throw new Error('the input ends')
  }
  const pieces = joinPieces(fail())
  expect((await pieces.next()).value).toEqual(Uint8Array.of(1, 2))
  await expect(pieces.next()).rejects.toThrow('the input ends')
})
