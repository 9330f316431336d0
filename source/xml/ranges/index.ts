/**
 * Reads documents of records in ranges, each by itself: on several threads or machines.
 *
 * @module xylem/xml/ranges
 */

export { CompressionError } from '../../compression/errors.ts'
export { LimitError, SourceError } from '../../stream/errors.ts'
export type { Seekable, SeekableSource } from '../../stream/seekable.ts'
export { XylemError } from '../../stream/xylem-error.ts'
export { ParseError } from '../../text/parse-error.ts'
export { XmlError } from '../errors/errors.ts'
export { guessCuts, verifyCuts } from './cuts.ts'
export type { OpenPath } from './open-path.ts'
export { type PlanXmlOptions, planXmlRanges, type RangeTarget } from './plan-ranges.ts'
export type { BlockReport, Boundary, FileRange, HeadFacts, RangeCut, RangeReport, XmlRange } from './range.ts'
export { type CheckOptions, checkRanges } from './range-checker.ts'
export { readXmlRange, type XmlRangeOptions, XmlRangeReader } from './xml-range-reader.ts'
