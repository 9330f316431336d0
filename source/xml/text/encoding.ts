// In which encoding a document is (XML 1.0, section 4.3.3 and appendix F).

import { concatBytes } from '../../stream/chunk-encoder.ts'
import type { ReportsCharset } from '../../stream/sources/source-reader.ts'
import { normalizeEncoding } from '../../text/encodings.ts'
import type { OffsetMap } from '../../text/offset-map.ts'
import type { Transcoder } from '../../text/transcoder.ts'
import { XmlError } from '../errors/errors.ts'
import { UnplacedError } from '../errors/unplaced-error.ts'
import { transcoding } from './transcoding.ts'

/** Bytes in which a declaration has to end that is looked at. */
const LONGEST_DECLARATION = 1024
const DECLARATION = /^<\?xml(?=\s)[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/

/** What was found out. */
interface Detection {
  /** As `normalizeEncoding` gives it, never plain `utf-16`. */
  readonly encoding: string
  /** Bytes of the byte order mark. */
  readonly markLength: number
}

/** A family of encodings, by the first bytes. */
interface Family {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | undefined
  readonly markLength: number
}

const MARKS: readonly (readonly [mark: readonly number[], family: Family | string])[] = [
  [[0, 0, 0xfe, 0xff], 'UTF-32'],
  [[0xff, 0xfe, 0, 0], 'UTF-32'],
  [[0, 0, 0, 0x3c], 'UTF-32'],
  [[0x3c, 0, 0, 0], 'UTF-32'],
  [[0x4c, 0x6f, 0xa7, 0x94], 'EBCDIC'],
  [[0xef, 0xbb, 0xbf], { encoding: 'utf-8', markLength: 3 }],
  [[0xfe, 0xff], { encoding: 'utf-16be', markLength: 2 }],
  [[0xff, 0xfe], { encoding: 'utf-16le', markLength: 2 }],
  [[0, 0x3c], { encoding: 'utf-16be', markLength: 0 }],
  [[0x3c, 0], { encoding: 'utf-16le', markLength: 0 }],
]

/** What says in which encoding a document is, after a byte order mark. The first one that says something decides. */
type Authority = 'option' | 'server' | 'declaration'

/** How messages begin that name it, and how they end. */
const AUTHORITIES: Readonly<Record<Authority, readonly [says: string, advice: string]>> = {
  option: ['the given encoding is', ''],
  server: [
    'the server says that the encoding is',
    '; if the server is wrong, give the encoding with the option encoding',
  ],
  declaration: ['the document declares the encoding', ''],
}

/**
 * Finds the encoding from the first bytes; undefined when there are too few of them. `said` is what something outside of the document
 * says, and `charset` what its server says (RFC 7303, section 3). Throws an {@link UnplacedError} where mark or pattern and what decides contradict each
 * other, or the encoding is not known. A mark counts more than a server.
 */
function findEncoding(
  head: Uint8Array,
  isEnd: boolean,
  said: string | undefined,
  charset: string | undefined,
): (Detection & { authority: Authority }) | undefined {
  if (head.length < 4 && !isEnd) return undefined
  const family = findFamily(head, said ?? charset)
  const authority = said !== undefined ? 'option' : charset !== undefined ? 'server' : 'declaration'
  const { markLength } = family
  if (authority === 'server' && family.encoding && markLength > 0)
    return { encoding: family.encoding, markLength, authority: 'declaration' }
  const label = said ?? charset ?? findDeclared(head, family, isEnd)
  if (label === undefined) return undefined
  const [says, advice] = AUTHORITIES[authority]
  const name = label === '' ? undefined : normalizeEncoding(label)
  if (label !== '' && name === undefined) {
    throw new UnplacedError(`unknown encoding ${label}${advice}`, 'unknown-encoding', undefined, 0)
  }
  const isWide = family.encoding?.startsWith('utf-16') === true
  const isPossible = name === 'utf-16' ? isWide : name === undefined || name === (family.encoding ?? name)
  if (!isPossible) {
    const message = `${says} ${label}, but it is in ${family.encoding ?? 'another encoding'}${advice}`
    throw new UnplacedError(message, 'encoding-mismatch', undefined, 0)
  }
  if (isWide && markLength === 0 && name === undefined) {
    const message = 'a UTF-16 document must begin with a byte order mark, or declare its encoding'
    throw new UnplacedError(message, 'undeclared-encoding', 'XML 1.0, section 4.3.3', 0)
  }
  return { encoding: family.encoding ?? name ?? 'utf-8', markLength, authority }
}

/** Of UTF-8; undefined as long as there may be a mark that has not arrived. */
function detectMark(head: Uint8Array, isEnd: boolean): { encoding: string; markLength: number } | undefined {
  const mark = [0xef, 0xbb, 0xbf]
  const begins = mark.every((byte, i) => i >= head.length || head[i] === byte)
  if (begins && head.length < mark.length && !isEnd) return undefined
  return { encoding: 'utf-8', markLength: begins && head.length >= mark.length ? mark.length : 0 }
}

function findFamily(head: Uint8Array, said: string | undefined): Family {
  for (const [mark, family] of MARKS) {
    if (!mark.every((byte, i) => head[i] === byte)) continue
    if (typeof family !== 'string') return family
    throw new UnplacedError(
      `${family} is not supported; convert the document to UTF-8, for example with iconv, and give that with the option encoding`,
      'unknown-encoding',
      undefined,
      0,
    )
  }
  const name = said === undefined ? undefined : normalizeEncoding(said)
  // It may begin with white space, and then nothing else shows it.
  return { encoding: name === 'utf-16le' || name === 'utf-16be' ? name : undefined, markLength: 0 }
}

/** The encoding that the document declares; empty when it declares none, undefined when that has not arrived. */
function findDeclared(head: Uint8Array, { encoding, markLength }: Family, isEnd: boolean): string | undefined {
  const bytes = head.subarray(markLength, LONGEST_DECLARATION)
  const isWide = encoding?.startsWith('utf-16')
  const narrow = isWide ? bytes.filter((_, i) => i % 2 === (encoding === 'utf-16le' ? 0 : 1)) : bytes
  const begin = String.fromCharCode(...narrow.subarray(0, 5))
  if (!'<?xml'.startsWith(begin)) return ''
  const text = String.fromCharCode(...narrow)
  const end = text.indexOf('?>')
  if (end === -1 && !isEnd && head.length < LONGEST_DECLARATION) return undefined
  return DECLARATION.exec(text.slice(0, end === -1 ? undefined : end))?.[1] ?? ''
}

const NOTHING = new Uint8Array(0)

/** Gives a document as UTF-8, without its byte order mark. Of another encoding it gives nothing before `needsTranscoder` was asked, and that is there. */
export class DocumentDecoder {
  readonly #said: string | undefined
  /** Whether it was text that was made UTF-8, as is known before the first push: then a declaration does not say how it is encoded. */
  isOfText = false
  /** The charset of a server, known before the first push as well. */
  charset: string | undefined
  #authority: Authority | undefined
  #head: Uint8Array | undefined = NOTHING
  #transcoder: Transcoder | undefined
  #encoding = 'utf-8'
  #skipped = 0
  #offsets: OffsetMap | undefined
  /** Offsets of what comes next, in UTF-8 and in the source; in the source, where its complete characters end. */
  #next: number
  #nextSource: number

  /** `start` is the offset of the first byte. */
  constructor(said?: string, start = 0) {
    this.#said = said
    this.#next = start
    this.#nextSource = start
  }

  /** Of input that is known to be UTF-8, and does not begin with a byte order mark. */
  static ofUtf8(): DocumentDecoder {
    const decoder = new DocumentDecoder()
    decoder.#head = undefined
    return decoder
  }

  /** The offset in the source of an offset in the UTF-8. */
  toSource(offset: number): number {
    return this.#offsets?.toSource(offset) ?? offset
  }

  /** Offsets before this one are not asked for any more. */
  release(offset: number): void {
    this.#offsets?.release(offset)
  }

  /** The encoding that was found. */
  get encoding(): string {
    return this.#encoding
  }

  /** Whether what was pushed so far can only be decoded when `transcoding` is loaded: push nothing then, or say again that nothing more comes. */
  get needsTranscoder(): boolean {
    return this.#head !== undefined && this.#encoding !== 'utf-8'
  }

  /** Bytes at the start that do not belong to the document: its byte order mark, where the document is UTF-8. */
  get skipped(): number {
    return this.#skipped
  }

  /** What is wrong with the bytes after those given so far. */
  get fault(): string | undefined {
    return this.#transcoder?.error
  }

  /** What the message of an error in the bytes ends with. */
  get advice(): string {
    return this.#authority === undefined ? '' : AUTHORITIES[this.#authority][1]
  }

  /** Whether the encoding is known. */
  get isDecided(): boolean {
    return this.#head === undefined
  }

  /** Whether what is pushed is given back as it is. */
  get isTransparent(): boolean {
    return this.#head === undefined && this.#transcoder === undefined
  }

  /** The UTF-8 of more bytes, which it may be a view of; nothing as long as the encoding is not known. Throws an {@link UnplacedError}. */
  push(bytes: Uint8Array): Uint8Array {
    if (this.#head === undefined) return this.#transcoder ? this.#transcode(this.#transcoder, bytes) : bytes
    if (this.#head.length === 0) {
      const text = this.#begin(bytes, false)
      if (!this.isDecided) this.#head = bytes.slice()
      return text
    }
    this.#head = concatBytes(this.#head, bytes)
    return this.#begin(this.#head, false)
  }

  /** Says that no more bytes come; what was held back. Throws an {@link UnplacedError}. */
  end(): Uint8Array {
    const rest = this.#head === undefined ? NOTHING : this.#begin(this.#head, true)
    this.#transcoder?.end()
    return rest
  }

  #transcode(transcoder: Transcoder, bytes: Uint8Array): Uint8Array {
    const text = transcoder.push(bytes)
    if (this.#offsets && text.length > 0) {
      this.#offsets.add(text, this.#next, this.#nextSource, transcoder.lengths)
      this.#next += text.length
      // What is not complete yet belongs to what comes next.
      this.#nextSource = this.#offsets.toSource(this.#next)
    }
    return text
  }

  #begin(head: Uint8Array, isEnd: boolean): Uint8Array {
    const detected = this.isOfText ? undefined : findEncoding(head, isEnd, this.#said, this.charset)
    const detection = this.isOfText ? detectMark(head, isEnd) : detected
    if (!detection) return NOTHING
    this.#authority = detected?.authority
    this.#encoding = detection.encoding
    const isUtf8 = detection.encoding === 'utf-8'
    if (!isUtf8 && !transcoding.module) return NOTHING
    this.#head = undefined
    const rest = head.subarray(detection.markLength)
    if (!isUtf8) {
      const { makeTranscoder, OffsetMap } = transcoding.required
      const transcoder = makeTranscoder(detection.encoding) as Transcoder
      this.#transcoder = transcoder
      this.#offsets = new OffsetMap((lead) => transcoder.sourceLength(lead))
      this.#nextSource += detection.markLength
      return this.#transcode(transcoder, rest)
    }
    this.#skipped = detection.markLength
    return rest
  }
}

/**
 * The encoding of a document, found out without reading it: what reads a document from its middle has to know it. It is a name in lower case, such as `utf-8`,
 * `utf-16le` or `iso-8859-1`. `content` is the document from its beginning on; `said` is what something outside of it says, and `server` what its server does.
 * Throws an `XmlError` where the beginning contradicts itself, and what reading it throws.
 */
export async function detectEncoding(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  said?: string,
  server?: Partial<ReportsCharset>,
): Promise<string> {
  const decoder = new DocumentDecoder(said)
  try {
    for await (const chunk of content) {
      decoder.charset = server?.charset
      decoder.push(chunk)
      if (decoder.isDecided || decoder.needsTranscoder) break
    }
    if (!decoder.isDecided && !decoder.needsTranscoder) decoder.end()
  } catch (error) {
    if (!(error instanceof UnplacedError)) throw error
    throw new XmlError(error.message, { code: error.code, byteOffset: 0, line: 1, column: 1 })
  }
  return decoder.encoding
}
