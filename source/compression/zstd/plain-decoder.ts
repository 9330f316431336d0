// Decodes frames in TypeScript, where the runtime cannot.

import { BlockDecoder } from './block-decoder.ts'
import type { FrameDecoder } from './frame-decoder.ts'
import { BLOCK_HEADER_LENGTH, type BlockHeader, CHECKSUM_LENGTH, type FrameHeader, readNumber } from './frame-header.ts'
import { History } from './history.ts'
import { makeXxh64, type Xxh64 } from './xxh64.ts'

export async function makePlainDecoder(): Promise<FrameDecoder> {
  return new PlainDecoder(await makeXxh64())
}

export class PlainDecoder implements FrameDecoder {
  readonly #history = new History()
  readonly #blocks = new BlockDecoder()
  readonly #hash: Xxh64
  #hasChecksum = false

  constructor(hash: Xxh64) {
    this.#hash = hash
  }

  begin({ window, contentSize = window, blockSize, hasChecksum }: FrameHeader): void {
    this.#history.begin(Math.min(window, contentSize), blockSize)
    this.#blocks.begin()
    this.#hash.reset()
    this.#hasChecksum = hasChecksum
  }

  decode({ type, size }: BlockHeader, bytes: Uint8Array): Uint8Array[] {
    const history = this.#history
    history.makeRoom()
    const start = history.end
    const content = bytes.subarray(BLOCK_HEADER_LENGTH)
    if (type === 'compressed') this.#blocks.decode(content, history)
    else if (type === 'raw') history.append(content)
    else history.repeat(content[0] as number, size)
    const piece = history.bytes.slice(start, history.end)
    if (this.#hasChecksum) this.#hash.update(piece)
    return [piece]
  }

  check(checksum: Uint8Array): boolean {
    return BigInt.asUintN(8 * CHECKSUM_LENGTH, this.#hash.digest()) === BigInt(readNumber(checksum, 0, CHECKSUM_LENGTH))
  }

  close(): void {}
}
