// The inputs of the benchmark: made from a fixed seed, so that they are the same everywhere, in any size from 1 KB up.
//
// An input is a head, records, and a tail. There are as many records as fit, at least one; when they run out (after 4 MB), they
// begin again. Some of the text is not ASCII.

import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Language } from './engine.ts'

export type InputName = 'json' | 'csv' | 'log' | 'xml' | 'markup'

/** Where XML comes from, if not from the project's own: paths of documents. */
export interface InputFiles {
  /** A MediaWiki dump. Its pages are the records. */
  readonly dump?: string | undefined
  /** A document whose root's content is the record. */
  readonly markup?: string | undefined
}

/** The inputs and their grammars. */
export const inputs: Readonly<Record<InputName, Language>> = {
  json: 'json',
  csv: 'csv',
  log: 'log',
  xml: 'xml',
  markup: 'xml',
}

interface Parts {
  readonly head: string
  readonly records: readonly string[]
  /** Between two records. */
  readonly separator: string
  readonly tail: string
}

const FOLDER = new URL('../data/', import.meta.url)
const SMALL_DUMP = new URL('../../../fixtures/mediawiki/small-dump.xml', import.meta.url)

/** Characters of generated records; then they repeat. */
const RECORDS_SIZE = 4 * 1024 * 1024
/** Bytes written at a time. */
const BLOCK_SIZE = 4 * 1024 * 1024

export interface InputFile {
  readonly path: string
  readonly bytes: number
  readonly records: number
}

/** A file with an input of about `bytes` bytes, kept in scripts/bench/data/ (git-ignored) for the next time. */
export async function makeInputFile(name: InputName, bytes: number, files: InputFiles): Promise<InputFile> {
  const parts = await makeParts(name, files)
  const path = await makeFile(name, bytes, parts)
  return { path, bytes: (await stat(path)).size, records: countRecords(parts, bytes) }
}

async function makeFile(name: InputName, bytes: number, parts: Parts): Promise<string> {
  const id = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
  const path = fileURLToPath(new URL(`grammar-${name}-${bytes}-${id}`, FOLDER))
  if (await stat(path).catch(() => undefined)) return path
  await mkdir(FOLDER, { recursive: true })
  // Renamed when it is complete: a run that breaks off leaves no incomplete file under the name.
  const partial = `${path}.${process.pid}.partial`
  const file = await open(partial, 'w')
  try {
    for (const block of cutToSize(parts, bytes)) await file.writeFile(block)
    await file.sync()
    await rename(partial, path)
  } finally {
    await file.close()
    await rm(partial, { force: true })
  }
  return path
}

/** As many as fit; at least one. */
function countRecords({ head, records, separator, tail }: Parts, bytes: number): number {
  const lengths = records.map((record) => Buffer.byteLength(separator + record))
  let left = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail) + Buffer.byteLength(separator)
  for (let count = 0; ; count++) {
    left -= lengths[count % lengths.length] as number
    if (left < 0) return Math.max(1, count)
  }
}

/** The head, the records that fit, and the tail, in blocks. */
function* cutToSize(parts: Parts, bytes: number): Generator<Uint8Array> {
  const { head, records, separator, tail } = parts
  const encoded = records.map((record) => Buffer.from(record))
  const between = Buffer.from(separator)
  const count = countRecords(parts, bytes)
  let block: Uint8Array[] = [Buffer.from(head)]
  let blockSize = 0
  for (let index = 0; index < count; index++) {
    const record = encoded[index % encoded.length] as Uint8Array
    if (index > 0) block.push(between)
    block.push(record)
    blockSize += record.length
    if (blockSize < BLOCK_SIZE) continue
    yield Buffer.concat(block)
    block = []
    blockSize = 0
  }
  block.push(Buffer.from(tail))
  yield Buffer.concat(block)
}

function makeParts(name: InputName, files: InputFiles): Parts | Promise<Parts> {
  if (name === 'json') return { head: '[\n', records: generate(makeObject), separator: ',\n', tail: '\n]\n' }
  if (name === 'csv') return { head: `${CSV_HEAD}\r\n`, records: generate(makeRow), separator: '', tail: '' }
  if (name === 'log') return { head: '', records: generate(makeLine), separator: '', tail: '' }
  if (name === 'xml') return readDump(files.dump ?? SMALL_DUMP)
  if (files.markup) return readMarkup(files.markup)
  return { head: '<root>\n', records: generate(makeElement), separator: '', tail: '</root>\n' }
}

// ---- XML that is there.

async function readDump(path: string | URL): Promise<Parts> {
  const text = await readFile(path, 'utf8')
  const first = text.indexOf('  <page>')
  const end = text.lastIndexOf('</mediawiki>')
  const records = text.slice(first, end).split(/(?<=<\/page>\n)/)
  return { head: text.slice(0, first), records, separator: '', tail: '</mediawiki>\n' }
}

