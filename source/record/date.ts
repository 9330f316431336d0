// Dates as ISO 8601 and XML Schema write them, as programs write those with a blank, and as RFC 822 does.

/** The extended form, in which a year may have six digits and a sign, as `toISOString` writes some; and the basic form. */
const FORMS = [formOf('(?!-0{6})(\\d{4}|[+-]\\d{6})', '-', ':'), formOf('(\\d{4})', '', '')]

/** `dash`, `colon`: what stands between the numbers of a day, and between those of a time. */
function formOf(year: string, dash: string, colon: string): RegExp {
  const time = `(\\d\\d)${colon}(\\d\\d)(?:${colon}(\\d\\d)(?:[.,](\\d+))?)?`
  const zone = `(?: ?(?:[Zz]|([+-])(\\d\\d)(?:${colon && ':?'}(\\d\\d))?))`
  // A day of XML Schema may have a zone, and is the same day with it.
  const zoneOfDay = dash && '|[Zz]|[+-](?:0\\d|1[0-4]):[0-5]\\d'
  return new RegExp(`^${year}${dash}(\\d\\d)${dash}(\\d\\d)(?:[Tt ]${time}${zone}?${zoneOfDay})?$`)
}

/** The date of RFC 822, with a year of four digits as well (RFC 1123). */
const RFC_822 =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun), ?)?(\d\d?) (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) (\d\d(?:\d\d)?) (\d\d:\d\d(?::\d\d)?) ([+-]\d{4}|z|utc?|gmt|[ecmp][sd]t)$/i
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'
/** Hours to add for UTC in winter, by the first letter of a zone of North America. */
const BEHIND: Readonly<Record<string, number>> = { e: 5, c: 6, m: 7, p: 8 }

/** A date of RFC 822 in the extended form; any other text as it is. A year of two digits is one from 1950 to 2049 (RFC 2822, section 4.3). */
function toExtended(text: string): string {
  return text.replace(RFC_822, (_, day: string, name: string, digits: string, time: string, zone: string) => {
    const year = digits.length === 4 ? digits : (digits < '50' ? '20' : '19') + digits
    const month = String(MONTHS.indexOf(name.toLowerCase()) / 3 + 1).padStart(2, '0')
    const [letter = '', kind] = zone.toLowerCase()
    const hours = BEHIND[letter]
    const named = hours === undefined ? 'Z' : `-0${kind === 'd' ? hours - 1 : hours}`
    return `${year}-${month}-${day.padStart(2, '0')}T${time}${/\d/.test(zone) ? zone : named}`
  })
}

/**
 * What a text says: a day, or a day with a time of at least hours and minutes. Without a zone, it is in UTC. Digits after the milliseconds are cut off.
 * Undefined for any other text, for a day that is not in the calendar, and for a leap second.
 */
export function parseDate(text: string): Date | undefined {
  const parts = FORMS[0]?.exec(text) ?? FORMS[1]?.exec(text) ?? FORMS[0]?.exec(toExtended(text))
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
