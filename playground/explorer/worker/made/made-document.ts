// A large document that is made while it is read, so that nothing is downloaded. Each block of it is made by its number alone, with always the same
// bytes: so it can be read again, from anywhere, and nothing of it is kept.

import type { SeekableSource } from 'xylem/stream'
import type { MadeSource } from '../../protocol.ts'
import { makeRegisterBlock } from './register.ts'
import { makeWikiBlock } from './wiki.ts'

/** Bytes of a block. */
export const BLOCK = 250_000
const BLOCKS = 400

/** Makes a block of so many characters, all of them ASCII. */
export type MakeBlock = (
  number: number,
  place: { readonly size: number; readonly isFirst: boolean; readonly isLast: boolean },
) => string

const KINDS: Readonly<Record<MadeSource['make'], MakeBlock>> = { wiki: makeWikiBlock, register: makeRegisterBlock }

/** A document of 100 MB, or of so many blocks. */
export function makeDocument({ make }: MadeSource, blocks = BLOCKS): SeekableSource {
  const makeBlock = KINDS[make]
  const size = blocks * BLOCK
  const encoder = new TextEncoder()
  return {
    size: async () => size,
    from(offset, end = size) {
      let at = offset
      return {
        get progress() {
          return { bytesRead: at - offset, totalBytes: end - offset }
        },
        async *[Symbol.asyncIterator]() {
          while (at < end) {
            const number = Math.floor(at / BLOCK)
            const place = { size: BLOCK, isFirst: number === 0, isLast: number === blocks - 1 }
            const bytes = encoder.encode(makeBlock(number, place))
            const part = bytes.subarray(at - number * BLOCK, end - number * BLOCK)
            at += part.length
            yield part
          }
        },
      }
    },
  }
}
