// What was asked for and never found. It is decided here, at the end of a run: of what all threads, ranges and inputs have seen together.

import { nameOfField, parseAddedField, type RecordKind } from '../../mediawiki/lines/added-fields.ts'
import type { NumberRange } from '../../mediawiki/lines/filter-conditions.ts'
import { LISTS, type ListName, type Seen } from '../../mediawiki/lines/record-counters.ts'
import { ExitCode, ReportedError } from '../errors/errors.ts'
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
  advice?: string,
): number {
  const noun = kind.slice(0, -1)
  const paths = missing.fields?.filter((field) => parseAddedField(kind, field)) ?? []
  const needed = NEEDED.filter((name) => missing[name])
  const unseen = {
    records,
    errors: needed.map((name) => `no ${noun} found ${describeList(kind, name, missing[name] ?? [])}`),
    missing: paths.map((field) => nameOfField(kind, field)),
    empty: missing.fields?.filter((field) => !paths.includes(field)),
    warnings: missing.ns && [`no page found in ${plural('namespace', missing.ns)}`],
  }
  return reportUnseen(noun, unseen, options, advice)
}

/** Fields that no record of any input has. They are missing where that may be because of their paths. */
export interface UnseenFields {
  readonly missing?: readonly string[] | undefined
  readonly empty?: readonly string[] | undefined
  /** Inputs that have no record, where each is to have one. */
  readonly inputs?: readonly string[]
  /** What may have been meant by one of them. */
  readonly hint?: string | undefined
}

/** What else there is to say, before that. */
interface Unseen extends UnseenFields {
  readonly records: number
  readonly errors?: readonly string[]
  readonly warnings?: readonly string[] | undefined
}

/** Says that no record was found in all inputs, with advice, or which fields none of them has. Returns the exit code. `noun`: what a record is called. */
export function reportUnseen(
  noun: string,
  { records, errors = [], warnings = [], missing = [], empty = [], inputs = [], hint }: Unseen,
  options: FindingOptions,
  advice = '',
): number {
  // If values of a list are missing, nothing else need be said where they are all that is wanted.
  if (records === 0) return conclude(errors.length > 0 ? errors : [`no ${noun} found${advice}`], warnings, options)
  const unseen = [
    ...(missing.length > 0 ? [`nothing found for ${plural('the field', missing)}${hint ? `; ${hint}` : ''}`] : []),
    ...(inputs.length > 0 ? [`no ${noun} found in ${listFirst(inputs)}`] : []),
  ]
  const are = empty.length === 1 ? 'is' : 'are'
  const unused = empty.length > 0 ? [`${plural('the field', empty)} ${are} empty in every ${noun}`] : []
  return conclude([...errors, ...unseen], [...warnings, ...unused], options)
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

function plural(noun: string, values: readonly string[]): string {
  return `${values.length === 1 ? noun : `${noun}s`} ${listFirst(values)}`
}
