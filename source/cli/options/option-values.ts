// What options of commands may be, and what commander is told where they are not.

import { InvalidArgumentError } from 'commander'
import { listWords } from '../terminal/word-list.ts'

/** What several inputs and one input are named by, for help. */
export const INPUTS = 'files, members of zip archives (a.zip/MEMBER), patterns, URLs, or - for standard input'
export const INPUT = 'a file, a URL, or - for standard input'

/** A parser for commander. If `read` returns undefined, it throws an `InvalidArgumentError`, which says that the value must be `words`. */
export function parserOf<Value>(read: (text: string) => Value | undefined, words: string): (text: string) => Value {
  return (text) => {
    const value = read(text)
    if (value === undefined) throw new InvalidArgumentError(`It must be ${words}`)
    return value
  }
}

const SIZE = /^(\d+)(k|M|G|Ki|Mi|Gi)?$/
const UNITS: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }
const SIZE_WORDS = 'which k, M or G (1,000), or Ki, Mi or Gi (1,024) may follow, such as 64Mi.'

/** A number of at least `least`, written as `form` says. */
function readNumber(text: string, least: number, form = /^(\d+)$/): number | undefined {
  const [, digits, unit] = form.exec(text) ?? []
  const number = Number(digits) * (unit === undefined ? 1 : (UNITS[unit] as number))
  return number >= least ? number : undefined
}

/** A whole number from 0. */
export const parseCount = parserOf((text) => readNumber(text, 0), 'a whole number, 0 or greater.')

/** A whole number from 1. */
export const parsePositive = parserOf((text) => readNumber(text, 1, /^([1-9]\d*)$/), 'a whole number, 1 or greater.')

/** A number of bytes from 1, such as `1000`, `64k` and `2Gi`. */
export const parseSize = parserOf((text) => readNumber(text, 1, SIZE), `a whole number, 1 or greater, ${SIZE_WORDS}`)

/** A number of bytes from 0. */
export const parseSizeOrNone = parserOf(
  (text) => readNumber(text, 0, SIZE),
  `a whole number, 0 or greater, ${SIZE_WORDS}`,
)

/** Dates as people write them, and as MediaWiki does. */
const DATE_WORDS =
  'a date such as 2026, 2026-01, 2026-01-31 or 20260131, or a time such as 2026-01-31T12:00:00Z, "2026-01-31 12:00" or 20260131120000 (UTC).'

/** Year, month, day, hour, minute, second, each of which may be absent with those that follow. */
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?)?)?$/i
/** The timestamps of MediaWiki, and the dates in the names of dumps. */
const COMPACT_DATE = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/
const SEPARATORS = ['', '-', '-', 'T', ':', ':']

/** A date, or a date with a time, in UTC: as dumps write timestamps, without the Z, or the beginning of that where the end is not said. */
export const parseTime = parserOf(readDate, DATE_WORDS)

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

/** The name of a file or a folder. */
export function parseName(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must be a name.')
  // As in -o=x.csv, which only long options allow.
  if (text.startsWith('='))
    throw new InvalidArgumentError(`It must be a name without "=" before it; a file of this name is ./${text}.`)
  return text
}

/** Values separated by commas, after those of the same option before it. */
export function parseList(text: string, before: readonly string[] = []): string[] {
  return [...before, ...requireValues(text.split(','))]
}

/** Fields in the same way. Commas in the predicates of paths, such as `a[@b="c,d"]`, separate nothing. */
export function parseFieldList(text: string, before: readonly string[] = []): string[] {
  return [...before, ...requireValues(text.split(/,(?![^[\]]*\])/))]
}

/** Throws an `InvalidArgumentError` if one of the values is empty. */
export function requireValues(parts: readonly string[], noun = 'values'): string[] {
  const values = parts.map((value) => value.trim())
  if (values.includes('')) throw new InvalidArgumentError(`It must be a list of ${noun} separated by commas.`)
  return values
}

/** The source of a regular expression (flag u). */
export function parsePattern(text: string): string {
  try {
    new RegExp(text, 'u')
    return text
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** A title as dumps write it: in links and addresses, underscores stand for spaces, and several of them for one. */
export function normalizeTitle(text: string): string {
  return text.replace(/[ _]+/g, ' ').trim()
}

/** A parser of one of some words, which completion offers. */
export interface WordParser<Word extends string = string> {
  (text: string): Word
  readonly words: readonly Word[]
}

/** A parser of one of some words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): WordParser<Word> {
  return oneOfNow(() => words)
}

/** A parser of one of the words that there are when it is used. */
export function oneOfNow<Word extends string>(wordsNow: () => readonly Word[]): WordParser<Word> {
  const parse = (text: string) => {
    const words = wordsNow()
    const word = words.find((one) => one === text)
    if (word === undefined) throw new InvalidArgumentError(`It must be ${listWords(words)}.`)
    return word
  }
  return Object.defineProperty(parse, 'words', { get: wordsNow }) as WordParser<Word>
}

/** A value after those of the same option before it. */
export function parseRepeated(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}
