// Plans: files as ranges that can be read by themselves, by whoever and in whatever order. Planning reads the beginning and the end of each
// file, and what is needed to find its cuts, if these are wanted.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readDump } from '../../mediawiki/dump-reader.ts'
import type { SiteInfo } from '../../mediawiki/shape/site-info.ts'
import { type FormatName, findFormat, formatNames } from '../../record/format/index.ts'
import { InputError, isOtherXml, UsageError } from '../errors/errors.ts'
import { dashed } from '../errors/or-usage.ts'
import { QUESTION } from '../options/dump-options.ts'
import { differingFormatOptions } from '../options/format-options.ts'
import type { DumpQuestion, Question, Range } from '../read/question.ts'
import { needsNamespaces, resolveQuestion } from '../read/resolve-question.ts'
import { listFirst } from '../terminal/word-list.ts'
import { type DivideOptions, FileDivider } from './file-divider.ts'
import { baseNameOf, type FileIdentity, PlannedFile } from './planned-file.ts'
import { sha256Of } from './seal.ts'

/** The version of plans and of the parts that are made by them; others are refused. */
const PLAN_VERSION = 5

/** The first line of a plan. */
interface PlanHead {
  readonly type: 'plan'
  readonly version: typeof PLAN_VERSION
  readonly ranges: number
  /** What the first dump says of its wiki; absent where it says nothing that can be read. */
  readonly site?: SiteInfo
  /** SHA-256 of the ids of the ranges, each with a line feed, in hexadecimal. */
  readonly digest: string
}

/** A range of a file with all that is needed to read it: a line of a plan. */
export interface PlannedRange extends Range, FileIdentity {
  readonly type: 'range'
  readonly version: typeof PLAN_VERSION
  /** Its place in the plan, from 0. */
  readonly index: number
  /** A digest of all else but the folder and the time of the file: of the file's identity, the cuts and what is wanted. */
  readonly id: string
  /** A path, or a URL. */
  readonly file: string
  /** A digest of its size, its beginning and its end: a file that was touched or copied is the same one. */
  readonly fingerprint: string
  readonly question: Question
  /** The format of its part; absent for JSON lines. */
  readonly format?: FormatName
  /** How the bytes of its part are made; absent for formats with one way. */
  readonly encoding?: string
}

/** A plan. */
export interface Plan {
  /** SHA-256 of the ids of the ranges. */
  readonly digest: string
  readonly site?: SiteInfo | undefined
  readonly ranges: readonly PlannedRange[]
}

/** How a plan is to be made. */
export interface PlanOptions extends DivideOptions {
  readonly format?: FormatName | undefined
}

/** How a plan differs from another one, as users say it; empty where that cannot be said. */
export function describeDifference(plan: Plan, other: Plan): string {
  const files = filesOf(plan)
  if (files.join() !== filesOf(other).join()) return `of ${listFirst(files)}`
  const [kind, before] = [plan, other].map(({ ranges: [range] }) => range?.question.kind)
  if (kind !== before) return `of ${kind}`
  const options = findDifferingOptions(plan, other)
  return options.length === 0 ? '' : `with another ${options.join(', ')}`
}

/** The names of files, without their folders. */
function filesOf({ ranges }: Plan): readonly string[] {
  return [...new Set(ranges.map(({ file }) => baseNameOf(file)))]
}

/** The options in which two plans of the same files differ. */
function findDifferingOptions(one: Plan, other: Plan): string[] {
  const [first, second] = [one, other].map(({ ranges: [range] }): Readonly<Record<string, unknown>> => {
    return { ...range?.question, format: range?.format }
  })
  const names = [...QUESTION, 'format']
  const differing = names.filter((name) => JSON.stringify(first?.[name]) !== JSON.stringify(second?.[name]))
  const isOtherCut = one.ranges.length !== other.ranges.length || one.ranges[0]?.end !== other.ranges[0]?.end
  const options = isOtherCut ? [...differing, 'rangeSize'] : differing
  return options.flatMap((name) => {
    return name === 'written' ? differingFormatOptions(first?.[name], second?.[name]) : `--${dashed(name)}`
  })
}

