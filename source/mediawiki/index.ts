/**
 * Reads the dumps of Wikipedia and other wikis: pages, revisions, indexes and ranges.
 *
 * @module xylem/mediawiki
 */

export type { Items } from '../async/items.ts'
export { CompressionError } from '../compression/errors.ts'
export type { FormatName } from '../record/format/index.ts'
export { LimitError, SourceError } from '../stream/errors.ts'
export { XylemError } from '../stream/xylem-error.ts'
export { ParseError } from '../text/parse-error.ts'
export { XmlError } from '../xml/errors/errors.ts'
export type {
  BlockReport,
  Boundary as PageBoundary,
  FileRange as DumpRange,
  HeadFacts as DumpHeadFacts,
  RangeCut as DumpRangeCut,
  RangeReport,
} from '../xml/ranges/range.ts'
export type { DumpOptions } from './dump-options.ts'
export type { PagePlace } from './dump-question.ts'
export { checkRanges, guessCuts, planRanges, RangeReader, verifyCuts } from './dump-range.ts'
export { DumpReader, readDump } from './dump-reader.ts'
export { type Fingerprint, isSameDump, takeFingerprint } from './head/fingerprint.ts'
export type { PageLineFilter, PageLines, PageWriteOptions, RevisionLineFilter } from './lines/page-lines.ts'
export type { PageRevisionTraits, PageTraits, RevisionTraits } from './lines/page-traits.ts'
export type { DumpReport } from './lines/record-counters.ts'
export { BlockList, buildIndex, makeIndexHead } from './multistream/index-builder.ts'
export {
  formatIndexEnd,
  formatIndexEntry,
  formatIndexHead,
  type IndexEntry,
  type IndexHead,
} from './multistream/index-format.ts'
export {
  MultistreamIndex,
  type PageAtOptions,
  type ReadIndexOptions,
  readIndex,
  readPageAt,
} from './multistream/multistream-index.ts'
export { resolveTitle } from './names/wiki-names.ts'
export type { Contributor } from './shape/contributor.ts'
export type { LogItem } from './shape/log-item.ts'
export type { Page, PageFacts, PageOutline, PageRevision, PageRevisionFacts } from './shape/page.ts'
export type { Revision, RevisionFacts, Slot } from './shape/revision.ts'
export type { Namespace, SiteInfo } from './shape/site-info.ts'
export type { Upload } from './shape/upload.ts'
