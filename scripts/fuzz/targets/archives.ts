// Archives of bzip2, gzip and zstd with damage: read complete and cut, on one thread and on two, and by other programs. What is given out without an
// error is what the others read; what bzip2 gives out before an error is the beginning of what was compressed. Damaged dumps, of which what can be
// read is read, never give a page that was not in them.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { decompress } from '../../../source/compression/decompress.ts'
import { detectCompression } from '../../../source/compression/detect.ts'
import { CompressionError } from '../../../source/compression/errors.ts'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import { LimitError, SourceError } from '../../../source/stream/errors.ts'
import { ParseError } from '../../../source/text/parse-error.ts'
import { encodeBzip2 } from '../../../test/support/bzip2-encoder.ts'
import type { Random } from '../../../test/support/random.ts'
import { cutAtRandom } from '../cuts.ts'
import { PythonOracle } from '../oracles/python-oracle.ts'
import type { FuzzCase, Target } from '../target.ts'

/** What another program says: why it refuses an archive, or the digest of what is in it. */
interface Answer {
  readonly refused: string | null
  readonly sha256?: string
}

/** What reading an archive has given. */
interface Outcome {
  readonly content: Buffer
  readonly error: string | undefined
}

interface ArchiveSettings {
  readonly format: (typeof FORMATS)[number]
  /** What is compressed, and how. */
  readonly kind: number
  readonly cuts: number
  readonly hasThreads: boolean
}

const FORMATS = ['bzip2', 'bzip2', 'gzip', 'zstd'] as const
const DAMAGES = ['none', 'flip', 'flip', 'flip', 'remove', 'cut off', 'insert', 'zeros', 'repeat', 'append'] as const

let oracle: PythonOracle<Answer, { zstd: boolean }> | undefined
const frames = readFileSync(new URL('../../../fixtures/compression/frames.zst', import.meta.url))

const page = (id: number, size: number) =>
  `<page><title>Page ${id}</title><id>${id}</id><revision><id>${id}</id><text>${`${id * 7919} word `.repeat(size)}</text></revision></page>\n`

/** A dump that depends on a number alone. */
function makeDump(kind: number): string {
  const pages = Array.from({ length: 3 + (kind % 20) }, (_, id) => page(id + 1, (id * kind) % 90))
  return `<mediawiki>${pages.join('')}</mediawiki>\n`
}

function compress(format: (typeof FORMATS)[number], kind: number): Buffer {
  const dump = Buffer.from(makeDump(kind))
  const half = Math.floor(dump.length / 2)
  const isSplit = kind % 3 === 0
  const parts = isSplit ? [dump.subarray(0, half), dump.subarray(half)] : [dump]
  if (format === 'gzip') return Buffer.concat(parts.map((part) => gzipSync(part, { level: kind % 10 })))
  if (format === 'zstd') return frames
  return Buffer.concat(parts.map((part) => encodeBzip2(part, { blockSize: 300 + (kind % 7) * 400 })))
}

function damage(random: Random, archive: Buffer): Buffer {
  const copy = Buffer.from(archive)
  const at = random.below(archive.length)
  const size = 1 + random.below(random.pick([2, 30, 2000]))
  switch (random.pick(DAMAGES)) {
    case 'flip':
      copy[at] = (copy[at] as number) ^ (1 << random.below(8))
      return copy
    case 'remove':
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + size)])
    case 'cut off':
      return copy.subarray(0, at)
    case 'insert':
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.from(random.many(1, 20, () => random.below(256))),
        copy.subarray(at),
      ])
    case 'zeros':
      return copy.fill(0, at, Math.min(at + size, copy.length))
    case 'repeat':
      return Buffer.concat([copy.subarray(0, at), copy.subarray(Math.max(0, at - size))])
    case 'append':
      return Buffer.concat([copy, Buffer.alloc(size, random.pick([0, 0, 0x42, 0x1f]))])
    default:
      return copy
  }
}

async function read(chunks: readonly Uint8Array[], threads: number): Promise<Outcome> {
  const content: Uint8Array[] = []
  try {
    for await (const chunk of decompress([...chunks], { threads })) content.push(chunk.slice())
    return { content: Buffer.concat(content), error: undefined }
  } catch (error) {
    const cause = error instanceof SourceError ? error.cause : error
    if (!(cause instanceof CompressionError || cause instanceof LimitError)) throw error
    return { content: Buffer.concat(content), error: `${cause.code}: ${cause.message}` }
  }
}

