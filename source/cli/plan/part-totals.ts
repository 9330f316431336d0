// What the parts of a plan have together, and whether they agree.

import { PAGES } from '../../mediawiki/dump-range.ts'
import { ParseError } from '../../text/parse-error.ts'
import { checkRanges } from '../../xml/ranges/range-checker.ts'
import { InputError, PartsError } from '../errors/errors.ts'
import { findMissing, type Missing } from '../output/findings.ts'
import { ask } from '../read/ask.ts'
import { fieldNames } from '../read/records.ts'
import type { Plan, PlannedRange } from './plan.ts'
import type { RangeTrailer } from './range-job.ts'

/** What all parts have together. */
export interface PartTotals {
  parts: number
  records: number
  /** Of dumps. */
  pages?: number
  bytes: number
  /** Of dumps. */
  replaced?: number
  faults: number
  /** Ranges of records that were read again, because they did not begin where the range before had ended; absent where there is none. */
  readAgain?: number
  /** What was asked for and is in no part; absent where everything was found. */
  missing?: Missing
}

/** What all parts have together. */
export async function addUp({ ranges: [first] }: Plan, trailers: readonly RangeTrailer[]): Promise<PartTotals> {
  const question = first?.question ?? ({ kind: 'pages', onError: 'stop' } as const)
  const { report } = await ask({ question, format: 'jsonl', counts: 'pages' })
  for (const trailer of trailers) report.add(trailer)
  const { records = 0, pages, bytes = 0, replaced, faults = 0, seen = {} } = report.data
  const asked = question.kind === 'records' ? { fields: fieldNames(question) } : question
  const missing = findMissing(asked, { records, seen })
  const totals = {
    parts: trailers.length,
    records,
    ...(pages !== undefined && { pages }),
    bytes,
    ...(replaced !== undefined && { replaced }),
    faults,
  }
  return Object.keys(missing).length > 0 ? { ...totals, missing } : totals
}

/** Checks the parts of one file against each other. */
export function checkFile(file: string, ranges: readonly PlannedRange[], trailers: readonly RangeTrailer[]): void {
  const own = trailers.flatMap((trailer, i) => {
    const range = ranges[i] as PlannedRange
    return range.file === file ? [{ ...range, ...trailer }] : []
  })
  try {
    checkRanges(own[0]?.size ?? 0, own, {
      hasFaults: own.some(({ faults }) => faults > 0),
      noun: own[0]?.question.kind === 'records' ? 'records' : PAGES,
    })
  } catch (error) {
    if (error instanceof ParseError && error.code === 'incomplete-ranges')
      throw new PartsError(`${file}: ${error.message}`)
    throw new InputError(file, error)
  }
}
