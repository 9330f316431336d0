// All that the view shows, in the fragment of the page's address: JSON, compressed by deflate, as base64url.

import type { Dialect } from 'xylem/grammar'

/** What a permalink holds. */
export interface Draft {
  readonly grammar: string
  readonly input: string
  readonly entry: string
  readonly dialect: Dialect
}

/** Characters of the longest link that is made. Longer ones are cut off by mail programs and chats. */
export const LONGEST_LINK = 64_000
/** Bytes that a link may unpack to. A few thousand characters could stand for gigabytes. */
const MOST_BYTES = 8_000_000

/** Makes the text of a link; undefined if it would be too long. */
export async function encodeDraft({ grammar, input, entry, dialect }: Draft): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify({ grammar, input, entry, dialect }))
  const parts: string[] = []
  let length = 0
  for await (const chunk of chunksOf(bytes, new CompressionStream('deflate-raw'))) {
    length += chunk.length
    if (length * 4 > LONGEST_LINK * 3) return undefined
    parts.push(Array.from(chunk, (byte) => String.fromCharCode(byte)).join(''))
  }
  return btoa(parts.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Reads the text of a link. Throws an error if it is damaged. */
export async function decodeDraft(text: string): Promise<Draft> {
  let draft: unknown
  try {
    const packed = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0))
    draft = JSON.parse(await unpack(bytes))
  } catch (error) {
    throw new Error('the link is damaged: a part of it is missing or was changed', { cause: error })
  }
  if (!isDraft(draft)) throw new Error('the link holds something else than a grammar and its input')
  return draft
}

/** Says why a link cannot be opened. */
export function describeDamage(error: unknown): string {
  return `This link cannot be opened: ${error instanceof Error ? error.message : String(error)}.`
}

async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [text, length] = ['', 0]
  for await (const chunk of chunksOf(bytes, new DecompressionStream('deflate-raw'))) {
    length += chunk.length
    if (length > MOST_BYTES) throw new Error('the link unpacks to more than 8 MB')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

async function* chunksOf(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { grammar, input, entry, dialect } = value as Partial<Record<keyof Draft, unknown>>
  if (typeof grammar !== 'string' || typeof input !== 'string' || typeof entry !== 'string') return false
  return dialect === 'bnf-parser' || dialect === 'xylem'
}
