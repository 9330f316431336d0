/**
 * Reads the dumps of Wikipedia and other wikis: pages, revisions, indexes and ranges.
 *
 * @module xylem/mediawiki
 */

export type { Items } from '../async/items.ts'
export { CompressionError } from '../compression/errors.ts'
export { LimitError, SourceError } from '../stream/errors.ts'
export { XylemError } from '../stream/xylem-error.ts'
export { ParseError } from '../text/parse-error.ts'
export { XmlError } from '../xml/errors/errors.ts'
export { BlockList } from './block-list.ts'
export type { PagePlace } from './collectors.ts'
export type { Contributor } from './contributor.ts'
export type { DumpHeadFacts } from './dump-head.ts'
export {
  type BlockReport,
  checkRanges,
  type DumpRange,
  type PageBoundary,
  planRanges,
  RangeReader,
  type RangeReport,
} from './dump-range.ts'
export { type DumpOptions, DumpReader, readDump } from './dump-reader.ts'
export { type Fingerprint, isSameDump, takeFingerprint } from './fingerprint.ts'
export { buildIndex, makeIndexHead } from './index-builder.ts'
export {
  formatIndexEnd,
  formatIndexEntry,
  formatIndexHead,
  type IndexEntry,
  type IndexHead,
} from './index-format.ts'
export type { LogItem } from './log-item.ts'
export {
  MultistreamIndex,
  type PageAtOptions,
  type ReadIndexOptions,
  readIndex,
  readPageAt,
} from './multistream-index.ts'
export type { Page, PageFacts, PageOutline } from './page.ts'
export type {
  PageLineFilter,
  PageLines,
  PageRevisionTraits,
  PageTraits,
  RevisionLineFilter,
  RevisionTraits,
} from './page-lines.ts'
export type { PageRevision, PageRevisionFacts } from './page-revision.ts'
export type { Revision, RevisionFacts, Slot } from './revision.ts'
export type { Namespace, SiteInfo } from './site-info.ts'
export type { Upload } from './upload.ts'
