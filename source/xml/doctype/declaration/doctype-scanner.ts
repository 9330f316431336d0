// The text of a document type declaration, with the parameter entities that it refers to: they come where the reference stands, with a
// blank on either side, so that no token crosses their ends (section 4.4.8). Which of them are open is a stack of our own: they may name
// each other to any depth.

import { utf8Length } from '../../../text/utf8.ts'
import { shorten, UnplacedError } from '../../errors/unplaced-error.ts'
import type { EntityCounter, Expansion } from '../entity-limits.ts'
import type { ExternalEntities, ExternalRequest } from '../external.ts'
import type { ExternalText } from '../external-text.ts'
import { placeIn, type ReadText } from '../external-text.ts'

/** What is done in steps: it yields what is wanted from outside, and is sent it, or yields undefined to let others do something. */
export type Steps<Result> = Generator<ExternalRequest | undefined, Result, ExternalText>

/** A parameter entity. */
export interface ParameterEntity {
  readonly name: string
  /** The replacement text; undefined until that of an external one was asked for, null where it is not to be had. */
  content: ReadText | undefined | null
  readonly publicId: string | undefined
  readonly systemId: string | undefined
  /** The system identifier of where it was declared. */
  readonly base: string | undefined
}

/** A quoted text, and where it begins in the text that the scanner reads. */
export interface Literal {
  readonly text: string
  readonly position: number
}

/** Text that is being read. */
interface Source {
  readonly text: string
  position: number
  /** Undefined for the document and for the external subset. */
  readonly entity: ParameterEntity | undefined
  /** Whether the rules for external text hold: parameter entities in declarations, conditional sections. */
  readonly isExternal: boolean
  /** Whether it stands between declarations, and must consist of complete ones. */
  readonly isBetween: boolean
  /** The system identifier against which those in it are relative. */
  readonly base: string | undefined
}

/** Tokens that are read at once, which takes some milliseconds at the most. */
const MOST_TOKENS = 10_000

const BEGINNING = { position: 0, index: 0, bytes: 0 }

export interface ScannerOptions {
  /** Offset of the text in the document, and of its end, in bytes. */
  readonly start: number
  readonly end: number
  readonly counter: EntityCounter
  readonly externals: ExternalEntities
}

/** Reads tokens. */
export class DoctypeScanner {
  readonly parameterEntities = new Map<string, ParameterEntity>()
  /** Whether a parameter entity was referred to. */
  hasReferences = false
  /** Whether one of them was not read. */
  hasSkipped = false
  /** The text as it stands in the document. */
  readonly #written: string
  readonly #options: ScannerOptions
  #sources: Source[]
  readonly #open = new Set<ParameterEntity>()
  /** Where in the document the reference begins that opened the outermost entity. */
  #reference = 0
  /** A position in the text of the document, where that is in what was written, and how many bytes there are before it. */
  #measured = BEGINNING
  #tokens = 0

  constructor(written: string, options: ScannerOptions) {
    this.#written = written
    this.#options = options
    // Line ends are normalized before anything else (section 2.11).
    const text = written.replace(/\r\n?/g, '\n')
    this.#sources = [{ text, position: 0, entity: undefined, isExternal: false, isBetween: false, base: undefined }]
  }

