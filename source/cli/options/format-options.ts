// Options for the format of records: those that formats declare (record/format/index.ts).

import { InvalidArgumentError } from 'commander'
import type { FormatOptions } from '../../record/format/format.ts'
import {
  FORMAT_OPTIONS,
  FORMATS,
  type FormatName,
  formatNames,
  formatsWith,
  readFormatOptions,
} from '../../record/format/index.ts'
import { orUsage } from '../errors/or-usage.ts'
import { listWords } from '../terminal/word-list.ts'
import { nameOfValue, type OptionEntry, readFlags } from './option.ts'
import { oneOfNow, parseRepeated } from './option-values.ts'

export const FORMAT = [
  '--format <name>',
  `${listWords(formatNames())} (default: by the name of the output, else "jsonl")`,
  oneOfNow(formatNames),
] as const satisfies OptionEntry

/** The declared options that commands have, with their flags, and the names of their values. */
const DECLARED = Object.entries(FORMAT_OPTIONS).flatMap(([name, { flags = '', ...option }]) => {
  const read = readFlags(flags)
  return flags === '' ? [] : [{ name, flags, long: read.long, given: nameOfValue(read), ...option }]
})

const LONG = new Map(DECLARED.map(({ name, long }) => [name, long]))
/** The names of the values of these options. */
export const FORMAT_OPTION_NAMES: readonly string[] = DECLARED.map(({ given }) => given)

/** The options of formats whose bytes go anywhere, or of those that write one file by themselves. */
export function formatOptions(place?: 'file'): OptionEntry[] {
  const declared = DECLARED.filter(({ name }) => formatsWith(name).every((format) => FORMATS[format].place === place))
  return declared.map(({ flags, help = '', kind, isValid = () => true, words }): OptionEntry => {
    if (kind === 'boolean') return [flags, help]
    const parse = (text: string, before?: readonly string[]) => {
      if (!isValid(text)) throw new InvalidArgumentError(`It must be ${words}.`)
      return kind === 'strings' ? parseRepeated(text, before) : text
    }
    return [flags, help, parse]
  })
}

/** What the options of a command say of a format; undefined if they say nothing. Throws a `UsageError` for those of other formats. */
export function requireFormatOptions(format: FormatName, options: object): FormatOptions | undefined {
  const values = new Map(Object.entries(options))
  const found = DECLARED.flatMap(({ name, given }) => (values.has(given) ? [[name, values.get(given)]] : []))
  const say = (name: string, of: string, formats: readonly string[]) => {
    const uses = formats.map((one) => `--format ${one}`).join(' or ')
    return `${LONG.get(name)} applies to ${of} only; use it with ${uses}`
  }
  return found.length === 0 ? undefined : orUsage(() => readFormatOptions(format, Object.fromEntries(found), say))
}

/** The options in which two outputs differ. */
export function differingFormatOptions(one: unknown, other: unknown): string[] {
  const [values, others] = [new Map(Object.entries(one ?? {})), new Map(Object.entries(other ?? {}))]
  return [...LONG].flatMap(([name, long]) => (`${values.get(name)}` === `${others.get(name)}` ? [] : [long]))
}
