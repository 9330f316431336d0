// What was asked for and never found. It is decided here, at the end of a run: of what all threads, ranges and inputs have seen together.

import { nameOfField, parseAddedField, type RecordKind } from '../../mediawiki/lines/added-fields.ts'
import type { NumberRange } from '../../mediawiki/lines/filter-conditions.ts'
import { LISTS, type ListName, type Seen } from '../../mediawiki/lines/record-counters.ts'
import { ReportedError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import type { RecordOptions } from '../options/dump-options.ts'
import { noteError } from '../terminal/outcome.ts'
import { tell } from '../terminal/terminal.ts'
import { listFirst } from '../terminal/word-list.ts'

/** Values of the lists of a question that were not found, as texts. Lists of which all values were found are absent. */
export type Missing = { readonly [Name in ListName]?: readonly string[] }

/** Lists of which a value that was not found is an error. Of a field, it is one if the field is a path. */
const NEEDED: readonly ListName[] = ['titles', 'ids', 'model', 'contributor']

/** What a question asks for and is in no record. Where nothing was found, nothing is said about fields. */
export function findMissing(
  question: Partial<RecordOptions>,
  { records = 0, seen = {} }: { readonly records?: number; readonly seen?: Seen },
): Missing {
  const missing = LISTS.map((name) => {
    const values: readonly (string | NumberRange)[] = question[name] ?? []
    const places = new Set(seen[name])
    return [name, values.filter((_, place) => !places.has(place)).map(describeValue)] as const
  })
  return Object.fromEntries(missing.filter(([name, { length }]) => length > 0 && (name !== 'fields' || records > 0)))
}

/** What users say of runs in which something is not found. */
export interface FindingOptions {
  readonly allowEmpty?: true
  /** Whether they want to read it. */
  readonly warnings?: boolean
}

/** Says what of dumps was not found. Returns the exit code. */
export function reportMissing(
  kind: RecordKind,
  { records, missing }: { readonly records: number; readonly missing: Missing },
  options: FindingOptions,
  advice = '',
): number {
  const record = kind.slice(0, -1)
  const paths = missing.fields?.filter((field) => parseAddedField(kind, field)) ?? []
  const columns = missing.fields?.filter((field) => !paths.includes(field)) ?? []
  const needed = NEEDED.filter((name) => missing[name])
  const errors = needed.map((name) => `no ${record} found ${describeList(kind, name, missing[name] ?? [])}`)
  // Where values of a list are missing, nothing else need be said if they are all that is wanted.
  if (records === 0 && errors.length === 0) errors.push(`no ${record} found${advice}`)
  if (paths.length > 0) errors.push(describeMissing(paths.map((field) => nameOfField(kind, field))))
  const warnings = [
    ...(missing.ns ? [`no page found in ${plural('namespace', missing.ns)}`] : []),
    ...(columns.length > 0 ? [describeEmpty(columns, record)] : []),
  ]
  return conclude(errors, warnings, options)
}

/** Fields that no record of any input has. They are missing where that may be because of their paths. */
export interface UnseenFields {
  readonly missing?: readonly string[]
  readonly empty?: readonly string[]
  /** Inputs that have no record, where each is to have one. */
  readonly inputs?: readonly string[]
  /** What may have been meant by one of them. */
  readonly hint?: string | undefined
}

/** Says that no record was found in all inputs, with advice, or which fields none of them has. Returns the exit code. `noun`: what a record is called. */
export function reportUnseen(
  noun: string,
  { records, missing = [], empty = [], inputs = [], hint }: UnseenFields & { readonly records: number },
  options: FindingOptions,
  advice = '',
): number {
  if (records === 0) return conclude([`no ${noun} found${advice}`], [], options)
  return conclude(
    [
      ...(missing.length > 0 ? [`${describeMissing(missing)}${hint === undefined ? '' : `; ${hint}`}`] : []),
      ...(inputs.length > 0 ? [`no ${noun} found in ${listFirst(inputs)}`] : []),
    ],
    empty.length > 0 ? [describeEmpty(empty, noun)] : [],
    options,
  )
}

/** Ends a command that has reported something with an exit code that is not 0. */
export function requireGood(exitCode: number): void {
  if (exitCode !== ExitCode.GOOD) throw new ReportedError(exitCode)
}

/** Says what was not found, as `options` want it. Returns the exit code. */
export function conclude(
  errors: readonly string[],
  notes: readonly string[],
  { allowEmpty, warnings = true }: FindingOptions,
): number {
  if (warnings) {
    for (const note of notes) tell(`xylem: warning: ${note}`)
    for (const error of errors) tell(`xylem: ${error}`)
  }
  if (errors.length === 0 || allowEmpty) return ExitCode.GOOD
  noteError({ message: errors.join('; '), code: 'nothing-found' })
  return ExitCode.NOTHING_FOUND
}

function describeValue(value: string | NumberRange): string {
  if (typeof value === 'string') return value
  const { first, last } = value
  if (first === last) return String(first)
  return `${first}-${last === Number.MAX_SAFE_INTEGER ? '' : last}`
}

function describeList(kind: RecordKind, name: ListName, values: readonly string[]): string {
  const ofPage = kind === 'pages' ? 'with' : 'of a page with'
  const quoted = () => values.map((value) => JSON.stringify(value))
  if (name === 'titles') return `${ofPage} ${plural('the title', quoted())}`
  if (name === 'ids') return `${ofPage} ${plural('the id', values)}`
  if (name === 'model') return `with ${plural('the content model', values)}`
  return `by ${listFirst(quoted())}`
}

function describeMissing(fields: readonly string[]): string {
  return `nothing found for ${plural('the field', fields)}`
}

function describeEmpty(fields: readonly string[], record: string): string {
  return `${plural('the field', fields)} ${fields.length === 1 ? 'is' : 'are'} empty in every ${record}`
}

function plural(noun: string, values: readonly string[]): string {
  return `${values.length === 1 ? noun : `${noun}s`} ${listFirst(values)}`
}
