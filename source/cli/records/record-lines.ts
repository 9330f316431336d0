// From a dump to its records as lines, and what is counted on the way.

import type { DumpReader } from '../../mediawiki/dump-reader.ts'
import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import { NO_LINES } from '../../mediawiki/lines/line-output.ts'
import { namesToWatch } from '../../mediawiki/lines/page-form.ts'
import type { WrittenContent, WrittenLines } from '../../mediawiki/lines/page-lines.ts'
import { fieldsOf } from '../../mediawiki/lines/record-format.ts'
import { type Seen, Sightings } from '../../mediawiki/lines/sightings.ts'
import { type FormatName, findFormat, USUAL_FORMAT } from '../../record/format/index.ts'
import type { RecordOptions } from '../options/dump-options.ts'
import type { Verification } from './verdicts.ts'

/** Which records, and how they are written. It can be sent to a worker. */
export interface RecordRequest {
  readonly kind: RecordKind
  readonly format: FormatName
  /** What is wanted, with namespaces by their numbers. */
  readonly question: RecordOptions
  /** Whether redirects, missing texts and suppressed revisions are counted, whatever is written. */
  readonly counts?: boolean | undefined
  /** Whether texts are compared with their hashes. */
  readonly verify?: boolean | undefined
  /** At most so many records. */
  readonly limit?: number | undefined
}

/** Batches of the format, and what was counted. */
export interface RecordLines extends WrittenLines {
  readonly records: number
  /** What comparing texts has shown, and ids of revisions that differ; absent where they were not compared. */
  readonly verification?: Verification
  /** At the end: what was seen of the lists of the question. */
  readonly seen?: Seen
}

/** Reads the records in batches, each of what can be had without waiting. */
export async function* readRecordLines(
  reader: DumpReader,
  request: RecordRequest,
): AsyncGenerator<RecordLines[], void, undefined> {
  const { kind, format, question, limit, verify = false, counts = false } = request
  const { written: options, checkAllFields: checksAll = false } = question
  const { format: written } = await findFormat(format).module.load()
  const setup = { ...USUAL_FORMAT, ...options }
  const choice = { fields: fieldsOf(kind, format, question.fields), format: written, setup, checksAll }
  // Loaded when texts are compared: to load Node's cryptography takes some of the time before a first page.
  const verifier = verify ? new (await import('./text-verification.ts')).TextVerifier() : undefined
  const sightings = new Sightings(question, question.fields && namesToWatch(kind, question.fields))
  const filter = {
    where: question,
    sightings,
    limit,
    choice,
    counts,
    onRevision: verifier && ((revision: WrittenContent) => verifier.verify(revision)),
  }
  const items = kind === 'pages' ? reader.pageLines(filter) : reader.revisionLines(filter)
  for await (const batch of items.batches()) {
    yield (batch as WrittenLines[]).map((lines) => ({
      ...lines,
      records: kind === 'pages' ? lines.pages : lines.revisions,
      ...(verifier && { verification: verifier.take() }),
    }))
  }
  const { seen } = sightings
  if (Object.keys(seen).length > 0) yield [{ ...NO_LINES, records: 0, seen }]
}
