// What a file is, by its beginning, that is not XML.

import { detectCompression, LONGEST_SIGNATURE } from 'xylem/compression'

/** What a person is told of a file that is not XML. */
export interface FileKind {
  /** What it is: `JSON`, `a PDF document`. */
  readonly what: string
  /** The same as a sentence. */
  readonly title: string
  /** What to do. */
  readonly advice: string
  /** Whether a place in it says something to a person. */
  readonly isText: boolean
}

const READS = 'This page reads XML, as it is or compressed by bzip2, gzip or zstd.'
const UNPACK = 'Unpack it, and open a file that was in it.'

/** Signatures of files that people have beside their XML: Latin-1, from an offset. */
const SIGNATURES: readonly (readonly [signature: string, offset: number, what: string, advice: string])[] = [
  ['%PDF-', 0, 'a PDF document', READS],
  ['\x89PNG', 0, 'a PNG image', READS],
  ['\xff\xd8\xff', 0, 'a JPEG image', READS],
  ['GIF8', 0, 'a GIF image', READS],
  ['WEBP', 8, 'a WebP image', READS],
  ['Rar!\x1a\x07', 0, 'a RAR archive', UNPACK],
  ['ustar', 257, 'a tar archive', UNPACK],
  ['SQLite format 3\0', 0, 'an SQLite database', READS],
  ['PAR1', 0, 'a Parquet file', READS],
  ['\xd0\xcf\x11\xe0', 0, 'a document of an old Office program', READS],
  ['\x7fELF', 0, 'a program', READS],
]

const EMPTY: FileKind = {
  what: 'empty',
  title: 'This file is empty',
  advice: 'There is not a single byte in it. Perhaps a download failed: get the file again.',
  isText: false,
}
const BLANK: FileKind = {
  what: 'without text',
  title: 'There is no text in this file',
  advice: 'It has white space alone, or a mark of its encoding. Perhaps a download failed: get the file again.',
  isText: false,
}
const HTML = makeKind(
  'HTML',
  'Pages of the Web may leave out what XML needs, such as end tags and quotes. If you expected XML, the server has perhaps answered with a page, for example with an error.',
  true,
)

/** What a file that begins with some bytes is, if it is not XML for certain; undefined for what may be XML. */
export function findKind(head: Uint8Array): FileKind | undefined {
  if (head.length === 0) return EMPTY
  const latin = new TextDecoder('latin1').decode(head.subarray(0, 512))
  const utf16 = findUtf16(head)
  const text = new TextDecoder(utf16 ?? 'utf-8').decode(head)
  const start = text.trimStart().slice(0, 1000)
  const root = text
    .replace(/^(?:\s*<!--.*?-->)+/s, '')
    .trimStart()
    .slice(0, 1000)
  if (/^<(?:!doctype\s+html|html|head|body)(?:[\s>]|$)/i.test(root) && !/xhtml/i.test(root)) return HTML
  if (start.startsWith('<')) return undefined
  const compression = detectCompression(head.subarray(0, LONGEST_SIGNATURE))
  if (compression !== 'none') return describeArchive(compression)
  const known = SIGNATURES.find(([signature, offset]) => latin.startsWith(signature, offset))
  if (known) return makeKind(known[2], known[3])
  // Older encodings have bytes that are no UTF-8, but hardly a text has these characters.
  if ([...text].some(isControl) || (utf16 && text.includes('\ufffd'))) return makeKind('binary data', READS)
  if (start === '') return BLANK
  if (/^(?:\{\s*["}]|\[\s*["[{\]\d-])/.test(start)) return makeKind('JSON', READS, true)
  return makeKind(`text${utf16 ? ' in UTF-16' : ''}`, `XML begins with “<”. ${READS}`, true)
}

/** What an archive is that is not read, or that is inside of another one. */
export function describeArchive(format: string): FileKind {
  const office = ' Documents of Office programs and e-books are zip archives too.'
  return makeKind(`${format === 'xz' ? 'an' : 'a'} ${format} archive`, `${UNPACK}${format === 'zip' ? office : ''}`)
}

function makeKind(what: string, advice: string, isText = false): FileKind {
  return { what, title: `This is ${what}, not XML`, advice, isText }
}

/** The form of UTF-16 that a file begins in; undefined if it begins in no such form. */
export function findUtf16([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : undefined
}

/** Whether a character controls something else than lines and spaces. */
function isControl(character: string): boolean {
  return (character < ' ' && !/\s/.test(character)) || character === '\x7f'
}
