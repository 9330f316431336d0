// What is wrong, found where nobody knows the place in lines and columns: the parser makes an error of it.

import type { Position } from '../../text/line-counter.ts'

/** An error in a document. */
export class UnplacedError extends Error {
  /** Stable name of the error. */
  readonly code: string
  /** The name of the constraint in the specification. */
  readonly constraint: string | undefined
  /** Where it is: an offset in bytes; undefined for the place that is being read. */
  readonly offset: number | undefined

  constructor(message: string, code: string, constraint?: string, offset?: number) {
    super(message)
    this.code = code
    this.constraint = constraint
    this.offset = offset
  }

  /** The error with an offset: its own if it has one. */
  at(offset: number): UnplacedError {
    return this.offset === undefined ? new UnplacedError(this.message, this.code, this.constraint, offset) : this
  }
}

/** An error whose line and column are known, and what was expected there, if anything. */
export class LocatedError extends UnplacedError {
  readonly position: Position
  readonly expected: readonly string[] | undefined

  constructor(
    message: string,
    code: string,
    constraint: string | undefined,
    position: Position,
    expected?: readonly string[],
  ) {
    super(message, code, constraint, position.byteOffset)
    this.position = position
    this.expected = expected
  }
}

/** Characters of a name that a message shows. */
const SHOWN = 60

/** A name as a message shows it: those of documents may be of any length. */
export function shorten(name: string): string {
  if (name.length <= SHOWN) return name
  const end = (name.charCodeAt(SHOWN - 1) & 0xfc00) === 0xd800 ? SHOWN - 1 : SHOWN
  return `${name.slice(0, end)}…`
}

/** The error for a record in another one. Offsets are in the UTF-8. */
export function makeInner(name: string, offset: number): UnplacedError {
  const message = `<${shorten(name)}> begins inside another record, whose end may be missing; to read records inside others, use nested: "all"`
  return new UnplacedError(message, 'inner-record', undefined, offset)
}