async function judge({ parts: [bytes = new Uint8Array()], settings }: FuzzCase): Promise<string | undefined> {
  const { format, kind, cuts, hasThreads } = settings as unknown as ArchiveSettings
  const whole = await read([bytes], 1)
  const chunks = cutAtRandom(bytes, cuts)
  const ways = [
    ['cut', await read(chunks, 1)],
    ...(hasThreads ? [['on two threads', await read([bytes], 2)] as const] : []),
  ] as const
  for (const [name, { content, error }] of ways) {
    if (withoutPlace(error) !== withoutPlace(whole.error))
      return `${format} ${name} gives another error: ${error} / ${whole.error}`
    // Of gzip and zstd it depends on the cuts how much comes before an error.
    if (error !== undefined && format !== 'bzip2') continue
    if (!content.equals(whole.content))
      return `${format} ${name} gives other content: ${content.length} / ${whole.content.length} bytes`
  }
  if (format === 'bzip2') {
    const original = Buffer.from(makeDump(kind))
    const isBeginning = original.subarray(0, whole.content.length).equals(whole.content)
    // Complete blocks may have been removed or repeated; then the checksum of their stream shows it.
    if (whole.error !== undefined && !isBeginning && !whole.error.includes('checksum of'))
      return `bzip2 gives out what was not compressed: ${whole.error}`
    const wrong = await findForeignPage(bytes, original.toString())
    if (wrong) return wrong
  }
  return await compareWithOracle(bytes, whole)
}

/** zlib says only about where deflated data is corrupt. */
function withoutPlace(error: string | undefined): string | undefined {
  return error?.replace(/^(corrupt: gzip: the deflated data is corrupt) .*/, '$1')
}

/**
 * RFC 1952 (reserved flags) and RFC 8878 (bits that sequences leave or overrun, reserved bits of the modes of tables) refuse what the other programs let pass.
 * So do we in bzip2: if more codes of a length are given than there can be, symbols share codes; the other program gives each code to one of them. And
 * blocks that are marked as randomised are not supported; in one that is short, the mark changes nothing.
 */
const STRICTER =
  /reserved flag|sequences do not end at the end of the block|mode of its tables is invalid|code lengths are invalid|a block is randomised/

async function compareWithOracle(bytes: Uint8Array, ours: Outcome): Promise<string | undefined> {
  const format = detectCompression(bytes)
  if (!oracle || format === 'none' || (format === 'zstd' && !oracle.greeting.zstd)) return undefined
  const { refused, sha256 } = await oracle.ask(bytes)
  if (ours.error !== undefined) {
    if (refused !== null || STRICTER.test(ours.error)) return undefined
    return `another program accepts this: ${ours.error}`
  }
  if (refused !== null) return `another program refuses this: ${refused}`
  const digest = createHash('sha256').update(ours.content).digest('hex')
  return sha256 === digest ? undefined : 'another program reads other content: without an error'
}

/** A page of a damaged dump that was not in it. */
async function findForeignPage(bytes: Uint8Array, dump: string): Promise<string | undefined> {
  try {
    for await (const { id, title, revision } of readDump([bytes], { onFault: () => {} }).pages()) {
      const own = `<page><title>${title}</title><id>${id}</id><revision><id>${revision?.id}</id><text>${revision?.text}</text></revision></page>\n`
      if (!dump.includes(own)) return `a page was not in the dump: ${own.slice(0, 200)}`
    }
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof SourceError)) throw error
  }
  return undefined
}

export const archives: Target = {
  name: 'archives',
  async open() {
    oracle = await PythonOracle.start('./read-archives.py')
    if (!oracle) return 'itself alone: there is no Python'
    return oracle.greeting.zstd ? "Python's bz2 and gzip, and zstd" : "Python's bz2 and gzip"
  },
  make(random) {
    const format = random.pick(FORMATS)
    const kind = random.below(1000)
    const archive = damage(random, compress(format, kind))
    // Starting threads takes as long as everything else.
    const hasThreads = format === 'bzip2' && random.oneIn(10)
    return { parts: [new Uint8Array(archive)], settings: { format, kind, cuts: random.below(2 ** 31), hasThreads } }
  },
  judge,
  close: async () => oracle?.close(),
}
