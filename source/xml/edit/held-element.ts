// Elements that were held, read once more as trees.

import type { Program } from '../../machine/program/program.ts'
import { concatBytes } from '../../stream/chunk-encoder.ts'
import { decodeUtf8 } from '../../text/units.ts'
import type { ExternalRequest } from '../doctype/external.ts'
import type { SkippedEntity } from '../doctype/skipped-entity.ts'
import { program as stored } from '../language/generated/document.ts'
import { generalKernel } from '../language/kernels.ts'
import { restore } from '../language/programs.ts'
import type { Declaration } from '../names/namespaces.ts'
import { parserOptions, type XmlOptions } from '../options.ts'
import type { Consumer, DocumentFacts } from '../parser/consumer.ts'
import { XmlParser } from '../parser/parser.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import { USUAL_TRANSCRIPT } from '../tape/xml-tape.ts'
import { DocumentDecoder } from '../text/encoding.ts'
import type { XmlElement } from '../tree/element.ts'
import { ElementBuilder } from '../tree/element-builder.ts'
import type { HeldElement } from './edited-tag.ts'
import type { HeldInput } from './editor.ts'
import type { FoundTag } from './found.ts'

const LESS_THAN = 0x3c
const AMPERSAND = 0x26
const CARRIAGE_RETURN = 0x0d
const NOTHING = new Uint8Array(0)

/** What elements are read with. */
interface HeldContext {
  readonly facts: DocumentFacts
  readonly doctype: Uint8Array | undefined
  readonly options: XmlOptions
  /** The encoding of what is held. */
  readonly encoding: string
}

let program: Program | undefined

/** An element that is held, of its bytes and those of its content. */
export class HeldBytes implements HeldElement {
  readonly #tag: FoundTag
  readonly #context: HeldContext
  readonly #input: HeldInput
  #element: XmlElement | undefined
  #text: string | undefined

  constructor(tag: FoundTag, context: HeldContext, input: HeldInput) {
    this.#tag = tag
    this.#context = context
    this.#input = input
  }

  get element(): XmlElement {
    this.#element ??= parseHeld(this.#tag, this.#input, this.#context)
    return this.#element
  }

  get text(): string {
    this.#text ??= this.#plainText ?? this.element.text
    return this.#text
  }

  /** Its text, if that stands in its content as it is. */
  get #plainText(): string | undefined {
    if (this.#context.encoding !== 'utf-8' || this.#element) return undefined
    const bytes = this.#input.content()
    const isPlain = ![LESS_THAN, AMPERSAND, CARRIAGE_RETURN].some((byte) => bytes.includes(byte))
    return isPlain ? decodeUtf8(bytes, 0, bytes.length) : undefined
  }
}

/**
 * The element with the namespaces and the entities of its document: the document type declaration is read once more before it. The element is well-formed, and
 * what document types need was loaded for the document. External entities have the texts that the resolver gave for the document.
 */
function parseHeld(
  tag: FoundTag,
  { bytes, declarations }: HeldInput,
  { facts, doctype = NOTHING, options, encoding }: HeldContext,
): XmlElement {
  program ??= restore('document', stored, generalKernel)
  const text = new DocumentDecoder(encoding).push(bytes())
  const toSource = (offset: number) => {
    const inDocument = tag.parsedOffset + Math.max(0, offset - doctype.length)
    return facts.toSource?.(inDocument) ?? inDocument
  }
  const builder = new HeldBuilder(declarations())
  // These two limits are for the document, which is checked against them while it is read.
  const limits = { ...options.limits, maxInput: Number.POSITIVE_INFINITY, maxAmplification: Number.POSITIVE_INFINITY }
  const parsing = parserOptions({
    ...options,
    limits,
    // It was called when the document was read, and so was the resolver.
    onSkippedEntity: undefined,
    resolve: (request) => facts.recall(request) ?? undefined,
  })
  const parser = new XmlParser(program, builder, { ...parsing, toSource })
  try {
    let rest = concatBytes(doctype, text)
    for (;;) {
      const advance = parser.advance()
      if (advance === 'done') return builder.root as XmlElement
      if (advance === 'resolve') parser.answer(facts.recall(parser.request as ExternalRequest))
      else if (advance === 'load') throw new Error('an element needs a module that was not loaded')
      else if (advance === 'input' && rest.length === 0) parser.finish()
      else if (advance === 'input') rest = rest.subarray(parser.append(rest))
    }
  } finally {
    parser.release()
  }
}

/** Builds one element, in which the declarations around it hold. Its own are among them, and are read once more. */
class HeldBuilder implements Consumer {
  readonly sharedText = USUAL_TRANSCRIPT
  root: XmlElement | undefined
  readonly #declarations: readonly Declaration[]
  #builder: ElementBuilder | undefined

  constructor(declarations: readonly Declaration[]) {
    this.#declarations = declarations
  }

  begin(facts: DocumentFacts): void {
    this.#builder = new ElementBuilder(facts)
    for (const [prefix, namespace] of this.#declarations) facts.scopes?.declare(prefix, namespace, 0)
  }

  skip(entity: SkippedEntity): void {
    this.#builder?.skip(entity)
  }

  read(frame: TapeFrame, first: number, end: number): number {
    const builder = this.#builder as ElementBuilder
    for (let part = first, record = 0; part < end; part = record + 1) {
      record = frame.partAt(part)
      const node = builder.add(frame, part, record)
      if (node?.type === 'element') this.root = node
    }
    return end
  }
}
