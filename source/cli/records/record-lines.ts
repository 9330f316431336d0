// From a dump to its records as lines, and what is counted on the way.

import { parseAddedField, type RecordKind } from '../../mediawiki/added-fields.ts'
import { ChosenFields } from '../../mediawiki/chosen-fields.ts'
import type { DumpReader } from '../../mediawiki/dump-reader.ts'
import type { Page } from '../../mediawiki/page.ts'
import { canChoose } from '../../mediawiki/page-form.ts'
import type { PageRevision } from '../../mediawiki/page-revision.ts'
import { isMissingText, isSuppressed, type Revision } from '../../mediawiki/revision.ts'
import type { TableKind } from '../../xml/output/table.ts'
import { type FilterOptions, makeLineFilter, makePageFilter, makePageRevisionFilter } from './dump-filter.ts'
import { VERDICTS, type Verdict } from './verdicts.ts'

/** Which records, and how they are written. It can be sent to a worker. */
export interface RecordRequest {
  readonly kind: RecordKind
  /** Namespaces by their numbers. */
  readonly filter: FilterOptions
  readonly format: 'jsonl' | TableKind
  /** Undefined for all of them, where lines are JSON. */
  readonly fields?: readonly string[] | undefined
  /** Whether texts in tables are kept from being formulas. */
  readonly csvSafe?: boolean | undefined
  /** Whether texts are compared with their hashes. */
  readonly verify: boolean
  /** At most so many records. */
  readonly limit?: number | undefined
}

/** Lines, and what they are about. */
export interface RecordLines {
  /** Whole lines in UTF-8. */
  readonly bytes: Uint8Array
  readonly records: number
  readonly pages: number
  /** Ids of the first page and the last one; absent where there is none. */
  readonly firstPage?: number
  readonly lastPage?: number
  readonly redirects: number
  readonly revisions: number
  readonly missingTexts: number
  readonly suppressed: number
  /** What comparing texts has shown, and ids of revisions that differ; absent where they were not compared. */
  readonly verification?: Verification
  /** At the end: those of the namespaces of the filter that pages are in. */
  readonly namespaces?: readonly number[]
}

interface Verification {
  readonly verdicts: Readonly<Record<Verdict, number>>
  readonly different: readonly number[]
}

/** UTF-16 units of lines that are put together at most. */
const PIECE = 256 * 1024
const encoder = new TextEncoder()

/** Reads the records in batches, each of what can be had without waiting. */
export async function* readRecordLines(
  reader: DumpReader,
  request: RecordRequest,
): AsyncGenerator<RecordLines[], void, undefined> {
  const seen = new Set<number>()
  yield* readAll(reader, request, (ns) => seen.add(ns))
  if (request.filter.ns) yield [{ ...startCounts(), bytes: new Uint8Array(0), namespaces: [...seen] }]
}

async function* readAll(
  reader: DumpReader,
  request: RecordRequest,
  onNamespace: (ns: number) => void,
): AsyncGenerator<RecordLines[], void, undefined> {
  const { kind, filter, limit, fields, format, csvSafe: isSafe = false } = request
  if (makesLines(request)) {
    const choice = fields && { fields, format, isSafe }
    const batches =
      kind === 'pages'
        ? reader.pageLineBatches({ ...makeLineFilter(filter, onNamespace), limit, choice })
        : reader.revisionLineBatches({ isWanted: makePageRevisionFilter(filter, onNamespace), limit, choice })
    for await (const batch of batches) {
      yield batch.map((lines) => ({ ...lines, records: kind === 'pages' ? lines.pages : lines.revisions }))
    }
    return
  }
  // Loaded when texts are compared: to load Node's cryptography takes some of the time before a first page.
  const verification = request.verify ? await import('./text-verification.ts') : undefined
  const formatter = new RecordFormatter(request, verification?.verifyRevision)
  const batches = readObjects(reader, request, onNamespace)
  let left = limit ?? Number.POSITIVE_INFINITY
  for await (const batch of batches) {
    const lines: RecordLines[] = []
    for (const record of batch.slice(0, left)) {
      formatter.add(record)
      if (formatter.length >= PIECE) lines.push(formatter.take())
    }
    left -= batch.length
    if (formatter.length > 0) lines.push(formatter.take())
    yield lines
    if (left <= 0) return
  }
}

