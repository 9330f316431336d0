// Pages and revisions as lines of JSON: which ones, and what is counted.

import type { FormatOptions } from '../../record/format/format.ts'
import { FORMAT_OPTION_KINDS } from '../../record/format/index.ts'
import type { Report } from '../../record/report.ts'
import { type OptionKinds, requireNumber, requireOptions } from '../../stream/options.ts'
import type { WhereConditions } from '../../xml/question/where.ts'
import type { LineChoice } from './chosen-fields.ts'
import type { RecordFilter } from './filter-conditions.ts'
import type { PageRevisionTraits, PageTraits } from './page-traits.ts'
import type { SeenRecord } from './record-counters.ts'

/** Which records are written, and how. */
export interface LineFilter<Traits = never> {
  /**
   * What to write of each record, and in which format; without it, all fields as JSON lines.
   *
   * @internal
   */
  readonly choice?: LineChoice | undefined
  /**
   * What is counted; without it, all that `DumpReader.report` has.
   *
   * @internal
   */
  readonly report?: Report<SeenRecord, object> | undefined
  /**
   * Which records are wanted, as data: by options, and by conditions on fields.
   *
   * @internal
   */
  readonly where?: RecordFilter | undefined
  /** @internal */
  readonly conditions?: WhereConditions | undefined
  /** Whether a record is wanted. */
  readonly isWanted?: ((record: Traits) => boolean) | undefined
  /** How many records to write at most. */
  readonly limit?: number | undefined
}

/** Filters for pages. A filter that is absent excludes nothing. */
export interface PageLineFilter extends LineFilter<PageTraits> {
  readonly namespaces?: ReadonlySet<number> | undefined
  readonly redirects?: 'in' | 'out' | 'only' | undefined
}

/** Which pages are written in a format, and how. */
export interface PageWriteOptions
  extends Pick<PageLineFilter, 'namespaces' | 'redirects' | 'isWanted' | 'limit'>,
    Omit<FormatOptions, 'absent'> {}

/** Filters for revisions. */
export interface RevisionLineFilter extends LineFilter<PageRevisionTraits> {}

export const REVISION_LINE_FILTER: OptionKinds<RevisionLineFilter> = {
  choice: 'object',
  report: 'object',
  where: 'object',
  conditions: 'object',
  isWanted: 'function',
  limit: 'any',
}
export const PAGE_LINE_FILTER: OptionKinds<PageLineFilter> = {
  ...REVISION_LINE_FILTER,
  namespaces: 'object',
  redirects: ['in', 'out', 'only'],
}

const { absent: _, ...PAGE_FORMAT_OPTIONS } = FORMAT_OPTION_KINDS
export const PAGE_WRITE_OPTIONS: OptionKinds<PageWriteOptions> = {
  namespaces: 'object',
  redirects: ['in', 'out', 'only'],
  isWanted: 'function',
  limit: 'any',
  ...PAGE_FORMAT_OPTIONS,
}

/** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for an option that is wrong. */
export function requireFilter<Filter extends { readonly limit?: number | undefined }>(
  filter: Filter,
  kinds: OptionKinds<Filter>,
): void {
  requireOptions(filter, kinds)
  if (filter.limit !== undefined) requireNumber('limit', filter.limit, 0)
}

/** What was written. */
export interface PageLines {
  /** Complete lines in UTF-8. Keeping them retains up to 256 KiB. */
  readonly bytes: Uint8Array
  /** How many. */
  readonly records: number
}
