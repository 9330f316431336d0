/**
 * Reads XML in a worker, so that a page stays responsive.
 *
 * @module xylem/worker
 */

export { CompressionError } from '../compression/errors.ts'
export { LimitError, SourceError } from '../stream/errors.ts'
export type { ItemStream } from '../stream/item-stream.ts'
export { XylemError } from '../stream/xylem-error.ts'
export { ParseError } from '../text/parse-error.ts'
export { XmlError } from '../xml/errors/errors.ts'
export type {
  XmlWorkerColumnOptions,
  XmlWorkerOptions,
  XmlWorkerRecordOptions,
  XmlWorkerSource,
  XmlWorkerWriteOptions,
} from './options.ts'
export { readXmlInWorker, type XmlWorkerReader } from './reader.ts'
