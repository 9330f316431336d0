// Site descriptions that are not well-formed XML: the exports that MediaWiki makes since 2026 do not escape the names of the site and of
// its namespaces, so that an ampersand in one stands as it is.

import { transformed } from '../../async/transformed.ts'
import { REUSE, type ReportsGaps, type ReusesMemory } from '../../stream/sources/source-reader.ts'

/** Bytes in which a description must end; after that nothing is repaired. */
const LONGEST_HEAD = 256 * 1024
const HEAD_END = /<\/siteinfo>|<page[\s>]|<logitem[\s>]/
/** Bytes that are looked at together. */
const STEP = 4 * 1024
/** Characters of what ends a description, at most. */
const LONGEST_END = 11
/** An ampersand that begins no reference. */
const BARE = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)/g

/**
 * The chunks of a dump with the ampersands in its site description escaped, `onRepair` called for each. What a reference is longer than
 * an ampersand is taken from the white space after it, so that offsets stay what they are from the next element on.
 */
export function repairHead(
  source: AsyncIterable<Uint8Array> & Partial<ReusesMemory & ReportsGaps>,
  onRepair: () => void,
): AsyncIterable<Uint8Array> & ReusesMemory & Partial<ReportsGaps> {
  const repaired = transformed(source, (chunks) => repairChunks(chunks, onRepair))
  return {
    ...repaired,
    [REUSE]: (chunk) => source[REUSE]?.(chunk),
    get gaps() {
      return source.gaps ?? []
    },
  }
}

async function* repairChunks(
  chunks: AsyncIterable<Uint8Array>,
  onRepair: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const head: Uint8Array[] = []
  let text = ''
  let isInHead = true
  for await (const chunk of chunks) {
    if (!isInHead) {
      yield chunk
      continue
    }
    head.push(chunk)
    let end = -1
    for (let at = 0; at < chunk.length && end === -1 && text.length < LONGEST_HEAD; at += STEP) {
      const seen = Math.max(0, text.length - LONGEST_END)
      // What a byte is does not matter here, as long as it comes out again as it was.
      text += String.fromCharCode(...chunk.subarray(at, at + STEP))
      const found = text.slice(seen).search(HEAD_END)
      if (found !== -1) end = seen + found
    }
    if (end === -1 && text.length < LONGEST_HEAD) continue
    isInHead = false
    yield* repair(head, end === -1 ? text : text.slice(0, end), onRepair)
    head.length = 0
  }
  yield* head
}

/** `text` is what the chunks begin with. */
function* repair(
  chunks: readonly Uint8Array[],
  text: string,
  onRepair: () => void,
): Generator<Uint8Array, void, undefined> {
  const bare = [...text.matchAll(BARE)]
  // UTF-16 has a zero byte after it. Where entities may be declared, references to them are not to be changed.
  if (bare.length === 0 || text.includes('&\0') || text.includes('<!DOCTYPE')) {
    yield* chunks
    return
  }
  let repaired = text.slice(0, bare[0]?.index)
  let debt = 0
  for (const [i, { index }] of bare.entries()) {
    onRepair()
    debt += 4
    const rest = text.slice(index + 1, bare[i + 1]?.index)
    const shortened = rest.replace(/\n {2,}/g, (space) => {
      const taken = Math.min(debt, space.length - 1)
      debt -= taken
      return space.slice(0, space.length - taken)
    })
    repaired += `&amp;${shortened}`
  }
  yield Uint8Array.from(repaired, (character) => character.charCodeAt(0))
  let left = text.length
  for (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}
