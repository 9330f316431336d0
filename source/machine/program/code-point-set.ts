// A set of code points.

import { ByteSet } from './byte-set.ts'

const LAST = 0x10ffff

/** A range of code points, both ends included. */
export type CodePoints = readonly [first: number, last: number]

/** Code points as sorted ranges that neither overlap nor touch. Immutable. */
export class CodePointSet {
  static readonly ALL = new CodePointSet([[0, LAST]])

  readonly ranges: readonly CodePoints[]
  #firstBytes: ByteSet | undefined

  private constructor(ranges: readonly CodePoints[]) {
    this.ranges = ranges
  }

  /** The code points of all the ranges, which may overlap; an inverted range holds none. */
  static of(ranges: Iterable<CodePoints>): CodePointSet {
    const sorted = [...ranges].filter(([first, last]) => first <= last).sort((one, two) => one[0] - two[0])
    const joined: [number, number][] = []
    for (const [first, last] of sorted) {
      const previous = joined.at(-1)
      if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
      else joined.push([first, last])
    }
    return new CodePointSet(joined)
  }

  /** All code points whose UTF-8 begins with one of the bytes. */
  static beginningWith(bytes: ByteSet): CodePointSet {
    const ranges: CodePoints[] = []
    for (const byte of bytes.list) {
      const range = byte < 0x80 ? ([byte, byte] as const) : codePointsOfFirstByte(byte)
      if (range) ranges.push(range)
    }
    return CodePointSet.of(ranges)
  }

  get isEmpty(): boolean {
    return this.ranges.length === 0
  }

  has(point: number): boolean {
    const range = this.ranges[this.#findRange(point)]
    return range !== undefined && range[0] <= point
  }

  isEqual({ ranges }: CodePointSet): boolean {
    const isSame = ([first, last]: CodePoints, i: number) => first === ranges[i]?.[0] && last === ranges[i]?.[1]
    return this.ranges.length === ranges.length && this.ranges.every(isSame)
  }

  union(other: CodePointSet): CodePointSet {
    return CodePointSet.of([...this.ranges, ...other.ranges])
  }

  complement(): CodePointSet {
    const gaps: CodePoints[] = []
    let next = 0
    for (const [first, last] of this.ranges) {
      gaps.push([next, first - 1])
      next = last + 1
    }
    gaps.push([next, LAST])
    return CodePointSet.of(gaps)
  }

  /** Which of the code points from `first` to `last` it holds; surrogates, which no text has, count neither way. */
  coverage(first: number, last: number): 'all' | 'some' | 'none' {
    let next = first
    let isAll = true
    let isNone = true
    for (let i = this.#findRange(first); i < this.ranges.length; i++) {
      const [start, end] = this.ranges[i] as CodePoints
      if (start > last) break
      isNone = false
      if (start > next && !isSurrogates(next, start - 1)) isAll = false
      next = Math.max(next, end + 1)
    }
    if (isNone) return 'none'
    if (next <= last && !isSurrogates(next, last)) isAll = false
    return isAll ? 'all' : 'some'
  }

  /** The index of the first range that ends at a code point or after it. */
  #findRange(point: number): number {
    let [low, high] = [0, this.ranges.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.ranges[middle] as CodePoints)[1] < point) low = middle + 1
      else high = middle
    }
    return low
  }

  /** What a first byte says of the code point that it begins: that it is in the set, that it is not, or neither. */
  coverageOfFirstByte(byte: number): 'all' | 'some' | 'none' {
    if (byte < 0x80) return this.has(byte) ? 'all' : 'none'
    const range = codePointsOfFirstByte(byte)
    return range ? this.coverage(...range) : 'none'
  }

  /** The bytes with which the UTF-8 of its code points can begin. */
  get firstBytes(): ByteSet {
    this.#firstBytes ??= ByteSet.of(...ByteSet.ALL.list.filter((byte) => this.coverageOfFirstByte(byte) !== 'none'))
    return this.#firstBytes
  }
}

function isSurrogates(first: number, last: number): boolean {
  return first >= 0xd800 && last <= 0xdfff
}

/** The code points whose UTF-8 begins with a byte from 0x80; undefined where none does. */
function codePointsOfFirstByte(byte: number): CodePoints | undefined {
  if (byte < 0xc2 || byte > 0xf4) return undefined
  if (byte < 0xe0) return [(byte & 31) << 6, ((byte & 31) << 6) | 0x3f]
  if (byte < 0xf0) return [Math.max(0x800, (byte & 15) << 12), ((byte & 15) << 12) | 0xfff]
  return [Math.max(0x10000, (byte & 7) << 18), Math.min(LAST, ((byte & 7) << 18) | 0x3ffff)]
}
