// Whether ranges that were read by themselves are what one reading of the file is.

import { CompressionError } from '../../compression/errors.ts'
import { ParseError } from '../../text/parse-error.ts'
import { isSamePath } from './open-path.ts'
import { type BlockReport, type Boundary, type FileRange, type RangeReport, rotate, type XmlRange } from './range.ts'

/** How ranges are checked. */
export interface CheckOptions {
  /** Whether damaged blocks were skipped: then checksums are not compared. */
  readonly hasFaults?: boolean
  /** What records are called in messages. */
  readonly noun?: string
}

/**
 * Checks that the ranges of one file of `size` bytes, in order, cover all of it: every byte once, each range continues at the record where
 * the previous one stopped, in equal elements, and the checksums of bzip2 streams match the blocks that were read.
 *
 * Throws a `ParseError` with the code `incomplete-ranges`, and a `CompressionError` with the code `corrupt` for a wrong checksum. If
 * damaged blocks were skipped (`hasFaults`), checksums are not compared.
 */
export function checkRanges(
  size: number,
  ranges: readonly (FileRange & RangeReport)[],
  options: CheckOptions = {},
): void {
  const checker = new RangeChecker(options)
  for (const range of ranges) checker.add(range)
  checker.finish(size)
}

/** Checks the ranges of a file one after the other, like {@link checkRanges}. */
export class RangeChecker {
  readonly #options: CheckOptions
  #covered = 0
  #boundary: Boundary = 'start'
  /** The elements that are open at the boundary, as far as they are known. */
  #within: RangeReport['toWithin']
  /** What the blocks of the current stream come to so far. */
  #fold = 0
  #isOpen = false
  /** The bit of the file at which the last range with a block has its first. */
  #bit = 0

  constructor(options: CheckOptions = {}) {
    this.#options = options
  }

  /** Where the next range must continue. */
  get boundary(): Boundary {
    return this.#boundary
  }

  /** Whether a range was begun where the ranges before have ended, in equal elements. */
  follows(range: FileRange & RangeReport): boolean {
    const { from, to } = range
    if (from === 'none') return isOutside(this.#boundary, range)
    return isSamePlace(from, this.#boundary) && (isSamePlace(from, to) || this.#isInPath(range))
  }

  /** Throws if the range does not continue where the one before ended, or if a stream that ends in it does not match its checksum. */
  add(range: FileRange & RangeReport): void {
    const { start, end, from, to, toWithin, blocks } = range
    const covered = this.#covered
    if (start !== covered) throw makeIncomplete(covered, `the next range does not start at byte ${covered}`)
    if (!this.follows(range)) {
      const { noun = 'records' } = this.#options
      const gap = `${describePlace(this.#boundary)} and ${describePlace(from === 'none' ? { offset: end } : from)}`
      throw makeIncomplete(start, `the ${noun} between ${gap} were skipped or read twice`)
    }
    this.#covered = end
    if (to !== 'none' && !isSamePlace(from, to)) {
      this.#boundary = to
      this.#within = toWithin
    }
    if (!this.#options.hasFaults) this.#addBlocks(blocks)
  }

  /** Throws if the ranges do not end with the file, the document and a stream. */
  finish(size: number): void {
    const covered = this.#covered
    if (covered !== size) throw makeIncomplete(covered, `no range has the bytes from ${covered} to ${size}`)
    if (this.#boundary !== 'end') {
      const { noun = 'records' } = this.#options
      throw makeIncomplete(size, `the ${noun} after ${describePlace(this.#boundary)} were not read`)
    }
    if (this.#isOpen) throw makeCorrupt('the last stream is not complete', this.#bit)
  }

  /** Whether the elements in which a range was begun are those in which the one before ended; dumps have one root, and do not say them. */
  #isInPath({ start, within }: FileRange & Pick<XmlRange, 'within'>): boolean {
    return start === 0 || isSamePath(this.#within, within)
  }

  /**
   * Compares the checksums of streams with those of their blocks. The checksum of a stream is, for each block, the one so far rotated by a
   * bit, xor that of the block; so of a part with k blocks that comes to p by itself, only k and p must be known: rotate by k, xor p.
   */
  #addBlocks({ pieces, firstBit }: BlockReport): void {
    this.#bit = firstBit ?? this.#bit
    for (const piece of pieces) {
      this.#fold = (rotate(this.#fold, piece.blocks % 32) ^ piece.fold) >>> 0
      this.#isOpen = piece.end === undefined
      if (this.#isOpen) continue
      if (piece.end !== this.#fold) throw makeCorrupt('the checksum of a stream is wrong', this.#bit)
      this.#fold = 0
    }
  }
}

/** Throws a `ParseError` with the code `wrong-cut` if a range that was cut did not begin and end there, in the elements of the plan. */
export function requireCut(
  { start, end, cut, within }: FileRange & Pick<XmlRange, 'within'>,
  { from, to, toWithin }: RangeReport,
): void {
  if (!cut) return
  const why = 'no record begins there, or the file has changed; plan it with verified cuts'
  const refuse = (verb: string, is: Boundary, was: Boundary, byteOffset: number) => {
    const message = `the range ${verb} at ${describePlace(is)}, but was cut at ${describePlace(was)}: ${why}`
    return new ParseError(message, { code: 'wrong-cut', byteOffset })
  }
  if (!isSamePlace(from, cut.from)) throw refuse('begins', from, cut.from, start)
  const isInPath = !within || typeof to === 'string' || isSamePath(toWithin, within)
  if (!isSamePlace(to, cut.to) || !isInPath) throw refuse('ends', to, cut.to, end)
}

/** Whether a boundary is after the end of a range. */
export function isOutside(boundary: Boundary, { end }: FileRange): boolean {
  if (typeof boundary === 'string') return boundary === 'end'
  const { block, offset } = boundary
  return block === undefined ? offset >= end : Math.floor(block / 8) >= end
}

/** Whether two places are one. */
export function isSamePlace(one: Boundary | undefined, other: Boundary | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  return one.block === other.block && one.offset === other.offset
}

function describePlace(place: Boundary): string {
  if (typeof place === 'string') return `the ${place} of the document`
  const { block, offset } = place
  return block === undefined ? `byte ${offset}` : `byte ${offset} of the block at bit ${block}`
}

function makeIncomplete(byteOffset: number, message: string): ParseError {
  return new ParseError(message, { code: 'incomplete-ranges', byteOffset })
}

function makeCorrupt(message: string, bitOffset: number): CompressionError {
  return new CompressionError('bzip2', 'corrupt', message, { byteOffset: Math.floor(bitOffset / 8), bitOffset })
}
