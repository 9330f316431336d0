// What is measured, in browsers and in Node alike. It is bundled for the page, and run by Node as it is.

import { SAXParser, SaxEventType, type Tag } from 'sax-wasm'
import { SaxesParser } from 'saxes'
import { readXml } from 'xylem/xml/streaming'

/** The bytes of a document, complete or as they arrive. */
export type Document = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>

/** What a task has found: the same in all runtimes. */
export type Answer = Readonly<Record<string, number>>

export interface Task {
  readonly name: string
  readonly engine: 'xylem' | 'saxes' | 'sax-wasm' | 'DOMParser'
  /** Only of documents in memory that are not large, and only where there is one. */
  readonly isWhole?: boolean
  run(document: Document, saxWasm: Uint8Array): Promise<Answer>
}

const SHAPE = { id: { path: 'id', as: 'integer' }, title: 'title', text: 'revision/text' } as const

export const tasks: readonly Task[] = [
  {
    name: 'check',
    engine: 'xylem',
    async run(document) {
      await readXml(document).check()
      return {}
    },
  },
  {
    name: 'records',
    engine: 'xylem',
    async run(document) {
      let [pages, titles, texts] = [0, 0, 0]
      for await (const batch of readXml(document).records('page', SHAPE).batches()) {
        for (const { title = '', text = '' } of batch) {
          titles += title.length
          texts += text.length
        }
        pages += batch.length
      }
      return { pages, titles, texts }
    },
  },
  {
    name: 'lines',
    engine: 'xylem',
    async run(document) {
      let [pages, bytes] = [0, 0]
      for await (const lines of readXml(document).write('jsonl', 'page', SHAPE)) {
        for (let end = lines.indexOf(10); end >= 0; end = lines.indexOf(10, end + 1)) pages++
        bytes += lines.length
      }
      return { pages, bytes }
    },
  },
  {
    name: 'records',
    engine: 'saxes',
    async run(document) {
      let [pages, titles, texts] = [0, 0, 0]
      let open = ''
      const parser = new SaxesParser({ xmlns: false, position: false })
      parser.on('opentag', ({ name }) => {
        open = name
        if (name === 'page') pages++
      })
      parser.on('closetag', () => {
        open = ''
      })
      parser.on('text', (text) => {
        if (open === 'title') titles += text.length
        if (open === 'text') texts += text.length
      })
      const decoder = new TextDecoder()
      for await (const bytes of piecesOf(document)) parser.write(decoder.decode(bytes, { stream: true }))
      parser.close()
      return { pages, titles, texts }
    },
  },
  {
    name: 'start tags',
    engine: 'sax-wasm',
    async run(document, saxWasm) {
      let pages = 0
      const parser = new SAXParser(SaxEventType.OpenTag)
      parser.eventHandler = (_, detail) => {
        if ((detail as Tag).name === 'page') pages++
      }
      await parser.prepareWasm(saxWasm)
      for await (const bytes of piecesOf(document)) parser.write(bytes)
      parser.end()
      return { pages }
    },
  },
  {
    name: 'a tree',
    engine: 'DOMParser',
    isWhole: true,
    async run(document) {
      const text = new TextDecoder().decode(document as Uint8Array<ArrayBuffer>)
      const tree = new DOMParser().parseFromString(text, 'application/xml')
      return { pages: tree.getElementsByTagName('page').length }
    },
  },
]

/** Bytes. sax-wasm writes beyond its memory when a piece is larger than that: what Chromium reads from the network is up to 2 MB. */
const PIECE = 64 * 1024

async function* piecesOf(document: Document): AsyncGenerator<Uint8Array> {
  if (document instanceof Uint8Array) return yield* cut(document)
  const reader = document.getReader()
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    yield* cut(value)
  }
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}
