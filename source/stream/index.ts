export { PromiseQueue, type WaitOptions } from '../async/promise-queue.ts'
export { Cursor } from './cursor.ts'
export {
  type LimitCode,
  type LimitDetails,
  LimitError,
  SourceError,
  type SourceErrorCode,
  type UsageCode,
} from './errors.ts'
export type { ByteSource, Progress, ReportsProgress } from './source.ts'
export { StreamCache, type StreamCacheOptions } from './stream-cache.ts'
