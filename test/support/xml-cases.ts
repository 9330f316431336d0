// The case files of XML: test/xml/cases/*.txt. A case is a title, a document and what it gives, one below the other:
//
//     # An entity in content {"namespaces": false}
//     <!DOCTYPE a [<!ENTITY e "x">]>
//     <a>&e;</a>
//     ==>
//     0-30 <!DOCTYPE a>
//     31-34 <a>
//     34-37 of e "x"
//     37-41 </a>
//
// After the title may stand options in JSON (`CaseOptions`). `\r`, `\t`, `\\`, `\xE9` and `\u{1F333}` in a document are the characters that they
// are in JavaScript, and `\` at the end of a line joins it with the next one. An event has its bytes before it, from and to, and the entity that brings it. Last may stand an
// error: `error: its code`, and below it its message.

import type { XmlEventOptions, XmlOptions } from '../../source/xml/options.ts'

/** How the document is written and read. */
interface CaseOptions extends Omit<XmlOptions, 'resolve' | 'signal' | 'engine'>, XmlEventOptions {
  /** How the document is written in bytes; UTF-8 without this. */
  readonly bytes?: 'latin1' | 'utf16le' | 'utf16be'
  /** What external entities are, by their system identifiers. */
  readonly files?: Readonly<Record<string, string>>
}

export interface XmlCase {
  readonly title: string
  readonly options: CaseOptions
  readonly document: Uint8Array
  /** The lines below `==>`. */
  readonly expected: readonly string[]
}

export function parseCases(text: string): XmlCase[] {
  return text.split(/^# /m).slice(1).map(parseCase)
}

function parseCase(text: string): XmlCase {
  const match = /^(.*?)(?: (\{.*\}))?\n(.*)\n==>\n(.*)$/s.exec(text)
  if (!match) throw new Error(`not a case: ${text}`)
  const [, title = '', json = '{}', written = '', expected = ''] = match
  const options = JSON.parse(json) as CaseOptions
  return {
    title,
    options,
    document: encode(readEscapes(written), options.bytes),
    expected: expected.trimEnd().split('\n'),
  }
}

const ESCAPES: Readonly<Record<string, string>> = { r: '\r', t: '\t', '\\': '\\', '\n': '' }

function readEscapes(written: string): string {
  return written.replace(/\\(?:x([0-9A-F]{2})|u\{([0-9A-F]+)\}|([rt\\\n]))/g, (_, byte, point, letter) => {
    return letter === undefined ? String.fromCodePoint(Number.parseInt(byte ?? point, 16)) : (ESCAPES[letter] as string)
  })
}

function encode(text: string, bytes: CaseOptions['bytes']): Uint8Array {
  const encoded = Buffer.from(text, bytes === 'utf16be' ? 'utf16le' : (bytes ?? 'utf8'))
  return new Uint8Array(bytes === 'utf16be' ? encoded.swap16() : encoded)
}
