// The headers of frames and blocks (RFC 8878, section 3.1.1).

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd] as const
/** Of frames that are skipped: the lowest four bits of the first byte may be any. */
const SKIPPABLE = [0x50, 0x2a, 0x4d, 0x18] as const
/** Bytes of a frame's header up to the one that says how many follow. */
export const DESCRIPTOR_END = 5
/** Bytes of a magic number, and of one with the size of what is skipped. */
export const MAGIC_LENGTH = 4
export const SKIPPABLE_HEADER_LENGTH = 8
export const BLOCK_HEADER_LENGTH = 3
export const CHECKSUM_LENGTH = 4
/** Bytes of a block, before and after decompression, at most. */
export const MOST_BLOCK_SIZE = 128 * 1024

export interface FrameHeader {
  /** How far back, in bytes, what follows may refer. */
  readonly window: number
  /** Bytes that a block may have at most, before and after decompression. */
  readonly blockSize: number
  /** Bytes of the content; undefined where it is not said. */
  readonly contentSize: number | undefined
  readonly hasChecksum: boolean
  /** Whether a flag is set that has no meaning yet. */
  readonly isReserved: boolean
  /** The number of the dictionary that is needed; 0 for none. */
  readonly dictionary: number
}

export interface BlockHeader {
  readonly isLast: boolean
  readonly type: 'raw' | 'rle' | 'compressed' | 'reserved'
  /** Bytes of the content: where it is compressed before decompression, else after. */
  readonly size: number
}

const BLOCK_TYPES: readonly BlockHeader['type'][] = ['raw', 'rle', 'compressed', 'reserved']

/** What begins with these four bytes, or, where there are fewer, may begin with them. */
export function identifyFrame(bytes: Uint8Array): 'frame' | 'skippable' | undefined {
  const [first = SKIPPABLE[0], ...others] = bytes.subarray(0, MAGIC_LENGTH)
  if (isPrefix([first, ...others], MAGIC)) return 'frame'
  return isPrefix([first & 0xf0, ...others], SKIPPABLE) ? 'skippable' : undefined
}

function isPrefix(bytes: readonly number[], whole: readonly number[]): boolean {
  return bytes.every((byte, index) => byte === whole[index])
}

/** Bytes of a frame's header that begins with the given ones, up to the descriptor. */
export function measureFrameHeader(bytes: Uint8Array): number {
  const { window, dictionary, content } = measureFields(bytes[DESCRIPTOR_END - 1] as number)
  return DESCRIPTOR_END + window + dictionary + content
}

/** The header of a frame, from all of its bytes. */
export function parseFrameHeader(bytes: Uint8Array): FrameHeader {
  const descriptor = bytes[DESCRIPTOR_END - 1] as number
  const fields = measureFields(descriptor)
  const dictionaryAt = DESCRIPTOR_END + fields.window
  const contentAt = dictionaryAt + fields.dictionary
  const windowDescriptor = bytes[DESCRIPTOR_END] as number
  const unit = 2 ** (7 + (windowDescriptor >> 3))
  const size = readNumber(bytes, contentAt, fields.content)
  const contentSize = fields.content === 0 ? undefined : fields.content === 2 ? size + 256 : size
  const window = fields.window === 0 ? (contentSize as number) : unit * (8 + (windowDescriptor & 7))
  return {
    window,
    blockSize: Math.min(window, MOST_BLOCK_SIZE),
    contentSize,
    hasChecksum: (descriptor & 0x04) !== 0,
    isReserved: (descriptor & 0x08) !== 0,
    dictionary: readNumber(bytes, dictionaryAt, fields.dictionary),
  }
}

/** Bytes of the fields after a descriptor. */
function measureFields(descriptor: number): { window: number; dictionary: number; content: number } {
  const isSingleSegment = (descriptor & 0x20) !== 0
  return {
    window: isSingleSegment ? 0 : 1,
    dictionary: [0, 1, 2, 4][descriptor & 3] as number,
    content: [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] as number,
  }
}

/** The header of a block, from all of its bytes. */
export function parseBlockHeader(bytes: Uint8Array): BlockHeader {
  const value = readNumber(bytes, 0, BLOCK_HEADER_LENGTH)
  return { isLast: (value & 1) === 1, type: BLOCK_TYPES[(value >> 1) & 3] as BlockHeader['type'], size: value >> 3 }
}

/** Least significant byte first; 0 for no bytes. Beyond 2^53 it is not exact. */
export function readNumber(bytes: Uint8Array, at: number, length: number): number {
  let value = 0
  for (let i = length - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] as number)
  return value
}
