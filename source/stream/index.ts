export { PromiseQueue, type WaitOptions } from '../async/promise-queue.ts'
export type { Bytes, LoneSurrogate, TextOrBytes } from './chunk-encoder.ts'
export { Cursor } from './cursor.ts'
export {
  type LimitCode,
  type LimitDetails,
  LimitError,
  SourceError,
  type SourceErrorCode,
  type UsageCode,
} from './errors.ts'
export { makeTransform, type Transform, type TransformOptions } from './make-transform.ts'
export type { LimitOptions } from './options.ts'
export type { Seekable, SeekableSource } from './seekable.ts'
export { HttpSource, type HttpSourceOptions } from './sources/http.ts'
export type { ByteSource } from './sources/source.ts'
export type { Progress, ReportsProgress } from './sources/source-reader.ts'
export { StreamCache, type StreamCacheOptions, type StreamLimits } from './stream-cache.ts'
export { type ErrorJson, XylemError } from './xylem-error.ts'
