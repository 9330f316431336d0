// Compressed blocks of Zstandard (RFC 8878, section 3.1.1.3): literals, and sequences that say where they go and what is repeated.

import { ZstdError } from './frame-decoder.ts'
import { MOST_BLOCK_SIZE } from './frame-header.ts'
import { COPY_PADDING, copyWords, type History } from './history.ts'
import { decodeLiterals, type HuffmanTable, readHuffmanTable } from './huffman-table.ts'
import { BIT_PADDING } from './reverse-bits.ts'
import { Sequences } from './sequences.ts'

/** How literals are given; in a fourth way they have the codes of an earlier block. */
const RAW = 0
const REPEATED = 1
const COMPRESSED = 2
/** Fewer literals are never in four streams. */
const LEAST_IN_STREAMS = 6
/** So many bytes and more are copied by the runtime. */
const LONG_COPY = 64
const WORD = 4

/** Decodes the compressed blocks of one frame after the other. */
export class BlockDecoder {
  /** The block, with room around it for words of bits. */
  readonly #input = new Uint8Array(MOST_BLOCK_SIZE + 2 * BIT_PADDING)
  readonly #view = new DataView(this.#input.buffer)
  readonly #literals = new Uint8Array(MOST_BLOCK_SIZE + COPY_PADDING)
  readonly #literalView = new DataView(this.#literals.buffer)
  #literalCount = 0
  readonly #sequences = new Sequences()
  /** Codes of the last block that had some, which the next one may use again. */
  #huffman: HuffmanTable | undefined
  /** The last three offsets. */
  readonly #recent = new Int32Array(3)

  /** Forgets what earlier blocks said: a frame begins. */
  begin(): void {
    this.#huffman = undefined
    this.#sequences.begin()
    this.#recent.set([1, 4, 8])
  }

  /**
   * Decodes a block and appends it to the history, which has room for it. Throws a {@link ZstdError}; the history ends then where it did.
   */
  decode(block: Uint8Array, history: History): void {
    this.#input.set(block, BIT_PADDING)
    const end = BIT_PADDING + block.length
    const at = this.#readLiterals(BIT_PADDING, end, history.blockSize)
    this.#sequences.read(this.#input, this.#view, at, end)
    history.end = this.#execute(history)
  }

  /** Reads literals that stand at `at`; gives where what follows begins. */
  #readLiterals(at: number, end: number, most: number): number {
    const input = this.#input
    const kind = (input[at] as number) & 3
    const format = ((input[at] as number) >> 2) & 3
    // The size, and where it is compressed also that, of so many bits each.
    const isPlain = kind === RAW || kind === REPEATED
    const width = (isPlain ? [5, 12, 5, 20] : [10, 10, 14, 18])[format] as number
    const first = isPlain && width === 5 ? 3 : 4
    const start = at + Math.ceil((first + (isPlain ? 1 : 2) * width) / 8)
    if (start > end) throw new ZstdError('it ends before its literals')
    let header = 0
    for (let i = start - 1; i >= at; i--) header = header * 256 + (input[i] as number)
    const size = Math.floor(header / 2 ** first) % 2 ** width
    const stored = kind === RAW ? size : kind === REPEATED ? 1 : Math.floor(header / 2 ** (first + width))
    if (size > most) throw new ZstdError('it has more literals than the maximum size of a block')
    if (start + stored > end) throw new ZstdError('it ends in its literals')
    this.#literalCount = size
    if (kind === RAW) this.#literals.set(input.subarray(start, start + size))
    else if (kind === REPEATED) this.#literals.fill(input[start] as number, 0, size)
    else this.#decodeLiterals(start, start + stored, kind === COMPRESSED, format === 0)
    return start + stored
  }

  #decodeLiterals(start: number, end: number, hasCodes: boolean, isOneStream: boolean): void {
    let at = start
    if (hasCodes) {
      const { table, next } = readHuffmanTable(this.#input, this.#view, start, end)
      this.#huffman = table
      at = next
    }
    const codes = this.#huffman
    if (!codes) throw new ZstdError('it repeats a literal code, but no earlier block has one')
    const literals = this.#literals.subarray(0, this.#literalCount)
    if (isOneStream) decodeLiterals(codes, this.#view, at, end, literals)
    else this.#decodeStreams(codes, at, end, literals)
  }

  /** Four streams with a quarter of the literals each. The lengths of the first three stand before them. */
  #decodeStreams(codes: HuffmanTable, at: number, end: number, literals: Uint8Array): void {
    if (literals.length < LEAST_IN_STREAMS || at + 6 > end)
      throw new ZstdError('it has too few literals for four streams')
    const quarter = (literals.length + 3) >> 2
    let start = at + 6
    for (let stream = 0; stream < 4; stream++) {
      const next = stream === 3 ? end : start + this.#view.getUint16(at + 2 * stream, true)
      if (next > end) throw new ZstdError('it ends in its literals')
      const part = literals.subarray(stream * quarter, stream === 3 ? literals.length : (stream + 1) * quarter)
      decodeLiterals(codes, this.#view, start, next, part)
      start = next
    }
  }

  /** Appends what the sequences say, and the literals that are left. Gives where the history ends then. */
  #execute(history: History): number {
    const { count, literalLengths, matchLengths, offsetValues } = this.#sequences
    const { bytes, view, window, blockSize } = history
    const literals = this.#literals
    const last = history.end + blockSize
    let from = 0
    let end = history.end
    for (let i = 0; i < count; i++) {
      const length = literalLengths[i] as number
      const match = matchLengths[i] as number
      const offset = resolveOffset(offsetValues[i] as number, length, this.#recent)
      if (from + length > this.#literalCount) throw new ZstdError('it has fewer literals than its sequences need')
      if (end + length + match > last) throw new ZstdError('it exceeds the maximum size of a block')
      if (length < LONG_COPY) copyWords(this.#literalView, from, view, end, length)
      else bytes.set(literals.subarray(from, from + length), end)
      from += length
      end += length
      const source = end - offset
      if (source < 0 || offset > window || offset === 0)
        throw new ZstdError('it refers to data before the start of the frame, as if a dictionary were missing')
      if (offset >= WORD && match < LONG_COPY) copyWords(view, source, view, end, match)
      else if (offset >= match) bytes.copyWithin(end, source, source + match)
      else for (let to = end; to < end + match; to++) bytes[to] = bytes[to - offset] as number
      end += match
    }
    const rest = literals.subarray(from, this.#literalCount)
    if (end + rest.length > last) throw new ZstdError('it exceeds the maximum size of a block')
    bytes.set(rest, end)
    return end + rest.length
  }
}

/** The offset that a value stands for: three of them stand for the last offsets, which are kept in order (section 3.1.1.5). */
function resolveOffset(value: number, literalLength: number, recent: Int32Array): number {
  const first = recent[0] as number
  const second = recent[1] as number
  const place = value > 3 ? 3 : literalLength === 0 ? value : value - 1
  if (place === 0) return first
  const offset = value > 3 ? value - 3 : place === 1 ? second : place === 2 ? (recent[2] as number) : first - 1
  if (place !== 1) recent[2] = second
  recent[1] = first
  recent[0] = offset
  return offset
}
