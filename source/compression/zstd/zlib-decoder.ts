// Decodes frames by Node's zlib, which has Zstandard from 22.15 on.

import { builtinModule } from '../../async/builtin.ts'
import { ZLIB_CHUNK_SIZE, ZlibStream, type ZlibTransform } from '../zlib-stream.ts'
import { type FrameDecoder, ZstdError } from './frame-decoder.ts'
import type { BlockHeader, FrameHeader } from './frame-header.ts'

interface Zlib {
  createZstdDecompress?(options: { chunkSize: number }): ZlibTransform
}

/** A decoder, or undefined where zlib has none. */
export function makeZlibDecoder(): FrameDecoder | undefined {
  const zlib = builtinModule('node:zlib') as Zlib | undefined
  if (!zlib?.createZstdDecompress) return undefined
  return new ZlibDecoder(new ZlibStream(zlib.createZstdDecompress({ chunkSize: ZLIB_CHUNK_SIZE })))
}

/** Gives zlib a block at a time: of what it is given and finds corrupt it drops all that it made. */
class ZlibDecoder implements FrameDecoder {
  readonly #stream: ZlibStream

  constructor(stream: ZlibStream) {
    this.#stream = stream
  }

  async begin(_header: FrameHeader, bytes: Uint8Array): Promise<void> {
    await this.#write(bytes)
  }

  decode(_header: BlockHeader, bytes: Uint8Array): Promise<Uint8Array[]> {
    return this.#write(bytes)
  }

  async check(checksum: Uint8Array): Promise<boolean> {
    try {
      await this.#write(checksum)
      return true
    } catch (error) {
      if (error instanceof ZstdError) return false
      throw error
    }
  }

  close(): void {
    this.#stream.close()
  }

  async #write(bytes: Uint8Array): Promise<Uint8Array[]> {
    const pieces: Uint8Array[] = []
    for await (const piece of this.#stream.write(bytes)) pieces.push(piece)
    const { error } = this.#stream
    if (error) throw new ZstdError(error.message, { cause: error })
    return pieces
  }
}
