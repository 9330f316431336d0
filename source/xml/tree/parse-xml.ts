// Small documents, at once.

import { GENERAL_KERNEL } from '../../machine/program/general-kernel.ts'
import { type TextOrBytes, toBytes } from '../../stream/chunk-encoder.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { requireOptions } from '../../stream/options.ts'
import { doctypes } from '../doctype/doctypes.ts'
import {
  DeclaredAttributes,
  DoctypeReader,
  declareKnown,
  expandValue,
  parseReplacement,
  readExternalText,
  SkippedEntities,
} from '../doctype/reading.ts'
import { refusePath } from '../errors/errors.ts'
import { explanations } from '../errors/explanations.ts'
import { explainFailure, getMessages, isMoreWanted, readFailedPart } from '../explanation/explaining.ts'
import { program } from '../language/generated/document.ts'
import { generalKernel } from '../language/kernels.ts'
import { programModules } from '../language/programs.ts'
import { parserOptions, XML_OPTIONS } from '../options.ts'
import { makeTranscoder, OffsetMap } from '../text/transcoders.ts'
import { transcoding } from '../text/transcoding.ts'
import { parseDocument, type XmlDocument, type XmlDocumentOptions } from './document.ts'

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

/**
 * From now on a document can be read without waiting. Names are imported one by one: where a module is used as an object, bundlers let its file import
 * another, and no longer join those that are always loaded together.
 */
export function provideAll(): void {
  programModules.document.provide({ program })
  generalKernel.provide(GENERAL_KERNEL)
  explanations.provide({ explainFailure, getMessages, isMoreWanted, readFailedPart })
  doctypes.provide({
    DeclaredAttributes,
    declareKnown,
    DoctypeReader,
    expandValue,
    parseReplacement,
    readExternalText,
    SkippedEntities,
  })
  transcoding.provide({ makeTranscoder, OffsetMap })
}