/** The records as objects, without their texts where nobody wants them. */
function readObjects(
  reader: DumpReader,
  { kind, filter, fields, verify }: RecordRequest,
  onNamespace: (ns: number) => void,
): AsyncGenerator<(Page | PageRevision)[], void, undefined> {
  const hasText = verify || !fields || fields.some((name) => /^(?:revision|(?:revision\.)?text)$/.test(name))
  if (kind === 'pages') {
    const isWanted = makePageFilter(filter, onNamespace)
    return hasText ? reader.pageBatches(isWanted) : reader.pageBatchesWithoutText(isWanted)
  }
  const isWanted = makePageRevisionFilter(filter, onNamespace)
  return hasText ? reader.revisionBatches(isWanted) : reader.revisionBatchesWithoutText(isWanted)
}

/** Whether a kernel that is made for the shape writes all usual lines. */
export function isWrittenByKernel(request: RecordRequest): boolean {
  return makesLines(request) && !request.fields
}

/** Whether lines are written without making objects of the records. */
export function makesLines({ kind, fields, verify }: RecordRequest): boolean {
  return !verify && (!fields || canChoose(kind, fields) || fields.some((field) => parseAddedField(kind, field)))
}

/** Writes records as lines, and counts them. */
class RecordFormatter {
  readonly #chosen: ChosenFields | undefined
  readonly #lineEnd: string
  readonly #verify: ((revision: Revision) => Verdict) | undefined
  /** A page may go on in the next lines. */
  #lastPage: number | undefined
  #text = ''
  #counts = startCounts()
  #verdicts = startVerdicts()
  #different: number[] = []

  /** `verify` compares texts, where that is wanted. */
  constructor({ kind, format, fields, csvSafe = false }: RecordRequest, verify?: (revision: Revision) => Verdict) {
    this.#chosen = fields && new ChosenFields(kind, { fields, format, isSafe: csvSafe })
    this.#lineEnd = format === 'csv' ? '\r\n' : '\n'
    this.#verify = verify
  }

  /** UTF-16 units that `take` will give. */
  get length(): number {
    return this.#text.length
  }

  add(record: Page | PageRevision): void {
    this.#text += this.#write(record)
    const counts = this.#counts
    counts.records++
    const [page, revision] = 'page' in record ? [record.page, record] : [record, record.revision]
    if (!('page' in record) || page.id !== this.#lastPage) {
      counts.pages++
      if (page.redirect !== undefined) counts.redirects++
    }
    counts.firstPage ??= page.id
    counts.lastPage = page.id
    this.#lastPage = page.id
    if (revision) this.#countRevision(revision)
  }

  take(): RecordLines {
    const bytes = encoder.encode(this.#text)
    const verification = this.#verify ? { verdicts: this.#verdicts, different: this.#different } : undefined
    const lines: RecordLines = { bytes, ...this.#counts, ...(verification && { verification }) }
    this.#text = ''
    this.#counts = startCounts()
    this.#verdicts = startVerdicts()
    this.#different = []
    return lines
  }

  #write(record: Page | PageRevision): string {
    return `${this.#chosen ? this.#chosen.write(record) : JSON.stringify(record)}${this.#lineEnd}`
  }

  #countRevision(revision: Revision): void {
    const counts = this.#counts
    counts.revisions++
    if (isMissingText(revision)) counts.missingTexts++
    if (isSuppressed(revision)) counts.suppressed++
    if (!this.#verify) return
    const verdict = this.#verify(revision)
    this.#verdicts[verdict]++
    if (verdict === 'different') this.#different.push(revision.id)
  }
}

interface Counts {
  records: number
  pages: number
  firstPage?: number
  lastPage?: number
  redirects: number
  revisions: number
  missingTexts: number
  suppressed: number
}

function startCounts(): Counts {
  return { records: 0, pages: 0, redirects: 0, revisions: 0, missingTexts: 0, suppressed: 0 }
}

/** No revision compared yet. */
export function startVerdicts(): Record<Verdict, number> {
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>
}
