// Ways of reading on the main thread of a page, each of which gives how much there was.

import { decompress } from '/dist/compression.js'
import { Grammar } from '/dist/grammar.js'
import { readDump } from '/dist/mediawiki.js'
import { StreamCache, TextCursor } from '/dist/stream.js'
import { readXmlInWorker } from '/dist/worker.js'
import { readXml } from '/dist/xml.js'

const SHAPE = { id: { path: 'id', as: 'integer' }, title: 'title', text: 'revision/text' }

async function count(items, sizeOf = () => 1) {
  let total = 0
  for await (const item of items) total += sizeOf(item)
  return total
}

const unpack = (bytes) => count(decompress(bytes), ({ length }) => length)

const readings = {
  async check(bytes) {
    await readXml(bytes).check()
    return bytes.length
  },
  records: (bytes) => count(readXml(bytes).records('page', SHAPE)),
  lines: (bytes) => count(readXml(bytes).write('jsonl', 'page', SHAPE), ({ length }) => length),
  columns: (bytes) => count(readXml(bytes).columns('page', SHAPE), ({ rows }) => rows),
  elements: (bytes) => count(readXml(bytes).select('page')),
  events: (bytes) => count(readXml(bytes).events().batches(), ({ length }) => length),
  pages: (bytes) => count(readDump(bytes).pages()),
  async grammar(bytes) {
    const grammar = Grammar.from('program ::= line* ; line ::= ...( !"\\n"* ) %"\\n" ;')
    return count(grammar.stream(bytes, { emit: 'line' }))
  },
  worker: (bytes) => count(readXmlInWorker(bytes).records('page', { id: 'id' })),
  gzip: unpack,
  bzip2: unpack,
  zstd: unpack,
  async text(bytes) {
    const cursor = new TextCursor(StreamCache.from(bytes))
    let units = 0
    for (;;) {
      const text = cursor.peek(4096) ?? (await cursor.fill(4096), cursor.peek(4096))
      if (text === '') return units
      units += text.length
      cursor.skip(text.length)
    }
  },
}

let loaded

/** Takes what is at an address into memory, for `read`. */
export async function load(url) {
  loaded = new Uint8Array(await (await fetch(url)).arrayBuffer())
}

export const read = (name) => readings[name](loaded)

export async function measureHeap(url) {
  const { body } = await fetch(url)
  const sizes = []
  let pages = 0
  for await (const { id } of readDump(body).pages()) {
    pages++
    if (id % 20_000 !== 0) continue
    globalThis.gc()
    sizes.push(performance.memory.usedJSHeapSize)
  }
  return { sizes, pages }
}
