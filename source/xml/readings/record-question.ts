// What is asked of a document where records are wanted.

import type { FormatRecord } from '../../record/format/format.ts'
import { decider } from '../../stream/options.ts'
import type { RecordOptions } from '../options.ts'
import { FieldView } from '../output/field-view.ts'
import type { RecordView } from '../output/record-view.ts'
import type { WalkAudit } from '../projection/projector.ts'
import { parsePaths } from '../question/path.ts'
import type { OrderedShape } from '../question/plan.ts'
import { type Projection, projectionOf } from '../question/projection.ts'
import { planChildren, planWhere, type WherePlan } from '../question/where.ts'
import { type Recovery, recovers, recoveryOf } from './recovery.ts'

/** Sees what records have that is in no field. */
export interface RecordAudit extends WalkAudit {
  /** Whether an element that matches is a record at all. */
  isRecord(record: RecordView): boolean
  /** A record with what is in none of its fields. */
  complete(record: RecordView): FormatRecord
}

/** Which records are wanted, and what of them. */
export interface RecordQuestion {
  readonly projection: Projection
  /** What must hold of them, as data; and what decides about what is left, if it is a function. */
  readonly conditions: readonly WherePlan[]
  readonly isWanted: ((record: RecordView) => boolean) | undefined
  /** Makes what sees more of each document than the fields have. */
  readonly audit?: (() => RecordAudit) | undefined
  /** Whether a value that is not of its kind is undefined; otherwise it is an error. */
  readonly isLenient: boolean
  /** What is done at errors; undefined where they are thrown. */
  readonly recovery: Recovery | undefined
}

/** What only readers of our own may ask for. */
export interface AskOptions {
  /** Whether matches in a record are counted for `onRecord` (`RecordView.innerMatches`). */
  readonly countsInner?: boolean | undefined
  /** The paths of the elements with which reading continues after errors, if those that are read may have any name. */
  readonly resumesAt?: readonly string[] | undefined
}

/** Throws a `RangeError` or a `TypeError` with the code `invalid-option` for what is invalid. */
export function askForRecords(
  path: string | readonly string[],
  shape: OrderedShape,
  { nested = 'outermost', prefixes, where, lenient: isLenient = false, onError }: RecordOptions,
  { countsInner, resumesAt }: AskOptions = {},
): RecordQuestion {
  const asked = { path, shape, prefixes, nested, countsInner, marksPaths: Array.isArray(where) }
  const projection = projectionOf({ ...asked, recovers: recovers(onError) })
  const { plan } = projection
  const isFunction = typeof where === 'function'
  const conditions = where === undefined || isFunction ? [] : planWhere(where, plan)
  const decide = isFunction ? decider<object>('where', where as (seen: object) => unknown) : undefined
  const view = new FieldView(plan, 'one', ({ isHidden }) => !isHidden)
  return {
    projection,
    conditions: [...planChildren(plan), ...conditions],
    isWanted: decide && ((record) => decide(record.see(view))),
    isLenient,
    recovery: recoveryOf(projection, onError, resumesAt && parsePaths(resumesAt, { prefixes })),
  }
}