  get #top(): Source {
    return this.#sources[this.#sources.length - 1] as Source
  }

  get isExternal(): boolean {
    return this.#top.isExternal
  }

  get base(): string | undefined {
    return this.#top.base
  }

  /** How many entities are open in one another. */
  get depth(): number {
    return this.#sources.length
  }

  get isAtEnd(): boolean {
    return this.#top.position === this.#top.text.length
  }

  /** The rest of the source, for a look. */
  startsWith(text: string): boolean {
    return this.#top.text.startsWith(text, this.#top.position)
  }

  get position(): number {
    return this.#top.position
  }

  slice(start: number): string {
    return this.#top.text.slice(start, this.#top.position)
  }

  /** Reads what a sticky expression matches; undefined when it does not. */
  match(expression: RegExp): string | undefined {
    const source = this.#top
    expression.lastIndex = source.position
    const found = expression.exec(source.text)?.[0]
    if (found !== undefined) source.position += found.length
    return found
  }

  /** Reads a text that must be there. */
  expect(text: string, where: string): void {
    if (!this.startsWith(text)) throw this.fault(`expected ${JSON.stringify(text)} ${where}`)
    this.#top.position += text.length
  }

  /** Reads up to and with a text; what stood before it. */
  readUntil(text: string, what: string): Literal {
    const source = this.#top
    const { position } = source
    const end = source.text.indexOf(text, position)
    if (end === -1) throw this.fault(`${what} is not closed: ${JSON.stringify(text)} is missing`)
    source.position = end + text.length
    return { text: source.text.slice(position, end), position }
  }

  /** Lets others do something, now and then. */
  *pause(): Steps<void> {
    if (++this.#tokens % MOST_TOKENS === 0) yield undefined
  }

  /** Skips white space in a declaration, and what stands for it. False when there is none. */
  *skipSpace(): Steps<boolean> {
    yield* this.pause()
    let isThere = false
    for (;;) {
      if (this.match(/[ \t\r\n]+/y) !== undefined) isThere = true
      if (this.isAtEnd && this.#top.entity && !this.#top.isBetween) {
        this.#leave()
      } else {
        const name = this.#peekReference()
        if (name === undefined) return isThere
        if (!this.#top.isExternal) {
          const message = `the parameter entity ${shorten(name)} must not be referenced inside a declaration of the internal subset`
          throw this.fault(message, 'parameter-entity', 'WFC: PEs in Internal Subset')
        }
        yield* this.enter(this.readReference(), false)
      }
      isThere = true
    }
  }

  *requireSpace(where: string): Steps<void> {
    if (!(yield* this.skipSpace())) throw this.fault(`expected white space ${where}`)
  }

  /** The name of the parameter entity that is referred to here; undefined for none. */
  #peekReference(): string | undefined {
    if (!this.startsWith('%')) return undefined
    const before = this.#top.position
    const found = this.match(/%[^\s%;"'<>&]+;?/y)
    this.#top.position = before
    return found?.slice(1).replace(/;$/, '')
  }

  /** Reads `%name;`. */
  readReference(): string {
    if (this.depth === 1) this.#reference = this.#top.position
    this.expect('%', 'before the name of a parameter entity')
    const name = this.match(/[^\s%;"'<>&[\]]+/y)
    if (name === undefined) throw this.fault('expected the name of a parameter entity after "%"')
    this.expect(';', `after %${shorten(name)}`)
    return name
  }

  /** Continues in the text of a parameter entity, and after it where the reference stood. */
  *enter(name: string, isBetween: boolean): Steps<void> {
    const entity = this.find(name)
    if (!entity) return
    const content = yield* this.read(entity)
    if (!content) return
    this.#open.add(entity)
    this.#sources.push({
      text: content.text,
      position: content.start,
      entity,
      isExternal: true,
      isBetween,
      base: entity.systemId === undefined ? this.base : joinIdentifiers(entity.base, entity.systemId),
    })
  }

  /** A parameter entity that is declared; undefined when it may be one that nobody has read. */
  find(name: string): ParameterEntity | undefined {
    this.hasReferences = true
    const entity = this.parameterEntities.get(name)
    if (entity && this.#open.has(entity)) {
      throw this.fault(`the parameter entity ${shorten(name)} refers to itself`, 'entity-loop', 'WFC: No Recursion')
    }
    if (!entity) this.hasSkipped = true
    return entity
  }

  /** The replacement text of a parameter entity; undefined if it is not available. Throws an {@link UnplacedError} or a `LimitError`. */
  *read(entity: ParameterEntity): Steps<ReadText | undefined> {
    if (entity.content === undefined)
      entity.content = (yield* this.fetch({ ...entity, name: `%${entity.name}` })) ?? null
    if (entity.content === null) {
      this.hasSkipped = true
      return undefined
    }
    this.count(entity.content.text.length, 'the parameter entity', entity.name)
    return entity.content
  }

  /** The text of something external; undefined if it is not available. Throws an {@link UnplacedError} or a `LimitError`. */
  *fetch(
    declaration: Pick<ParameterEntity, 'publicId' | 'systemId' | 'base'> & { readonly name?: string },
  ): Steps<ReadText | undefined> {
    const { externals } = this.#options
    const { offset } = this
    const request = externals.request(declaration, offset)
    return request && externals.read(yield request, request, offset)
  }

  /** Whether the text of an entity that must consist of complete declarations ends here. */
  get isAtEndOfDeclarations(): boolean {
    return this.isAtEnd && this.#top.isBetween
  }

  /** Ends the text of an entity. False when it is not at its end, or is none. */
  leave(): boolean {
    if (!this.isAtEnd || !this.#top.entity) return false
    this.#leave()
    return true
  }

  #leave(): void {
    const { entity } = this.#sources.pop() as Source
    this.#open.delete(entity as ParameterEntity)
  }

  /** Begins the external subset. */
  enterExternalSubset({ text, start }: ReadText, systemId: string): void {
    this.#sources = [{ text, position: start, entity: undefined, isExternal: true, isBetween: false, base: systemId }]
  }

  /** Counts what an entity has made in the document type. Throws a `LimitError`. */
  count(units: number, what: Expansion, name: string): void {
    const { counter, end } = this.#options
    counter.expand(units, end, what, name, () => this.offset)
  }

  /** Where the scanner is in the document; in an entity, where its outermost reference begins; in the external subset, at the start. */
  get offset(): number {
    return this.offsetOf(this.position)
  }

  /** Offset in the document of a position in the text that the scanner reads, by the rules of `offset`. */
  offsetOf(position: number): number {
    const [document] = this.#sources as [Source]
    if (document.isExternal) return this.#options.start
    return this.#options.start + this.#measure(this.depth > 1 ? this.#reference : position)
  }

  /** Bytes of the document up to a position in its text. On from the last one, which mostly is not far. */
  #measure(position: number): number {
    const last = this.#measured
    const { position: from, index: start, bytes } = position < last.position ? BEGINNING : last
    let length = position - from
    // Of CR LF nothing but LF was left.
    const written = this.#written.slice(start, start + 2 * length)
    for (let at = written.indexOf('\r\n'); at !== -1 && at < length; at = written.indexOf('\r\n', at + 2)) length++
    this.#measured = { position, index: start + length, bytes: bytes + utf8Length(written, 0, length) }
    return this.#measured.bytes
  }

  /** An error where the scanner is, or at a position in the text that it reads. */
  fault(message: string, code = 'doctype', constraint?: string, position = this.position): UnplacedError {
    return new UnplacedError(`${message}${this.#describePlace(position)}`, code, constraint, this.offsetOf(position))
  }

  /** Where in an entity that is; empty in the document. */
  #describePlace(position: number): string {
    const { entity, text, base } = this.#top
    const external = entity ? entity.systemId : base
    if (external !== undefined) return ` (in ${shorten(external)}, ${placeIn(text, position)})`
    return entity ? ` (in the parameter entity ${shorten(entity.name)})` : ''
  }
}

/** A system identifier with what it is relative to. Nothing is taken out of it: that is for those who open it. */
function joinIdentifiers(base: string | undefined, systemId: string): string {
  const isAbsolute = /^(?:[A-Za-z][A-Za-z0-9+.-]*:|[\\/])/.test(systemId)
  return base === undefined || isAbsolute ? systemId : base.slice(0, base.lastIndexOf('/') + 1) + systemId
}
