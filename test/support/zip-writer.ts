// Writes zip archives, also those that something is wrong with.

import { deflateRawSync, crc32 as zlibChecksum } from 'node:zlib'

export interface ZipMember {
  readonly name: string
  readonly content: string | Uint8Array
  /** 8 is Deflate, 0 stored; any other is only named. */
  readonly method?: number
  /** General purpose flags, beside those that follow from the rest. */
  readonly flags?: number
  /** The name is UTF-8, and the flag for that is not set. */
  readonly hidesUtf8?: boolean
  /** Sizes and checksum follow the data. */
  readonly hasDescriptor?: boolean
  /** Sizes and the offset are in an extra field of 64 bits. */
  readonly isZip64?: boolean
  /** What the directory claims, where that is not true. */
  readonly claimed?: { readonly size?: number; readonly compressedSize?: number; readonly checksum?: number }
  /** What is written instead of the deflated content. */
  readonly data?: Uint8Array
}

/** How an archive ends. */
export interface ZipEnd {
  readonly comment?: string
  /** With the records for 64 bits. */
  readonly isZip64?: boolean
  /** Entries that the end claims. */
  readonly count?: number
}

const DESCRIPTOR = 8
const UTF8 = 0x800
const MAX32 = 0xffffffff

/** The bytes of an archive. */
export function writeZip(members: readonly ZipMember[], { comment = '', isZip64 = false, count }: ZipEnd = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  const add = (part: Buffer) => {
    parts.push(part)
    offset += part.length
  }
  for (const member of members) {
    const { name, method = 8, flags = 0, hasDescriptor = false, claimed = {} } = member
    const content = Buffer.from(member.content)
    const data = Buffer.from(member.data ?? (method === 8 ? deflateRawSync(content) : content))
    const { size = content.length, compressedSize = data.length, checksum = zlibChecksum(content) } = claimed
    const allFlags = flags | (member.hidesUtf8 ? 0 : UTF8) | (hasDescriptor ? DESCRIPTOR : 0)
    const start = offset
    const sizes = hasDescriptor ? [0, 0, 0] : [checksum, compressedSize, size]
    add(
      Buffer.concat([
        numbers([4, 0x04034b50], [2, 20], [2, allFlags], [2, method], [4, 0]),
        sized(sizes),
        named(name, 0),
      ]),
    )
    add(data)
    if (hasDescriptor) add(numbers([4, 0x08074b50], [4, checksum], [4, compressedSize], [4, size]))
    const extra = member.isZip64
      ? numbers([2, 1], [2, 24], [8, size], [8, compressedSize], [8, start])
      : Buffer.alloc(0)
    directory.push(
      numbers([4, 0x02014b50], [2, 45], [2, 45], [2, allFlags], [2, method], [4, 0]),
      sized(member.isZip64 ? [checksum, MAX32, MAX32] : [checksum, compressedSize, size]),
      numbers([2, Buffer.byteLength(name)], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0]),
      numbers([4, member.isZip64 ? MAX32 : start]),
      Buffer.from(name),
      extra,
    )
  }
  const start = offset
  add(Buffer.concat(directory))
  const length = offset - start
  const entries = count ?? members.length
  if (isZip64) {
    const end = offset
    add(
      numbers(
        [4, 0x06064b50],
        [8, 44],
        [2, 45],
        [2, 45],
        [4, 0],
        [4, 0],
        [8, entries],
        [8, entries],
        [8, length],
        [8, start],
      ),
    )
    add(numbers([4, 0x07064b50], [4, 0], [8, end], [4, 1]))
  }
  const [shownEntries, shownStart] = isZip64 ? [0xffff, MAX32] : [entries, start]
  add(numbers([4, 0x06054b50], [2, 0], [2, 0], [2, shownEntries], [2, shownEntries], [4, length], [4, shownStart]))
  add(Buffer.concat([numbers([2, Buffer.byteLength(comment)]), Buffer.from(comment)]))
  return Buffer.concat(parts)
}

function sized([checksum = 0, compressedSize = 0, size = 0]: readonly number[]): Buffer {
  return numbers([4, checksum], [4, compressedSize], [4, size])
}

function named(name: string, extraLength: number): Buffer {
  return Buffer.concat([numbers([2, Buffer.byteLength(name)], [2, extraLength]), Buffer.from(name)])
}

/** Numbers of so many bytes each, the lowest byte first. */
function numbers(...fields: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const all = fields.map(([bytes, value]) => {
    const field = Buffer.alloc(bytes)
    if (bytes === 8) field.writeBigUInt64LE(BigInt(value))
    else field.writeUIntLE(value, 0, bytes)
    return field
  })
  return Buffer.concat(all)
}
