// Errors about compressed input, made in one place.

import { XylemError } from '../stream/xylem-error.ts'
import { ParseError } from '../text/parse-error.ts'
import type { Compression } from './detect.ts'

/**
 * `truncated` the input ends too early; `corrupt` a checksum or a structure is wrong; `trailing-data` something that is not
 * compressed data follows it; `unsupported` the format is known but not read here.
 */
export type CompressionErrorCode = 'truncated' | 'corrupt' | 'trailing-data' | 'unsupported'

/** Where compressed input is at fault. */
interface Place {
  byteOffset: number
  bitOffset?: number
  outputOffset?: number
}

/**
 * Compressed input that cannot be decompressed. All that was decompressed before was delivered. `byteOffset` counts compressed
 * bytes; there is no line and no column.
 */
export class CompressionError extends ParseError {
  override readonly name = 'CompressionError'
  declare readonly code: CompressionErrorCode
  readonly format: Compression
  /** Bits from the start of the compressed stream to the block at fault; undefined where the format has no such places. */
  readonly bitOffset: number | undefined
  /** Decompressed bytes before the fault, all of which are good and were delivered; undefined where that is not counted. */
  readonly outputOffset: number | undefined

  static {
    XylemError.register(CompressionError)
  }

  /** @internal */
  constructor(format: Compression, code: CompressionErrorCode, message: string, place: Place, cause?: unknown) {
    const { byteOffset, bitOffset, outputOffset } = place
    const where = bitOffset === undefined ? '' : `, at bit ${bitOffset}`
    super(`${format}: ${message}${where}`, { code, byteOffset, cause })
    this.format = format
    this.bitOffset = bitOffset
    this.outputOffset = outputOffset
  }
}
