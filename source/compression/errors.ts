// Errors about compressed input, made in one place.

import { XylemError } from '../stream/xylem-error.ts'
import { ParseError } from '../text/parse-error.ts'
import type { Compression } from './detect.ts'

/**
 * `truncated` the input ends too early; `corrupt` a checksum or a structure is wrong; `trailing-data` other data follows the compressed
 * data; `unsupported` the format is known but not supported.
 */
export type CompressionErrorCode = 'truncated' | 'corrupt' | 'trailing-data' | 'unsupported'

/** Where compressed input is wrong. */
interface Place {
  byteOffset: number
  bitOffset?: number
  outputOffset?: number
}

/**
 * The compressed input cannot be decompressed. Everything decompressed before the error was delivered. `byteOffset` counts compressed
 * bytes; `line` and `column` are undefined.
 */
export class CompressionError extends ParseError {
  override readonly name = 'CompressionError'
  declare readonly code: CompressionErrorCode
  readonly format: Compression
  /** Bits from the start of the compressed stream to the damaged block; undefined for formats other than bzip2. */
  declare readonly bitOffset?: number | undefined
  /** Decompressed bytes before the error, all correct and delivered; undefined if they are not counted. */
  declare readonly outputOffset?: number | undefined

  static {
    XylemError.register('CompressionError', CompressionError)
  }

  /** @internal */
  constructor(format: Compression, code: CompressionErrorCode, message: string, place: Place, cause?: unknown) {
    const { byteOffset, bitOffset, outputOffset } = place
    const where = bitOffset === undefined ? '' : `, at bit ${bitOffset}`
    super(`${format}: ${message}${where}`, { code, byteOffset, cause })
    this.format = format
    this.setFields({ bitOffset, outputOffset })
  }
}
