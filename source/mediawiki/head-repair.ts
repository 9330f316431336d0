// Site descriptions that are not well-formed XML: the exports that MediaWiki makes since 2026 do not escape the names of the site and of
// its namespaces, so that an ampersand in one stands as it is.

/** Bytes in which a description has to end; behind that nothing is repaired. */
const LONGEST_HEAD = 256 * 1024
const HEAD_END = /<\/siteinfo>|<page[\s>]|<logitem[\s>]/
/** An ampersand that begins no reference. */
const BARE = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)/g

/**
 * The chunks of a dump with the ampersands in its site description escaped, `onRepair` called for each. What a reference is longer than
 * an ampersand is taken from the white space behind it, so that offsets stay what they are from the next element on.
 */
export function repairHead(source: AsyncIterable<Uint8Array>, onRepair: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = source[Symbol.asyncIterator]()
      const repaired = repairChunks({ [Symbol.asyncIterator]: () => inner }, onRepair)
      return {
        next: () => repaired.next(),
        // Ending the source first ends a read that waits: a generator's return would stand behind it.
        async return() {
          await inner.return?.()
          return repaired.return()
        },
      }
    },
  }
}

async function* repairChunks(
  chunks: AsyncIterable<Uint8Array>,
  onRepair: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const head: Uint8Array[] = []
  let length = 0
  let isInHead = true
  for await (const chunk of chunks) {
    if (!isInHead) {
      yield chunk
      continue
    }
    head.push(chunk)
    length += chunk.length
    // What a byte is does not matter here, as long as it comes out again as it was.
    const text = toLatin1(head)
    const end = text.search(HEAD_END)
    if (end === -1 && length < LONGEST_HEAD) continue
    isInHead = false
    yield* repair(head, text, end === -1 ? length : end, onRepair)
    head.length = 0
  }
  yield* head
}

function* repair(
  chunks: readonly Uint8Array[],
  text: string,
  end: number,
  onRepair: () => void,
): Generator<Uint8Array, void, undefined> {
  const bare = [...text.slice(0, end).matchAll(BARE)]
  // UTF-16 has a zero byte behind it.
  if (bare.length === 0 || text.includes('&\0')) {
    yield* chunks
    return
  }
  let repaired = ''
  let at = 0
  let debt = 0
  for (const [index, { index: place }] of bare.entries()) {
    onRepair()
    repaired += `${text.slice(at, place)}&amp;`
    at = place + 1
    debt += 4
    const next = bare[index + 1]?.index ?? text.length
    const rest = text.slice(at, next).replace(/\n {2,}/g, (space) => {
      const taken = Math.min(debt, space.length - 1)
      debt -= taken
      return space.slice(0, space.length - taken)
    })
    repaired += rest
    at = next
  }
  yield Uint8Array.from(repaired + text.slice(at), (character) => character.charCodeAt(0))
}

function toLatin1(chunks: readonly Uint8Array[]): string {
  let text = ''
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += 8192) text += String.fromCharCode(...chunk.subarray(at, at + 8192))
  }
  return text
}
