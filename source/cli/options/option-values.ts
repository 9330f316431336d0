// What options of commands may be, and what commander is told where they are not.

import { InvalidArgumentError } from 'commander'
import { listWords } from '../terminal/word-list.ts'

/** What several inputs and one input are named by, for help. */
export const INPUTS = 'files, members of zip archives (a.zip/MEMBER), patterns, URLs, or - for standard input'
export const INPUT = 'a file, a URL, or - for standard input'

/** A whole number from 0. */
export function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or greater.')
  return Number(text)
}

/** A whole number from 1. */
export function parsePositive(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or greater.')
  return Number(text)
}

const SIZE = /^(\d+)(k|M|G|Ki|Mi|Gi)?$/
const UNITS: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }
const SIZE_WORDS = 'which k, M or G (1,000), or Ki, Mi or Gi (1,024) may follow, such as 64Mi.'

/** A number of bytes from 1, such as `1000`, `64k` and `2Gi`. */
export function parseSize(text: string): number {
  const size = readSize(text)
  if (!(size > 0)) throw new InvalidArgumentError(`It must be a whole number, 1 or greater, ${SIZE_WORDS}`)
  return size
}

/** A number of bytes from 0. */
export function parseSizeOrNone(text: string): number {
  const size = readSize(text)
  if (Number.isNaN(size)) throw new InvalidArgumentError(`It must be a whole number, 0 or greater, ${SIZE_WORDS}`)
  return size
}

/** NaN for anything else. */
function readSize(text: string): number {
  const [, digits, unit] = SIZE.exec(text) ?? []
  return Number(digits) * (unit === undefined ? 1 : (UNITS[unit] as number))
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

function requireValues(parts: readonly string[]): string[] {
  const values = parts.map((value) => value.trim())
  if (values.some((value) => value === ''))
    throw new InvalidArgumentError('It must be a list of values separated by commas.')
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
