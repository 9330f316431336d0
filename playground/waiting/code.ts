// The lines of code of each way, as the page shows them: those of `readings.ts` and `byte-reader.ts`, without what counts promises, and without casts.

import type { WayName } from './ways.ts'

/** For each way: how it reads, and what gives it the pieces, where that is ours. */
export const code: Readonly<Record<WayName, readonly string[]>> = {
  'await-character': [
    `
for (;;) {
  const byte = await reader.readByte()
  if (byte === undefined) break
  count.take(byte)
}`,
    `
async readByte(): Promise<number | undefined> {
  while (this.#at === this.#chunk.length) if (!(await this.fill())) return undefined
  return this.#chunk[this.#at++]
}`,
  ],
  'callback-character': [
    'await reader.forEachByte((byte) => count.take(byte))',
    `
async forEachByte(take: (byte: number) => void): Promise<void> {
  while (await this.fill()) {
    const chunk = this.#chunk
    for (let i = 0; i < chunk.length; i++) take(chunk[i])
    this.#at = chunk.length
  }
}`,
  ],
  'peek-character': [
    `
for (;;) {
  const byte = reader.takeByte()
  if (byte !== undefined) count.take(byte)
  else if (!(await reader.fill())) break
}`,
    `
takeByte(): number | undefined {
  return this.#at < this.#chunk.length ? this.#chunk[this.#at++] : undefined
}`,
  ],
  'generate-word': [
    `
for await (const word of readWords(stream)) {
  count.takeWord(word.length, word[word.length - 1])
}`,
    `
for await (const chunk of readChunks(stream)) {
  for (let at = 0; at < chunk.length; ) {
    const end = findWordEnd(chunk, at)
    const piece = chunk.subarray(at, end)
    at = end
    const word: Uint8Array = begun ? join(begun, piece) : piece
    begun = isComplete(word) ? undefined : word
    if (!begun) yield word
  }
}`,
  ],
  'await-word': [
    `
for (;;) {
  const word = await reader.readWord()
  if (!word) break
  count.takeWord(word.length, word[word.length - 1])
}`,
    `
for (;;) {
  const end = findWordEnd(this.#chunk, this.#at)
  const piece = this.#chunk.subarray(this.#at, end)
  this.#at = end
  const word = begun ? join(begun, piece) : piece
  if (isComplete(word)) return word
  if (!(await this.fill())) return word.length > 0 ? word : undefined
  begun = word
}`,
  ],
  'peek-word': [
    `
const cursor = StreamCache.from(stream).cursor()
for (;;) {
  // A word and what separates it have 13 bytes at the most.
  let ahead = cursor.peek(16)
  if (!ahead) {
    await cursor.fill(16)
    ahead = cursor.peek(16)
  }
  if (!ahead?.length) break
  const length = findWordEnd(ahead, 0)
  count.takeWord(length, ahead[length - 1])
  cursor.skip(length)
}
cursor.release()`,
  ],
  chunk: [
    `
for await (const chunk of readChunks(stream)) {
  for (let i = 0; i < chunk.length; i++) count.take(chunk[i])
}`,
    `
const reader = stream.getReader()
for (let { value } = await reader.read(); value; { value } = await reader.read()) yield value`,
  ],
  loop: [
    `
for (const chunk of chunks) {
  for (let i = 0; i < chunk.length; i++) count.take(chunk[i])
}`,
  ],
}
