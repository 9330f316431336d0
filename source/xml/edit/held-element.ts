// Elements that were held, read once more as trees.

import { concatBytes } from '../../stream/chunk-encoder.ts'
import { decodeUtf8 } from '../../text/units.ts'
import type { XmlOptions } from '../options.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import { DocumentDecoder } from '../text/encoding.ts'
import type { XmlElement } from '../tree/element.ts'
import { parseElement } from '../tree/parse-element.ts'
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

/** The element with the namespaces and the entities of its document: the document type declaration is read once more before it. */
function parseHeld(
  tag: FoundTag,
  { bytes, declarations }: HeldInput,
  { facts, doctype = NOTHING, options, encoding }: HeldContext,
): XmlElement {
  const toSource = (offset: number) => {
    const inDocument = tag.parsedOffset + Math.max(0, offset - doctype.length)
    return facts.toSource?.(inDocument) ?? inDocument
  }
  // These two limits are for the document, which is checked against them while it is read. So is the function called then.
  const limits = { ...options.limits, maxInput: Number.POSITIVE_INFINITY, maxAmplification: Number.POSITIVE_INFINITY }
  const { signal: _, resolve: __, ...reading } = { ...options, encoding: 'utf-8', limits, onSkippedEntity: undefined }
  const text = concatBytes(doctype, new DocumentDecoder(encoding).push(bytes()))
  return parseElement(text, facts, reading, { toSource, declarations: declarations() })
}
