// Why a document is not well-formed, where the machine has failed, and the part that is open there.

import { NodeType } from '../../machine/program/program.ts'
import type { Machine, Outcome } from '../../machine/run/machine.ts'
import { LONGEST_STRING } from '../../text/units.ts'
import type { UnplacedError } from '../errors/unplaced-error.ts'
import type { NameTable } from '../names/names.ts'
import { END, RECORD_WORDS, type TapeFrame } from '../tape/tape-frame.ts'
import { explainSyntax, type OpenElement } from './explain.ts'
import type { MarkupFinder } from './open-markup.ts'

const AMPERSAND = 0x26
const CARRIAGE_RETURN = 0x0d
const EXCLAMATION_MARK = 0x21
const QUESTION_MARK = 0x3f

/** What is known of the document. */
interface FailureContext {
  readonly machine: Machine
  readonly markup: MarkupFinder
  /** Looks in a document type declaration that has no end for what is wrong (parser/prolog.ts). */
  readonly prolog: { check(text: string, start: number, end: number): void }
  readonly names: NameTable
  /** Offset where the document begins; undefined for a fragment. */
  readonly documentStart: number | undefined
}

/** The error. Throws the one that is in the document type declaration, if that is open. */
export function explainFailure(outcome: Outcome, context: FailureContext): UnplacedError {
  const { machine, markup, documentStart } = context
  checkDoctype(context)
  return explainSyntax(machine, outcome, {
    element: openElementOf(context),
    markup: outcome === 'failed' ? markup.find(machine.farthest) : undefined,
    documentStart,
    input: 'the input',
  })
}

/** If a document type declaration has no end, its content may show why. */
function checkDoctype({ machine, prolog }: FailureContext): void {
  const { openPart: start, openRule: rule } = machine
  // A text may look like one.
  if (start === undefined || rule !== 'doctype') return
  // Not what may have arrived after it: the message is to be the same however the input is cut.
  const end = machine.farthest
  if (end - start > LONGEST_STRING) return
  const text = machine.textAt(start, end)
  if (text.startsWith('<!DOCTYPE')) prolog.check(text, start, end)
}

function openElementOf({ machine, names }: FailureContext): OpenElement | undefined {
  const open = machine.openSymbol
  if (!open) return undefined
  const { symbol, position } = open
  // The name stands after the "<".
  return { name: names.get(symbol).raw, place: position && `${position.line}:${position.column - 1}` }
}

/** What reads parts whose end has not come (parser/unfinished-parts.ts). */
interface UnfinishedParts {
  readonly options: {
    readonly machine: Machine
    readonly tags: { checkOpen(frame: TapeFrame): void }
    readonly frames: readonly TapeFrame[]
    readonly checkTarget: (frame: TapeFrame, record: number) => void
  }
  pushText(records: Int32Array, bytes: Uint8Array, start: number, end: number): void
  pushSection(records: Int32Array, bytes: Uint8Array, start: number, end: number): void
  frameOf(records: Int32Array, bytes: Uint8Array, start: number): TapeFrame
}

/**
 * Reads the open part, as far as it goes: errors in it come first, and text before the error is text. True when there is something to walk over.
 * `isMalformed`: the machine has failed because what follows is not text.
 */
export function readFailedPart(parts: UnfinishedParts, isMalformed: boolean): boolean {
  const { machine, tags, frames, checkTarget } = parts.options
  const start = machine.openPart as number
  const end = isMalformed ? machine.validEnd : machine.farthest
  const rule = machine.openRule
  const bytes = machine.copyInput(start, end)
  const records = machine.openRecords
  if (rule === 'text') {
    parts.pushText(records, bytes, start, endOfText(records, bytes, start, AMPERSAND))
    return frames.length > 0
  }
  if (rule === 'cdata') {
    const holes = withoutLiteral(records)
    parts.pushSection(holes, bytes, start, endOfText(holes, bytes, start))
    return frames.length > 0
  }
  const frame = parts.frameOf(records, bytes, start)
  if (bytes[1] === QUESTION_MARK && frame.count > 0) checkTarget(frame, 0)
  else if (bytes[1] !== QUESTION_MARK && bytes[1] !== EXCLAMATION_MARK) tags.checkOpen(frame)
  return false
}

/** The holes in a text that is open. Where the input ends in it, the machine has recorded the text as well, and failed after that. */
function withoutLiteral(records: Int32Array): Int32Array {
  const last = records.length - RECORD_WORDS
  return last >= 0 && ((records[last] as number) & 255) === NodeType.LITERAL ? records.subarray(0, last) : records
}

/** Where text ends that is open: before a reference that has no end, where there are some, and before half of a line end. */
function endOfText(records: Int32Array, bytes: Uint8Array, start: number, reference?: number): number {
  const read = records.length > 0 ? ((records.at(END - RECORD_WORDS) as number) - start) >>> 0 : 0
  const length = reference === undefined ? -1 : bytes.indexOf(reference, read)
  if (length !== -1) return start + length
  const isCut = bytes.length > read && bytes[bytes.length - 1] === CARRIAGE_RETURN
  return start + bytes.length - (isCut ? 1 : 0)
}
