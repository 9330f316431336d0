export { type DecompressOptions, decompress, type ReportsFormat } from './decompress.ts'
export { type Compression, detectCompression, LONGEST_SIGNATURE } from './detect.ts'
export { CompressionError, type CompressionErrorCode } from './errors.ts'
