// What comes before the root element: the XML declaration, and the document type declaration.

import type { DoctypeReader } from '../doctype/declaration/doctype-parser.ts'
import { doctypes } from '../doctype/doctypes.ts'
import type { Entities } from '../doctype/entities.ts'
import type { EntityCounter } from '../doctype/entity-limits.ts'
import type { ExternalEntities, ExternalRequest } from '../doctype/external.ts'
import type { ExternalText } from '../doctype/external-text.ts'
import { UnplacedError } from '../errors/unplaced-error.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import type { Consumer } from './consumer.ts'
import type { StartTagReader } from './start-tag.ts'

export interface PrologOptions {
  readonly consumer: Consumer
  readonly tags: StartTagReader
  readonly entities: Entities
  readonly counter: EntityCounter
  readonly externals: ExternalEntities
  readonly namespaces: boolean
}

/** A document type declaration, and where it is. */
interface DoctypeText {
  readonly text: string
  readonly start: number
  readonly end: number
}

export class Prolog {
  readonly #options: PrologOptions
  #isStandalone = false
  /** The document type declaration that is being read: where it is, and what reads it. */
  #declaration: DoctypeText | undefined
  #doctype: DoctypeReader | undefined

  constructor(options: PrologOptions) {
    this.#options = options
  }

  /** Whether that is being read. What reads it (`doctypes`) must be there when that continues. */
  get isReading(): boolean {
    return this.#declaration !== undefined
  }

  /** The text that is wanted from outside; undefined for none. */
  get request(): ExternalRequest | undefined {
    return this.#doctype?.request
  }

  readDeclaration(frame: TapeFrame): void {
    const { start, end } = frame
    const text = frame.text(start, end)
    const find = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`).exec(text)?.[1]
    const version = find('version') as string
    const standalone = find('standalone')
    if (version === '1.1') {
      throw new UnplacedError('XML 1.1 is not supported; use XML 1.0', 'unsupported-version', undefined, start)
    }
    this.#isStandalone = standalone === 'yes'
    const isStandalone = standalone === undefined ? undefined : this.#isStandalone
    this.#options.consumer.declaration?.({ version, encoding: find('encoding'), standalone: isStandalone }, start, end)
  }

  /** Begins to read the document type declaration, which `advance` continues. */
  beginDoctype(frame: TapeFrame): void {
    const { start, end } = frame
    this.#declaration = { text: frame.text(start, end), start, end }
  }

  /** Continues, with the answer to the last request. */
  advance(answer: ExternalText): 'resolve' | 'part' | 'done' {
    this.#doctype ??= this.#open(this.#declaration as DoctypeText)
    const doctype = this.#doctype
    const advance = doctype.advance(answer)
    if (advance !== 'done') return advance
    this.#doctype = undefined
    this.#declaration = undefined
    const { entities, tags, consumer } = this.#options
    entities.declare(doctype.type, this.#isStandalone)
    tags.declare(doctype.type)
    consumer.documentType?.(doctype.type, doctype.start, doctype.end)
    return 'done'
  }

  /** Looks in a document type declaration that has no end for what is wrong. Throws an `UnplacedError` if there is something. What reads it must be there. */
  check(text: string, start: number, end: number): void {
    const reader = this.#open({ text, start, end })
    while (reader.advance(undefined) === 'part');
  }

  #open({ text, start, end }: DoctypeText): DoctypeReader {
    const { DoctypeReader } = doctypes.required
    const { counter, externals, namespaces, entities } = this.#options
    const { known } = entities
    const isStandalone = this.#isStandalone
    const onSkip = (name: string, byteOffset: number) => entities.skip(name, byteOffset)
    return new DoctypeReader(text, { start, end, counter, externals, namespaces, isStandalone, known, onSkip })
  }
}
