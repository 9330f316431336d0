// Small documents, at once.

import { TextPosition } from '../machine/text-position.ts'
import { isBytes } from '../stream/chunk-encoder.ts'
import { describeValue, withCode } from '../stream/errors.ts'
import type { XmlAttributes } from './attributes.ts'
import type { DocumentType } from './document-type.ts'
import type { XmlComment, XmlElement, XmlInstruction } from './element.ts'
import { ElementBuilder } from './element-builder.ts'
import { DocumentDecoder } from './encoding.ts'
import type { ExternalRequest } from './external.ts'
import { Fault } from './fault.ts'
import { refusePath } from './mistaken-path.ts'
import type { Name } from './names.ts'
import { parserOptions, type SynchronousResolver, type XmlOptions } from './options.ts'
import { XmlParser } from './parser.ts'
import { locateHeadFault, mapOf } from './run.ts'
import { AttentiveSink, type DocumentFacts, type Sink, type ToSource, type XmlDeclaration } from './sink.ts'

/** How to read a document at once. */
export interface XmlDocumentOptions extends Omit<XmlOptions, 'resolve' | 'signal' | 'fragment'> {
  /** Gives the text of external entities at once. Without it nothing outside is ever read. */
  resolve?: SynchronousResolver
}

/** A document as a tree. */
export interface XmlDocument {
  readonly root: XmlElement
  /** Undefined when there is none. */
  readonly declaration: XmlDeclaration | undefined
  readonly doctype: DocumentType | undefined
  /** The root, and the comments and processing instructions round it. */
  readonly children: readonly (XmlElement | XmlComment | XmlInstruction)[]
}

const encoder = new TextEncoder()

/**
 * Reads a document. Throws an `XmlError` where it is not well-formed, and a `TypeError` with the code `invalid-source` for what is neither a
 * string nor bytes.
 */
export function parseXml(input: string | Uint8Array, options: XmlDocumentOptions = {}): XmlDocument {
  if (typeof input !== 'string' && !isBytes(input)) {
    const message = `parseXml reads a string or a Uint8Array, not ${describeValue(input)}: readXml reads sources of bytes`
    throw withCode(new TypeError(message), 'invalid-source')
  }
  const settings = parserOptions(options)
  refusePath(input)
  const { resolve } = options
  const builder = new DocumentBuilder()
  const { bytes, skipped, fault, toSource } = decode(input, options.encoding)
  const position = new TextPosition(skipped, 1, 1, 0)
  const parser = new XmlParser('document', builder, { ...settings, toSource }, position)
  let rest = bytes
  try {
    for (;;) {
      const advance = parser.advance()
      if (advance === 'done') return builder.document
      if (advance === 'resolve') parser.answer(resolve?.(parser.request as ExternalRequest))
      else if (advance === 'part') continue
      else if (rest.length > 0) rest = rest.subarray(parser.append(rest))
      else if (fault !== undefined) parser.refuse(fault)
      else parser.finish()
    }
  } finally {
    parser.release()
  }
}

/** The UTF-8 of an input; how many bytes of it were skipped, and what is wrong behind it. */
function decode(
  input: string | Uint8Array,
  said: string | undefined,
): {
  bytes: Uint8Array
  skipped: number
  fault: string | undefined
  toSource: ToSource | undefined
} {
  const isText = typeof input === 'string'
  const decoder = new DocumentDecoder(said)
  decoder.isOfText = isText
  try {
    const start = decoder.push(isText ? encoder.encode(input) : input)
    const bytes = decoder.isDecided ? start : decoder.end()
    if (decoder.isDecided) decoder.end()
    return { bytes, skipped: decoder.skipped, fault: decoder.fault, toSource: mapOf(decoder) }
  } catch (error) {
    throw error instanceof Fault ? locateHeadFault(error, 0) : error
  }
}

class DocumentBuilder extends AttentiveSink implements Sink {
  readonly wantsContent = true
  readonly #builder = new ElementBuilder()
  readonly #children: (XmlElement | XmlComment | XmlInstruction)[] = []
  #root: XmlElement | undefined
  #toSource: ToSource = (offset) => offset
  #declaration: XmlDeclaration | undefined
  #doctype: DocumentType | undefined

  get document(): XmlDocument {
    return {
      root: this.#root as XmlElement,
      declaration: this.#declaration,
      doctype: this.#doctype,
      children: this.#children,
    }
  }

  begin({ toSource }: DocumentFacts): void {
    if (toSource) this.#toSource = toSource
  }

  wantsTag(): boolean {
    return true
  }

  declaration(declaration: XmlDeclaration): void {
    this.#declaration = declaration
  }

  documentType(type: DocumentType): void {
    this.#doctype = type
  }

  startElement(name: Name, namespace: string | undefined, attributes: XmlAttributes, start: number): void {
    this.#builder.startElement({ name, namespace, attributes, start: this.#toSource(start) })
  }

  endElement(_start: number, end: number): void {
    const root = this.#builder.endElement(this.#toSource(end))
    if (!root) return
    this.#root = root
    this.#children.push(root)
  }

  finish(): void {}

  text(text: string): void {
    this.#builder.text(text)
  }

  comment(text: string): void {
    if (this.#builder.isOpen) this.#builder.comment(text)
    else this.#children.push({ type: 'comment', text })
  }

  instruction(target: string, data: string): void {
    if (this.#builder.isOpen) this.#builder.instruction(target, data)
    else this.#children.push({ type: 'instruction', target, data })
  }
}
