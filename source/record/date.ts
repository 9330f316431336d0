// Dates as ISO 8601 writes them.

/** The extended form, in which a year may have six digits and a sign, as `toISOString` writes some; and the basic form. */
const FORMS = [formOf('(?!-0{6})(\\d{4}|[+-]\\d{6})', '-', ':'), formOf('(\\d{4})', '', '')]

/** `dash`, `colon`: what stands between the numbers of a day, and between those of a time. */
function formOf(year: string, dash: string, colon: string): RegExp {
  const time = `(\\d\\d)${colon}(\\d\\d)(?:${colon}(\\d\\d)(?:[.,](\\d+))?)?`
  const zone = `(?:Z|([+-])(\\d\\d)(?:${colon}(\\d\\d))?)`
  return new RegExp(`^${year}${dash}(\\d\\d)${dash}(\\d\\d)(?:T${time}${zone}?)?$`)
}

/**
 * What a text says: a day, or a day with a time of at least hours and minutes. Without a zone, it is in UTC. Digits after the milliseconds are cut off.
 * Undefined for any other text, for a day that is not in the calendar, and for a leap second.
 */
export function parseDate(text: string): Date | undefined {
  const parts = FORMS[0]?.exec(text) ?? FORMS[1]?.exec(text)
  const at = (i: number) => Number(parts?.[i] ?? 0)
  const [month, day, hour, minute, second] = [at(2) - 1, at(3), at(4), at(5), at(6)]
  const { 7: fraction = '', 8: sign } = parts ?? []
  const date = new Date(0)
  date.setUTCFullYear(at(1), month, day)
  // Other days become those of the month before, or after.
  const isDay = date.getUTCMonth() === month && date.getUTCDate() === day
  const isTime = minute < 60 && second < 60 && (hour < 24 || (hour === 24 && minute + second + Number(fraction) === 0))
  if (!parts || !isDay || !isTime || at(9) > 23 || at(10) > 59) return undefined
  const zone = (sign === '-' ? -1 : 1) * (60 * at(9) + at(10))
  const seconds = 60 * (60 * hour + minute - zone) + second
  date.setTime(date.getTime() + 1000 * seconds + Number(fraction.slice(0, 3).padEnd(3, '0')))
  return Number.isNaN(date.getTime()) ? undefined : date
}
