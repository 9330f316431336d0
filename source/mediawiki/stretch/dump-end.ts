// Looking for the end of a dump without parsing it.

import type { Cursor } from '../../stream/cursor.ts'
import { findBytes } from '../../stream/find-bytes.ts'

const DUMP_END = /^[ \t\r\n]*<\/mediawiki[ \t\r\n]*>/
const LONGEST_END = 256
const COMMENT = '<!--'
const COMMENT_END = new TextEncoder().encode('-->')
const INSTRUCTION = '<?'
const INSTRUCTION_END = new TextEncoder().encode('?>')
const WHITE_SPACE = new Set([0x20, 0x09, 0x0d, 0x0a])

/** Moves the cursor to the next of some bytes. False when there are none. */
async function find(cursor: Cursor, wanted: Uint8Array): Promise<boolean> {
  while (await cursor.fill(wanted.length)) {
    const bytes = cursor.peek(Math.max(wanted.length, cursor.peekChunk().length)) as Uint8Array
    const found = findBytes(bytes, wanted)
    const length = found === -1 ? bytes.length - wanted.length + 1 : found
    cursor.skip(length)
    if (found !== -1) return true
  }
  return false
}

/**
 * If the end of the dump is what follows first, moves the cursor after it, to the first byte that may not follow there (XML 1.0, production
 * 1: white space, comments and processing instructions may). Returns whether it is. `onSkip` is called for the bytes that it moves over.
 */
export async function passEnd(cursor: Cursor, onSkip: (bytes: Uint8Array) => void): Promise<boolean> {
  const near = cursor.clone()
  try {
    await near.fill(LONGEST_END)
    const bytes = near.peek(Math.min(near.available, LONGEST_END)) as Uint8Array
    const [end] = DUMP_END.exec(new TextDecoder('latin1').decode(bytes)) ?? []
    if (end === undefined) return false
    onSkip(bytes.subarray(0, end.length))
    cursor.skip(end.length)
  } finally {
    near.release()
  }
  await passSpace(cursor, onSkip)
  while (await passMarkup(cursor, onSkip)) await passSpace(cursor, onSkip)
  return true
}

async function passSpace(cursor: Cursor, onSkip: (bytes: Uint8Array) => void): Promise<void> {
  while (await cursor.fill(1)) {
    const chunk = cursor.peekChunk()
    const next = chunk.findIndex((byte) => !WHITE_SPACE.has(byte))
    const length = next === -1 ? chunk.length : next
    onSkip(chunk.subarray(0, length))
    cursor.skip(length)
    if (next !== -1) return
  }
}

/** Moves the cursor after a comment or a processing instruction, if it is complete. Returns whether there is one. */
async function passMarkup(cursor: Cursor, onSkip: (bytes: Uint8Array) => void): Promise<boolean> {
  await cursor.fill(COMMENT.length)
  const bytes = cursor.peek(Math.min(cursor.available, COMMENT.length)) as Uint8Array
  const head = new TextDecoder('latin1').decode(bytes)
  const isComment = head === COMMENT
  if (!isComment && !head.startsWith(INSTRUCTION)) return false
  const end = isComment ? COMMENT_END : INSTRUCTION_END
  const ahead = cursor.clone()
  try {
    ahead.skip(isComment ? COMMENT.length : INSTRUCTION.length)
    if (!(await find(ahead, end))) return false
    const length = ahead.offset + end.length - cursor.offset
    onSkip(cursor.peek(length) as Uint8Array)
    cursor.skip(length)
    return true
  } finally {
    ahead.release()
  }
}
