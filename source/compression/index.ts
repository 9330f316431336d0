/**
 * Reads compressed sources: gzip, bzip2 and zstd.
 *
 * @module xylem/compression
 */

export { LimitError, SourceError } from '../stream/errors.ts'
export { XylemError } from '../stream/xylem-error.ts'
export { decompress, type ReportsFormat } from './decompress.ts'
export type { DecompressOptions } from './decompress-options.ts'
export { type Compression, detectCompression, LONGEST_SIGNATURE } from './detect.ts'
export { CompressionError, type CompressionErrorCode } from './errors.ts'
