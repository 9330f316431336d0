// Where errors are, and what they are about: a fault knows of itself what is wrong, and perhaps an offset.

import type { Machine } from '../../machine/run/machine.ts'
import { LimitError } from '../../stream/errors.ts'
import type { Position } from '../../text/line-counter.ts'
import { limitLength } from '../../text/units.ts'
import { EXCERPT, Failure } from '../errors/failure.ts'
import { LocatedError, shorten, type UnplacedError } from '../errors/unplaced-error.ts'
import type { PartTypes } from '../tape/part-types.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import type { EntityReferences } from './entity-references.ts'

export interface ErrorPlacesOptions {
  readonly machine: Machine
  readonly types: PartTypes
  /** What is being read is on top. */
  readonly frames: readonly TapeFrame[]
  readonly references: EntityReferences
  /** The offset in the source of an offset that a consumer gets. */
  readonly toSource: (offset: number) => number
}

/** Where what is larger than a limit begins, or up to where it was read: the place of the error depends on how much of the input has arrived. */
export const passedPlaces = new WeakMap<LimitError, Position>()

export class ErrorPlaces {
  readonly #options: ErrorPlacesOptions

  constructor(options: ErrorPlacesOptions) {
    this.#options = options
  }

  /** Finds the place of an error, which is that of the part that is being read where it has none. */
  locate(fault: UnplacedError): Failure {
    const { machine, toSource } = this.#options
    const { message, code, constraint, offset = this.#partOffset } = fault
    const { position, expected } = fault instanceof LocatedError ? fault : { position: undefined, expected: undefined }
    const { byteOffset, line, column } = position ?? machine.locate(offset)
    const details = { code, byteOffset: toSource(byteOffset), line, column, expected, constraint }
    const before = machine.copyBefore(byteOffset, EXCERPT)
    return new Failure(message, details, byteOffset, before, machine.copyInput(byteOffset, byteOffset + EXCERPT))
  }

  /** Adds the place to the error of a limit, as for other errors. `held`: from where on a consumer holds the input, `readTo`: up to where was read. */
  locateLimit(thrown: unknown, held: number | undefined, readTo: number): unknown {
    const { machine, toSource } = this.#options
    const error = limitLength(thrown, this.#describePart(), this.#partOffset)
    if (!(error instanceof LimitError)) return error
    const isOfInput = error.code === 'input-limit'
    const { retainedFrom } = error
    const heldFrom = retainedFrom === undefined ? undefined : machine.locate(retainedFrom)
    const message = explainLimit(error, {
      rule: machine.openRule,
      isHeld: held === retainedFrom,
      heldFrom: heldFrom && `${heldFrom.line}:${heldFrom.column}`,
    })
    const { line, column } = machine.locate(isOfInput ? machine.inputEnd : error.byteOffset)
    const byteOffset = isOfInput ? error.byteOffset : toSource(error.byteOffset)
    const place = `(line ${line}, column ${column}, byte ${byteOffset})`
    const located = new LimitError(`${message} ${place}`, { ...error, byteOffset, line, column })
    const passed = Math.max(readTo, retainedFrom ?? Number.POSITIVE_INFINITY)
    if (passed < error.byteOffset) passedPlaces.set(located, machine.locate(passed))
    return located
  }

  /** What is being read, for the message of a limit. */
  #describePart(): string {
    const frame = this.#options.frames.at(-1)
    const { text, cdata, comment, instruction, startTag } = this.#options.types
    switch (frame?.entity ? text : frame?.type) {
      case text:
      case cdata:
        return 'a text (use maxText to get it in pieces)'
      case comment:
        return 'a comment'
      case instruction:
        return 'a processing instruction'
      case startTag:
        return 'a name or a value in a start tag'
      default:
        return 'the document type declaration'
    }
  }

  get #partOffset(): number {
    const frame = this.#options.frames.at(-1)
    if (!frame) return this.#options.references.place
    return frame.entity ? frame.entity.start : frame.startOf(frame.part)
  }
}

/** The error for an element that begins at an offset, or comes of a reference there, where too many are open. */
export function makeDepthError(name: string, byteOffset: number, limit: number): LimitError {
  const message = `<${shorten(name)}> is nested too deeply: more than ${limit} elements are open (maxDepth)`
  return new LimitError(message, { code: 'depth-limit', byteOffset, limit })
}

/** By the rules of xml.bnf: how messages name what is held until it is complete. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['text', 'the text'],
  ['cdata', 'the CDATA section'],
  ['comment', 'the comment'],
  ['instruction', 'the processing instruction'],
  ['startTag', 'the start tag'],
  ['endTag', 'the end tag'],
  ['doctype', 'the document type declaration'],
])

/** What is known where a limit was passed. */
interface LimitContext {
  /** The rule of the part that is open; undefined where none is. */
  readonly rule: string | undefined
  /** Whether what is held is held for who reads: a selected element, or a field. */
  readonly isHeld: boolean
  /** Line and column from which on the input is held, as a message says them. */
  readonly heldFrom: string | undefined
}

/** Which limit a machine has passed, by what, and which option raises it, in the words of XML. Other limits explain themselves. */
function explainLimit({ message, code, limit }: LimitError, { rule, isHeld, heldFrom }: LimitContext): string {
  const part = PARTS.get(rule ?? '') ?? 'what'
  switch (code) {
    case 'retained-limit': {
      if (heldFrom === undefined) return message
      const what = isHeld ? 'the selected element or the field' : part
      return `${what} that begins at ${heldFrom} is larger than ${limit} bytes (maxRetained)`
    }
    case 'node-limit':
      return `${part} here has more than ${limit} names, values and references (maxNodes)`
    case 'name-limit':
      return `there are more than ${limit} different names of elements and attributes (maxNames)`
    default:
      return message
  }
}
