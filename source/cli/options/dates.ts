// Dates as people write them, and as MediaWiki does.

import { parserOf } from './option-values.ts'

const EXPECTED =
  'a date such as 2026, 2026-01, 2026-01-31 or 20260131, or a time such as 2026-01-31T12:00:00Z, "2026-01-31 12:00" or 20260131120000 (UTC).'

/** Year, month, day, hour, minute, second, each of which may be absent with those that follow. */
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?)?)?$/i
/** The timestamps of MediaWiki, and the dates in the names of dumps. */
const COMPACT_DATE = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/
const SEPARATORS = ['', '-', '-', 'T', ':', ':']

/** A date, or a date with a time, in UTC: as dumps write timestamps, without the Z, or the beginning of that where the end is not said. */
export const parseDate = parserOf(readDate, EXPECTED)

/** Undefined also for a date that the calendar does not have. */
function readDate(text: string): string | undefined {
  const parts = (DATE.exec(text.trim()) ?? COMPACT_DATE.exec(text.trim()))
    ?.slice(1)
    .filter((part) => part !== undefined)
  const date = parts?.map((part, i) => `${SEPARATORS[i]}${part}`).join('')
  return date !== undefined && isInCalendar(date) ? date : undefined
}

/** Whether there is such a day, and such a time on it. */
function isInCalendar(date: string): boolean {
  const complete = `${date}${'0000-01-01T00:00:00'.slice(date.length)}Z`
  const time = Date.parse(complete)
  // Some days that are not there count as days of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString() === complete.replace('Z', '.000Z')
}