/** Makes a plan. Throws a `UsageError` for what cannot be planned, and an `InputError` for a file that cannot be read. */
export async function makePlan(files: readonly string[], options: PlanOptions): Promise<Plan> {
  const { question: asked, format = 'jsonl', signal } = options
  const twice = files.find((file, i) => files.indexOf(file) < i)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice`)
  if (findFormat(format).place === 'file')
    throw new UsageError(`ranges cannot be written as ${format}, which is one file`)
  const site = asked.kind === 'records' ? undefined : await readSites(files, asked, signal)
  const question = asked.kind === 'records' ? asked : questionOf(asked, site)
  const [encoding] = (await findEncodings(format)).keys()
  const written = { ...(format !== 'jsonl' && { format }), ...(encoding !== undefined && { encoding }) }
  const ranges: PlannedRange[] = []
  const divider = new FileDivider({ ...options, question })
  for (const file of files) {
    const planned = new PlannedFile(file, signal)
    const identity = { ...(await planned.identify()), fingerprint: await planned.takeFingerprint() }
    for (const part of await divider.divide(planned, identity)) {
      const range = { index: ranges.length, file, ...identity, ...part, question, ...written }
      ranges.push({ type: 'range', version: PLAN_VERSION, id: makeId(range), ...range } as PlannedRange)
    }
  }
  return { digest: digestOf(ranges), site, ranges }
}

/** The format of the part of a range. */
export function formatOf({ format = 'jsonl' }: PlannedRange): FormatName {
  return format
}

/** The lines of a plan. */
export function formatPlan({ digest, site, ranges }: Plan): string {
  const head: PlanHead = { type: 'plan', version: PLAN_VERSION, ranges: ranges.length, ...(site && { site }), digest }
  return [head, ...ranges].map((value) => `${JSON.stringify(value)}\n`).join('')
}

/** A plan from its lines. Throws a `UsageError` for what is not a plan, and for one that was edited or is not complete. */
export function parsePlan(text: string): Plan {
  const [first = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '')
  const head = parseObject(first) as Partial<PlanHead>
  if (head.type !== 'plan') throw new UsageError('not a plan; expected the output of xylem plan')
  requireVersion(head.version)
  const { ranges: count, digest = '', site } = head
  if (lines.length !== count)
    throw new UsageError(`the plan has ${lines.length} of its ${count} ranges; create it again`)
  const ranges = lines.map(parseRange)
  if (digestOf(ranges) !== digest)
    throw new UsageError('the ranges do not match the digest of the plan; create the plan again')
  return { digest, site, ranges }
}

/** A line of a plan that is a range. Throws a `UsageError` for anything else, and for a range that was edited. */
export function parseRange(line: string): PlannedRange {
  const range = parseObject(line) as Partial<PlannedRange>
  if (range.type !== 'range' || typeof range.file !== 'string') {
    throw new UsageError(
      'not a range; expected a line of xylem plan with "type":"range": the text of the line itself, or - for one on standard input',
    )
  }
  requireVersion(range.version)
  const { format } = range
  if (format !== undefined && !formatNames().includes(format))
    throw new UsageError(`the plan is for the format ${format}, which this xylem does not have`)
  if (range.id !== makeId(range)) throw new UsageError('the range was edited; use the line as xylem plan prints it')
  return range as PlannedRange
}

function requireVersion(version: unknown): void {
  if (version === PLAN_VERSION) return
  throw new UsageError(
    `the plan has version ${String(version)}, but this xylem reads version ${PLAN_VERSION}; create the plan again`,
  )
}

/** Names of files contain ids: they are nothing but hexadecimal digits. */
function makeId(range: Partial<PlannedRange>): string {
  const { index, file = '', size, fingerprint, codec, start, end, head, cut } = range
  const what = [
    index,
    baseNameOf(file),
    size,
    fingerprint,
    codec,
    start,
    end,
    head?.length,
    head?.digest,
    range.question,
    ...(range.format ? [range.format] : []),
    ...('within' in range ? [range.within] : []),
    ...(range.encoding ? [range.encoding] : []),
    ...(cut ? [cut] : []),
  ]
  return sha256Of(JSON.stringify(what)).slice(0, 16)
}

function digestOf(ranges: readonly PlannedRange[]): string {
  return sha256Of(ranges.map(({ id }) => `${id}\n`).join(''))
}

/** An object; empty for what is not JSON, or not an object. */
function parseObject(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/**
 * What the first dump says of its wiki. Throws an `InputError` for a file that is not a dump, or whose beginning cannot be read, unless such errors are
 * skipped: otherwise, whoever reads a range would be the first to say so.
 */
async function readSites(
  files: readonly string[],
  question: DumpQuestion,
  signal?: AbortSignal,
): Promise<SiteInfo | undefined> {
  const sites: (SiteInfo | undefined)[] = []
  for (const file of files) {
    const isNeeded = question.onError === 'stop' || (sites.length === 0 && needsNamespaces(question))
    const reader = readDump(await new PlannedFile(file, signal).open())
    try {
      sites.push(await reader.siteInfo)
    } catch (cause) {
      const error = new InputError(file, cause)
      if (isNeeded || isOtherXml(error)) throw error
      sites.push(undefined)
    } finally {
      await reader.close()
    }
  }
  return sites[0]
}

/** What is wanted, with namespaces by their numbers and titles of the wiki. The format of a range stands beside it. */
function questionOf(options: DumpQuestion, site: SiteInfo | undefined): DumpQuestion {
  const resolved = resolveQuestion(options, site)
  const given = QUESTION.flatMap((name) => (resolved[name] === undefined ? [] : [[name, resolved[name]]]))
  return { kind: options.kind, ...Object.fromEntries(given) }
}

// How the bytes of parts are made. Plans fix it where other versions make other bytes, so that parts which are written twice are the same.

/** The encodings in which this process can write parts of a format, by the codecs that they stand for. The usual one is the first; formats with one encoding have none. */
export async function findEncodings(name: FormatName): Promise<ReadonlyMap<string, string>> {
  const { title, module } = findFormat(name)
  const { codecs = [], package: maker } = (await module.load()).format
  const made = maker === undefined ? '' : `, ${maker} ${versionOf(maker, title)}`
  return new Map(codecs.map((codec) => [codec + made, codec]))
}

/** The codec of an encoding. Throws a `UsageError` for one in which this process cannot write. */
export async function codecOf(name: FormatName, encoding: string | undefined): Promise<string | undefined> {
  if (encoding === undefined) return undefined
  const encodings = await findEncodings(name)
  const codec = encodings.get(encoding)
  if (codec !== undefined) return codec
  throw new UsageError(
    `the plan is for parts in ${name} by ${encoding}, but here they are written by ${[...encodings.keys()].join(' or ')}; ` +
      'install the versions of the plan, or create the plan again',
  )
}

function versionOf(maker: string, title: string): string {
  try {
    const path = fileURLToPath(import.meta.resolve(maker))
    const folder = path.slice(0, path.lastIndexOf(maker) + maker.length)
    return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version
  } catch {
    throw new UsageError(
      `${title} is written by the package ${maker}, which is not installed; run: npm install ${maker}`,
    )
  }
}
