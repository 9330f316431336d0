// Comparing the texts of a dump with the sizes and hashes that the dump gives for them.
//
// A dump gives size and hash of the text that the wiki stores, and not always that text: it leaves out carriage returns and control characters,
// replaces what XML does not allow by U+FFFD, and normalises to NFC. So a difference may be honest. It counts as explained only where undoing one of
// these changes gives the hash. Where one may have made it in this very text, but what it took away is not known, nothing can be proved; everything
// else is a difference.

import * as crypto from 'node:crypto'
import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import type { SeenRecord } from '../../mediawiki/lines/record-counters.ts'
import type { Revision } from '../../mediawiki/shape/revision.ts'
import { type Counter, count } from '../../record/report.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { addVerdicts, describeVerdicts, NO_VERDICTS, type Verdict, type Verification } from './verdicts.ts'

/** A text, with its role in the revision and the size in bytes of what is stored. */
interface StoredText {
  readonly role: string
  readonly text: string
  readonly bytes?: number | undefined
}

/** The stored form of U+FFFD, which has three bytes, may have had from one byte to six. */
const REPLACEMENT_GROWTH = { least: -2, most: 3 }
/** Bytes that a character of NFC is at most longer than what it came from, for each mark in it. */
const MOST_SHRINKAGE = 3

/** How the changes are undone that leave all that is needed for that. */
const UNDONE: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\n', '\r'),
  (text) => text.normalize('NFD'),
]

/** A revision whose text is compared. */
interface Content extends Pick<Revision, 'id' | 'slots'> {
  readonly bytes?: number | undefined
  readonly sha1?: string | undefined
  readonly text?: string | undefined
}

/** Compares the texts of revisions as they are written, and counts what that shows. */
export function countVerdicts(kind: RecordKind): Counter<SeenRecord, Verification> {
  const prefix = kind === 'pages' ? 'revision.' : ''
  const fields = ['id', 'bytes', 'sha1', 'text', 'slots'].map((name) => prefix + name)
  const [id, bytes, sha1, text] = fields as [string, string, string, string]
  // Those that the kernel writes have no slots.
  const contentOf = (record: RecordView): Content => ({
    id: record.number(id) as number,
    bytes: record.number(bytes),
    sha1: record.text(sha1) || undefined,
    text: record.text(text),
  })
  const dataOf = ({ record, made }: SeenRecord): Verification | undefined => {
    if (!made && kind === 'pages' && !record.has('revision')) return undefined
    const content = made ?? contentOf(record)
    const verdict = verifyRevision(content)
    return { counts: { [verdict]: 1 }, different: verdict === 'different' ? [content.id] : [] }
  }
  const options = {
    fields,
    checks: true,
    dataOf,
    write: (known = NO_VERDICTS) => known,
    say: describeVerdicts,
  } as const
  return count('verification', addVerdicts, { on: 'written', ...options })
}

/** Compares the texts of a revision with the sizes and the hash that the dump gives for them. */
export function verifyRevision(revision: Content): Verdict {
  const { text, sha1, bytes, slots = [] } = revision
  if (text === undefined) return 'no-text'
  const texts: StoredText[] = [{ role: 'main', text, bytes }]
  for (const { role, text: own, bytes: size } of slots) {
    if (own === undefined) return 'no-text'
    texts.push({ role, text: own, bytes: size })
  }
  if (sha1 !== undefined) {
    if (combineHashes(texts) === sha1) return 'equal'
    for (const undo of UNDONE) {
      const undone = texts.map((stored) => ({ ...stored, text: undo(stored.text) }))
      const mayBe = undone.some(({ text }, i) => text !== texts[i]?.text) && undone.every((stored) => !growthOf(stored))
      if (mayBe && combineHashes(undone) === sha1) return 'explained'
    }
  }
  const resized = texts.filter((stored) => growthOf(stored) !== undefined && growthOf(stored) !== 0)
  if (sha1 === undefined && resized.length === 0) return 'no-hash'
  // Sizes may show which text has changed; otherwise it may be any of them.
  return (resized.length > 0 ? resized.every(mayBeStored) : texts.some(mayBeStored)) ? 'unproved' : 'different'
}

/** Whether what dumps do to texts can have made it of one of the stored size. */
function mayBeStored(stored: StoredText): boolean {
  const { text } = stored
  const growth = growthOf(stored)
  const replacements = countMatches(text, /\ufffd/g)
  const { least, most } = REPLACEMENT_GROWTH
  const fits = growth === undefined || (growth >= least * replacements && growth <= most * replacements)
  if (replacements > 0 && fits) return true
  if (growth === undefined || growth === 0) return mayBeReordered(text)
  if (growth < 0) return -growth <= MOST_SHRINKAGE * countMatches(text, /\p{M}/gu)
  return growth <= countMatches(text, /\n/g) || growth <= decomposedGrowth(text)
}

/** Bytes that the stored text has more than the one in the dump; undefined where the dump does not say. */
function growthOf({ text, bytes }: StoredText): number | undefined {
  return bytes === undefined ? undefined : bytes - Buffer.byteLength(text)
}

/** Whether there are marks that follow each other in the order of NFC, and could have followed each other in another one. */
function mayBeReordered(text: string): boolean {
  // Marks begin at U+0300. To look for their category takes long, and is done only in what may be some.
  const runs = Array.from(text.matchAll(/[\u0300-\uffff]{2,}/g), ([run]) => run.match(/\p{M}{2,}/gu) ?? []).flat()
  for (const run of runs) {
    const marks = [...run]
    for (const [i, mark] of marks.entries()) {
      const next = marks[i + 1]
      if (next === undefined || next === mark) continue
      if ((mark + next).normalize('NFD') === (next + mark).normalize('NFD')) return true
    }
  }
  return false
}

/** Bytes by which a text grows when all its characters are decomposed: a stored text that NFC is made of is not longer. */
function decomposedGrowth(text: string): number {
  return Buffer.byteLength(text.normalize('NFD')) - Buffer.byteLength(text)
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** As MediaWiki does: the hash of the only slot, or that of the hashes so far and the next one, in the order of their roles. */
function combineHashes(texts: readonly StoredText[]): string {
  const sorted = [...texts].sort((one, two) => (one.role < two.role ? -1 : 1))
  const hashes = sorted.map(({ text }) => hashBase36(text))
  return hashes.reduce((before, hash) => hashBase36(before + hash))
}

/** SHA-1 in base 36, 31 characters. */
function hashBase36(text: string | Uint8Array): string {
  return BigInt(`0x${sha1(text)}`)
    .toString(36)
    .padStart(31, '0')
}

/** In hexadecimal. From Node 20.12 on in one call, which takes half of the time of an object for short texts. */
function sha1(text: string | Uint8Array): string {
  const { hash } = crypto as Partial<Pick<typeof crypto, 'hash'>>
  return hash ? hash('sha1', text, 'hex') : crypto.createHash('sha1').update(text).digest('hex')
}
