// Errors about compressed input, made in one place.

import { ParseError } from '../text/parse-error.ts'
import type { Compression } from './detect.ts'

/**
 * `truncated` the input ends too early; `corrupt` a checksum or a structure is wrong; `trailing-data` something that is not
 * compressed data follows it; `unsupported` the format is known but not read here.
 */
export type CompressionErrorCode = 'truncated' | 'corrupt' | 'trailing-data' | 'unsupported'

/**
 * Compressed input that cannot be decompressed. All that was decompressed before was delivered. `byteOffset` counts compressed
 * bytes; there is no line and no column.
 */
export class CompressionError extends ParseError {
  override readonly name = 'CompressionError'
  declare readonly code: CompressionErrorCode
  readonly format: Compression

  /** @internal */
  constructor(format: Compression, code: CompressionErrorCode, message: string, byteOffset: number, cause?: unknown) {
    super(`${format}: ${message}`, { code, byteOffset, cause })
    this.format = format
  }
}