/** From the root on: what stands before it, a document type with a subset for one, is left out. */
async function readMarkup(path: string): Promise<Parts> {
  const text = await readFile(path, 'utf8')
  const [start] = /<[A-Za-z_][^>]*>/.exec(
    text.replace(/<!DOCTYPE[^[>]*\[[^\]]*\]\s*>/, (type) => ' '.repeat(type.length)),
  ) ?? ['']
  const end = text.lastIndexOf('</')
  const content = text.slice(text.indexOf(start) + start.length, end)
  return { head: start, records: [content], separator: '', tail: `${text.slice(end).trimEnd()}\n` }
}

// ---- Records from a linear congruential generator.

export class Random {
  #state = 1

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    // The upper bits: the lower ones have short periods.
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  words(least: number, most: number): string {
    const count = least + this.below(most - least + 1)
    return Array.from({ length: count }, () => this.pick(WORDS)).join(' ')
  }
}

// Four of 40 are not ASCII, of two, three and four bytes.
const WORDS =
  'a and bark branch cell cork dry each fibre flow from grain growth heart in late leaf light of on pith pore ray ring root sap soft stem the tree tube vein vessel wall water wide größe été 木 🌳'.split(
    ' ',
  )
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  'curl/8.5.0',
  'bot/1.0 (+https://example.org/bot)',
]
const CSV_HEAD = 'number,name,note,size,share'

function generate(make: (random: Random, number: number) => string): string[] {
  const random = new Random()
  const records: string[] = []
  for (let length = 0; length < RECORDS_SIZE; ) {
    const record = make(random, records.length + 1)
    records.push(record)
    length += record.length
  }
  return records
}

function makeObject(random: Random, number: number): string {
  const tags = Array.from({ length: random.below(5) }, () => random.words(1, 2))
  const size = { width: random.below(5000), height: random.below(5000) / 100, depth: random.pick([null, -1.5e-3, 0]) }
  const name = random.words(1, 3)
  const note = random.below(4) === 0 ? `${random.words(2, 8)}\n"${random.words(1, 3)}"` : random.words(4, 20)
  return `  ${JSON.stringify({ number, name, isDry: random.below(2) === 0, size, tags, note })}`
}

function makeRow(random: Random, number: number): string {
  const words = random.words(3, 10)
  const kind = random.below(10)
  const note =
    kind === 0 ? `"${words}, ""${random.words(1, 2)}"""` : kind === 1 ? `"${words}\r\n${random.words(2, 5)}"` : words
  const size = random.below(5) === 0 ? '' : String(random.below(100_000))
  return `${number},${random.words(1, 3)},${note},${size},${random.below(1000) / 1000}\r\n`
}

function makeLine(random: Random, number: number): string {
  const digits = (value: number, count: number) => String(value).padStart(count, '0')
  const seconds = Math.floor(number / 20)
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    digits(part, 2),
  )
  const time = `2026-01-${digits(1 + (Math.floor(seconds / 86_400) % 28), 2)}T${clock.join(':')}.${digits(random.below(1000), 3)}Z`
  const level = random.pick(['INFO', 'INFO', 'INFO', 'INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR'])
  const method = random.pick(['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST'])
  const path = `/wiki/${random.words(1, 4).replaceAll(' ', '_')}`
  const status = random.pick([200, 200, 200, 200, 304, 404, 500])
  const size = status === 304 ? '-' : String(random.below(100_000))
  const referrer =
    random.below(3) === 0 ? '-' : `https://wiki.example.org/wiki/${random.words(1, 2).replaceAll(' ', '_')}`
  return `${time} ${level} web-${random.below(16)} ${method} ${path} ${status} ${size} "${referrer}" "${random.pick(AGENTS)}"\n`
}

const NAMES = ['wood', 'ring', 'cell', 'ray', 'p:pore', 'sap-wood', 'vessel', 'tube', 'leaf', 'bark']

/** About 30 bytes a tag, nested up to four deep. */
function makeElement(random: Random): string {
  return writeElement(random, 1)
}

function writeElement(random: Random, depth: number): string {
  const indent = '  '.repeat(depth)
  const name = random.pick(NAMES)
  const attributes = Array.from(
    { length: random.below(3) },
    (_, index) => ` ${random.pick(NAMES)}${index}="${random.words(1, 3)}"`,
  )
  const start = `${indent}<${name}${attributes.join('')}`
  const kind = random.below(12)
  if (kind === 0) return `${start} />\n`
  if (kind === 1) return `${start}><!-- ${random.words(1, 6)} --></${name}>\n`
  if (kind === 2) return `${start}><![CDATA[${random.words(1, 6)} <&>]]></${name}>\n`
  if (kind === 3) return `${start}><?go ${random.words(1, 4)}?></${name}>\n`
  if (kind < 8 || depth === 4) return `${start}>${random.words(1, 8)} &amp; ${random.words(1, 3)}</${name}>\n`
  const children = Array.from({ length: 1 + random.below(3) }, () => writeElement(random, depth + 1))
  return `${start}>\n${children.join('')}${indent}</${name}>\n`
}
