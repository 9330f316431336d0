// Where in a document type an error is: against a plain count of bytes, lines and columns, complete, byte by byte and at every cut.

import { describe, expect, test } from 'vitest'
import { parseXml, readXml, type XmlError } from '../../source/xml/index.ts'
import { sample } from '../support/extent.ts'
import { piecesOf, read, readPieces } from '../support/xml.ts'

/** Stands before what is wrong. */
const MARK = '§'

const wide = (text: string) => Buffer.from(text, 'utf16le')
const ENCODINGS: Record<string, (text: string) => Uint8Array> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'UTF-16LE': (text) => wide(`\ufeff${text}`),
  'UTF-16BE': (text) => wide(`\ufeff${text}`).swap16(),
  'windows-1252': (text) => Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${text}`, 'latin1'),
}
const NEWLINES: Record<string, string> = { LF: '\n', CR: '\r', 'CR LF': '\r\n' }

/** Lines are parted by line feeds; é stands before what is wrong. */
const DOCUMENTS = [
  '<!DOCTYPE §1>',
  '<!--é-->\n<!DOCTYPE a\n[\n<!-- é\n-->§<!WRONG>\n]><a/>',
  '\n<!DOCTYPE a [\n\n<!ELEMENT a (b,\nc§|d)>]><a/>',
  '<!DOCTYPE a [<!ELEMENT a (é)\n§(b)>]><a/>',
  '<!DOCTYPE a [\n<!ELEMENT §1 ANY>]><a/>',
  '<!DOCTYPE a [\n<!ELEMENT §a:b:c ANY>]><a/>',
  '<!DOCTYPE a [\n<!ATTLIST a\n b §WRONG #IMPLIED>]><a/>',
  '<!DOCTYPE a [\n<!ATTLIST a\n b (x|§%) "x">]><a/>',
  '<!DOCTYPE a [\n<!ATTLIST a\n b CDATA "é\n\nx§&nope;y">]><a/>',
  '<!DOCTYPE a [\n<!ATTLIST a b CDATA "é\n\nx§<y">]><a/>',
  '<!DOCTYPE a [\n<!ENTITY e "<">\n<!ATTLIST a b CDATA "é\nx§&e;y">]><a/>',
  '<!DOCTYPE a [\n<!ENTITY e "é\n§& f">]><a/>',
  '<!DOCTYPE a [\n<!ENTITY e "é\n&#65;§&#0;">]><a/>',
  '<!DOCTYPE a [\n<!ENTITY e "é\n§%p;">]><a/>',
  '<!DOCTYPE a [\n<!ENTITY\n §lt "x">]><a/>',
  '<!DOCTYPE a [\n<!ENTITY §p:q "x">]><a/>',
  '<!DOCTYPE a [\n<!ENTITY e PUBLIC "x§{" "s">]><a/>',
  '<!DOCTYPE a [\n<?§XML é?>]><a/>',
  '<!DOCTYPE a [\n<!-- é --§ -->]><a/>',
  '<!DOCTYPE a [\n<!NOTATION n §é>]><a/>',
  '<!DOCTYPE a [\n<!ENTITY % p\n"<!ELEMENT x (">\n<!-- é\n-->\n§%p;\n]><a/>',
  '<!DOCTYPE a [\n<!ENTITY % q\n"<!WRONG>">\n<!ENTITY % p "\n&#37;q;\n">\n é\n'.replace(' é', '<!--é-->') +
    '§%p;\n]><a/>',
  '<!DOCTYPE a [\n<!ENTITY % p "&#37;p;">\n<!--é-->§%p;\n]><a/>',
  '<!DOCTYPE a [\n<!--é-->\n<!ELEMENT a\n§%p; ANY>]><a/>',
  '<!DOCTYPE a [\n<!--é-->\n]>\n<a>\né§&e;</a>',
]

describe.each(Object.keys(NEWLINES))('with %s', (newline) => {
  test.each(Object.keys(ENCODINGS))('in %s, an error in a document type is where it is', async (encoding) => {
    const encode = ENCODINGS[encoding] as (text: string) => Uint8Array
    for (const document of sample(DOCUMENTS, encoding === 'UTF-8' ? 13 : 25)) {
      const text = document.replaceAll('\n', NEWLINES[newline] as string)
      const before = text.slice(0, text.indexOf(MARK))
      const bytes = new Uint8Array(encode(text.replace(MARK, '')))
      const lines = (encoding === 'windows-1252' ? Buffer.from(encode(before)).toString('latin1') : before).split('\n')
      const place = {
        byteOffset: encode(before).length,
        line: lines.length,
        column: (lines.at(-1) as string).length + 1,
      }
      // At every cut in one of them; the others differ in how they are decoded.
      const { error } = encoding === 'UTF-8' ? await read(bytes) : await readPieces(piecesOf(bytes, 1))
      expect(error, JSON.stringify(text)).toMatchObject(place)
      let thrown: unknown
      try {
        parseXml(bytes)
      } catch (reason) {
        thrown = reason
      }
      expect(thrown).toMatchObject(place)
    }
  })
})

describe('in an external entity', () => {
  const files: Record<string, string> = {
    'a.dtd': "<?xml encoding='UTF-8'?>\r\n<!ELEMENT a ANY>\r\n <!WRONG>",
    'b.dtd': '<!ENTITY % c SYSTEM "c.dtd">\n<!ELEMENT a (b, %c;)>',
    'c.dtd': '\n d | e',
    'd.dtd': "<?xml encoding='UTF-8'?><!WRONG>",
  }

  test.each([
    ['<!DOCTYPE a SYSTEM "a.dtd">\n<a/>', 0, '(in a.dtd, line 3, column 2)'],
    ['<!DOCTYPE a SYSTEM "d.dtd">\n<a/>', 0, '(in d.dtd, line 1, column 25)'],
    ['<!DOCTYPE a [\n<!ENTITY % p SYSTEM "a.dtd">\r\n%p;]>\n<a/>', 44, '(in a.dtd, line 3, column 2)'],
    ['<!DOCTYPE a [\n<!ENTITY % p SYSTEM "b.dtd">\n%p;]>\n<a/>', 43, '(in c.dtd, line 2, column 4)'],
  ])(
    '%j, the place in the document is that of the reference, and the message has the other',
    async (text, offset, place) => {
      const resolve = ({ systemId }: { systemId: string }) => files[systemId]
      const error = (await readXml([text], { resolve })
        .check()
        .catch((reason: unknown) => reason)) as XmlError
      expect(error.byteOffset).toBe(offset)
      expect(error.message).toContain(place)
      expect(() => parseXml(text, { resolve })).toThrow(error.message)
    },
  )
})
