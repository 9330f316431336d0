// Runs in a real browser, on the built files as they are published, and reports what came out.

import { decompress } from '/dist/compression.js'
import { Grammar } from '/dist/grammar.js'
import { readDump } from '/dist/mediawiki.js'
import { HttpSource, PromiseQueue, SourceError, StreamCache, TextCursor } from '/dist/stream.js'
import { readXml } from '/dist/xml.js'

const scenarios = {
  async 'reads the body of a response with a byte cursor'() {
    const response = await fetch('/fixtures/mediawiki/small-dump.xml')
    const cursor = StreamCache.from(response.body).cursor()
    let length = 0
    for (;;) {
      const bytes = cursor.peek(100) ?? (await cursor.fill(100), cursor.peek(100))
      if (bytes.length === 0) break
      length += bytes.length
      cursor.skip(bytes.length)
    }
    return { length, done: cursor.done }
  },

  async 'reads the body of a response as text'() {
    const response = await fetch('/fixtures/mediawiki/small-dump.xml')
    const cursor = new TextCursor(StreamCache.from(response.body))
    const text = await cursor.read(1e6)
    return { units: text.length, offset: cursor.offset, hasTree: text.includes('🌳') }
  },

  async 'selects elements of the body of a response'() {
    const { body } = await fetch('/fixtures/mediawiki/small-dump.xml')
    const titles = []
    for await (const page of readXml(body, { engine: 'wasm' }).select('page')) titles.push(page.childText('title'))
    return { titles }
  },

  async 'writes lines of the pages of a dump'() {
    const { body } = await fetch('/fixtures/mediawiki/small-dump.xml')
    const decoder = new TextDecoder()
    let text = ''
    for await (const batch of readDump(body).pageLines().batches())
      for (const { bytes } of batch) text += decoder.decode(bytes)
    return { text }
  },

  async 'parses the body of a response by a grammar'() {
    const bnf = await (await fetch('/fixtures/grammar/log/log.bnf')).text()
    const { body } = await fetch('/fixtures/grammar/log/lines.input.log')
    const grammar = Grammar.from(bnf)
    const statuses = []
    for await (const node of grammar.stream(body, { emit: 'status', engine: 'wasm' })) statuses.push(node.text)
    return { statuses }
  },

  async 'reads a Blob, and clones'() {
    const cache = StreamCache.from(new Blob(['one ', 'two ', 'three']))
    const first = cache.cursor()
    await first.fill(8)
    const second = first.clone()
    second.skip(4)
    const read = async (cursor) => new TextDecoder().decode(await cursor.read(100))
    const texts = [await read(first), await read(second)]
    first.release()
    second.release()
    return { texts }
  },

  async 'decompresses gzip by the runtime'() {
    const packed = new Blob(['wood '.repeat(10_000)]).stream().pipeThrough(new CompressionStream('gzip'))
    let length = 0
    for await (const chunk of StreamCache.from(decompress(packed))) length += chunk.length
    return { length }
  },

  async 'decompresses zstd that lies behind a URL'() {
    const source = new HttpSource('/fixtures/compression/two-frames.zst')
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of StreamCache.from(decompress(source))) text += decoder.decode(chunk, { stream: true })
    return { text }
  },

  async 'loads all of it as one module'() {
    const { decompress, readXml } = await import('/dist/index.js')
    return { types: [typeof decompress, typeof readXml] }
  },

  async 'gives timers their turn while everything is there already'() {
    const cursor = StreamCache.from(new Uint8Array(3_000_000)).cursor()
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const start = performance.now()
    while (performance.now() - start < 300) {
      if ((await cursor.read(1)).length === 0) break
    }
    clearInterval(timer)
    return { turns }
  },

  async 'cancels a stream that never delivers'() {
    let reason
    const silent = new ReadableStream({
      cancel(why) {
        reason = why
      },
    })
    const cache = StreamCache.from(silent)
    const waiting = cache.cursor().read(1)
    await cache.cancel('enough')
    const error = await waiting.catch((error) => error)
    return { reason, isSourceError: error instanceof SourceError, code: error.code, locked: silent.locked }
  },

  async 'times out'() {
    const error = await new PromiseQueue().wait({ timeout: 5 }).catch((error) => error)
    return { name: error.name }
  },
}

/** Runs all, one after the other, and gives what came out by their names. */
export async function runScenarios() {
  const results = {}
  for (const [name, run] of Object.entries(scenarios)) {
    try {
      results[name] = await run()
    } catch (error) {
      results[name] = { error: String(error.stack ?? error) }
    }
  }
  return results
}
