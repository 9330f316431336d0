// Small documents, at once.

import { type TextOrBytes, toBytes } from '../../stream/chunk-encoder.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { requireOptions } from '../../stream/options.ts'
import { refusePath } from '../mistaken-path.ts'
import { parserOptions, XML_OPTIONS } from '../options.ts'
import { parseDocument, type XmlDocument, type XmlDocumentOptions } from './document.ts'
import { provideAll } from './provide-all.ts'

const { signal: _, fragment: __, ...DOCUMENT_OPTIONS } = XML_OPTIONS

/**
 * Reads a complete document. Throws an `XmlError` if it is not well-formed, and a `TypeError` with the code `invalid-source` for input that
 * is neither a string nor bytes.
 */
export function parseXml(input: TextOrBytes, options: XmlDocumentOptions = {}): XmlDocument {
  const text = typeof input === 'string' ? input : toBytes(input)
  if (text === undefined) {
    const message = `parseXml needs a string, a Uint8Array or an ArrayBuffer, not ${describeValue(input)}; readXml reads streams and other sources`
    throw withCode(new TypeError(message), 'invalid-source')
  }
  requireOptions(options, DOCUMENT_OPTIONS)
  const parsing = parserOptions(options)
  refusePath(input)
  provideAll()
  return parseDocument(text, options, parsing)
}
