// Plans: dumps as ranges that can be read by themselves, by whoever and in whatever order. Planning reads the beginning of each file and
// nothing else.

import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type DumpRange, planRanges } from '../mediawiki/dump-range.ts'
import { readDump } from '../mediawiki/dump-reader.ts'
import type { SiteInfo } from '../mediawiki/site-info.ts'
import { FileSource } from '../stream/sources/node.ts'
import { needsSiteInfo, resolveNamespaces } from './dump-filter.ts'
import type { RecordKind, RecordOptions } from './dump-options.ts'
import { InputChanged, InputError, UsageError } from './errors.ts'

/** The first line of a plan. */
export interface PlanHead {
  readonly type: 'plan'
  readonly version: 1
  readonly ranges: number
  /** What the first dump says of its wiki; absent where it says nothing that can be read. */
  readonly site?: SiteInfo
}

/** A range with all that is needed to read it: a line of a plan. */
export interface PlannedRange extends DumpRange {
  readonly type: 'range'
  /** Its place in the plan, from 0. */
  readonly index: number
  /** Depends on the content of the file, the cuts and what is wanted, and on nothing else. */
  readonly id: string
  readonly file: string
  /** Of the whole file, in bytes, and when it was changed last, in milliseconds since 1970. */
  readonly size: number
  readonly mtime: number
  readonly kind: RecordKind
  /** What is wanted, as options of the command line. */
  readonly arguments: readonly string[]
}

/** Bytes of a file in a range, unless said otherwise: some 70 MB of XML in bzip2. */
const DEFAULT_RANGE_SIZE = { bzip2: 16 * 1024 * 1024, none: 64 * 1024 * 1024, other: Number.POSITIVE_INFINITY }
/** Bytes of the beginning that tell what a file is. */
const HEAD = 16

/** How a plan is to be made. */
export interface PlanOptions {
  readonly kind: RecordKind
  readonly records: RecordOptions
  /** About how many bytes of a file are in a range, or how many ranges each file is cut into. */
  readonly rangeSize?: number | undefined
  readonly ranges?: number | undefined
}

/** Makes a plan. Throws a `UsageError` for what cannot be planned, and an `InputError` for a file that cannot be read. */
export async function makePlan(files: readonly string[], options: PlanOptions): Promise<[PlanHead, ...PlannedRange[]]> {
  const site = files[0] === undefined ? undefined : await readSite(files[0], needsSiteInfo(options.records))
  const args = toArguments(options.records, site)
  const planned: PlannedRange[] = []
  for (const file of files) {
    const { size, mtime, head } = await inspect(file)
    const [{ codec }] = planRanges(head, size, size) as [DumpRange]
    const target =
      options.ranges === undefined ? (options.rangeSize ?? DEFAULT_RANGE_SIZE[codec]) : size / options.ranges
    for (const range of planRanges(head, size, Math.max(1, target))) {
      const identity = JSON.stringify([basename(file), size, mtime, range.start, range.end, options.kind, args])
      const id = createHash('sha256').update(identity).digest('hex').slice(0, 16)
      const place = { type: 'range', index: planned.length, id, file, size, mtime } as const
      planned.push({ ...place, ...range, kind: options.kind, arguments: args })
    }
  }
  return [{ type: 'plan', version: 1, ranges: planned.length, ...(site && { site }) }, ...planned]
}

/** Throws an `InputChanged` when the file of a range is not what it was. */
export async function requireUnchanged({ file, size, mtime }: PlannedRange): Promise<void> {
  const now = await inspect(file)
  if (now.size === size && now.mtime === mtime) return
  throw new InputChanged(`${file}: it has changed since the plan was made`)
}

/** A line of a plan that is a range. Throws a `UsageError` for anything else. */
export function parseRange(line: string): PlannedRange {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new UsageError('this is no range: it must be a line of what xylem plan prints')
  }
  const range = value as Partial<PlannedRange>
  const isRange = range.type === 'range' && typeof range.file === 'string' && typeof range.start === 'number'
  if (isRange && typeof range.end === 'number' && Array.isArray(range.arguments)) return range as PlannedRange
  throw new UsageError('this is no range: it must be a line of what xylem plan prints, of the type range')
}

async function inspect(file: string): Promise<{ size: number; mtime: number; head: Uint8Array }> {
  try {
    const { size, mtimeMs } = await stat(file)
    const handle = await open(file)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0)
      return { size, mtime: Math.floor(mtimeMs), head: buffer.subarray(0, bytesRead) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new InputError(file, error)
  }
}

async function readSite(file: string, isNeeded: boolean): Promise<SiteInfo | undefined> {
  const reader = readDump(new FileSource(file))
  try {
    return await reader.siteInfo
  } catch (error) {
    if (isNeeded) throw new InputError(file, error)
    return undefined
  } finally {
    await reader.close()
  }
}

/** The options as they are given on a command line; namespaces by their numbers. */
function toArguments(options: RecordOptions, site: SiteInfo | undefined): string[] {
  const { redirects, title, ids, since, until, model, minor, contributor, fields, strict, onError } = options
  const { ns } = resolveNamespaces(options, site)
  const values: [string, string | undefined][] = [
    ['--ns', ns?.join(',')],
    ['--redirects', redirects],
    ['--title', title?.source],
    [
      '--ids',
      ids?.map(({ first, last }) => (last === first ? first : `${first}-${last === Infinity ? '' : last}`)).join(','),
    ],
    ['--since', since],
    ['--until', until],
    ['--model', model?.join(',')],
    ['--minor', minor],
    ['--contributor', contributor?.join(',')],
    ['--fields', fields?.join(',')],
    ['--on-error', onError === 'stop' ? undefined : onError],
  ]
  const args = values.flatMap(([name, value]) => (value === undefined ? [] : [name, value]))
  return strict ? [...args, '--strict'] : args
}
