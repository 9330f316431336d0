// The line of input around an error, with a caret under it.

import { drawCharacter, widthOf } from '../../text/markup/visible.ts'

const LINE_FEED = 10
/** Characters of the line that are shown before and after the error. */
const BEFORE = 60
const BEHIND = 20

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Two lines: the input around the error, and a caret under its place. Control characters are shown as pictures or as U+FFFD, so that a
 * line stays a line. The bytes are those before the error, and those from the error on; either may begin or end in the middle of something.
 */
export function makeExcerpt(before: Uint8Array, after: Uint8Array): string {
  const lineStart = before.lastIndexOf(LINE_FEED) + 1
  const lineEnd = after.indexOf(LINE_FEED)
  const left = Array.from(decoder.decode(skipCut(before.subarray(lineStart))), drawCharacter)
  const right = Array.from(decoder.decode(lineEnd === -1 ? dropCut(after) : after.subarray(0, lineEnd)), drawCharacter)
  const start = left.length > BEFORE ? `…${left.slice(-BEFORE).join('')}` : left.join('')
  const end = right.length > BEHIND ? `${right.slice(0, BEHIND).join('')}…` : right.join('')
  return `${start}${end}\n${' '.repeat(widthOf(start))}^`
}

/** Leaves out the rest of a sequence that begins before the bytes. */
function skipCut(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80)
  return bytes.subarray(start === -1 ? bytes.length : start)
}

/** Leaves out the beginning of a sequence that continues after the bytes. A malformed sequence itself is shown: it is where the bytes begin. */
function dropCut(bytes: Uint8Array): Uint8Array {
  const start = bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80)
  const lead = bytes[start] ?? 0
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  return start > 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes
}
