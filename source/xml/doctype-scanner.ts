// The text of a document type declaration, with the parameter entities that it refers to: they come where the reference stands, with a
// blank on either side, so that no token crosses their ends (section 4.4.8). Which of them are open is a stack of our own: they may name
// each other to any depth.

import { LimitError } from '../stream/errors.ts'
import type { EntityLimits } from './entities.ts'
import type { ExternalRequest } from './external.ts'
import { Fault } from './fault.ts'

const encoder = new TextEncoder()

/** A parameter entity. */
export interface ParameterEntity {
  readonly name: string
  /** The replacement text; undefined until that of an external one was asked for. */
  text: string | undefined
  readonly publicId: string | undefined
  readonly systemId: string | undefined
  /** The system identifier of where it was declared. */
  readonly base: string | undefined
}

/** Text that is being read. */
interface Source {
  readonly text: string
  position: number
  /** Undefined for the document and for the external subset. */
  readonly entity: ParameterEntity | undefined
  /** Whether the rules for external text hold: parameter entities in declarations, conditional sections. */
  readonly isExternal: boolean
  /** Whether it stands between declarations, and has to consist of whole ones. */
  readonly isBetween: boolean
  /** The system identifier against which those in it are relative. */
  readonly base: string | undefined
}

/** Text of an external entity is wanted: the declaration is read again when it has come. */
export class ExternalWanted extends Error {
  readonly request: ExternalRequest
  readonly entity: ParameterEntity

  constructor(entity: ParameterEntity) {
    super('text of an external entity is wanted')
    this.entity = entity
    this.request = { publicId: entity.publicId, systemId: entity.systemId as string, base: entity.base }
  }
}

/** What a scanner may be put back to. */
export interface ScannerState {
  readonly sources: readonly Source[]
  readonly positions: readonly number[]
}

/** Reads tokens. */
export class DoctypeScanner {
  readonly parameterEntities = new Map<string, ParameterEntity>()
  /** Whether a parameter entity was referred to. */
  hasReferences = false
  /** Whether one of them was not read. */
  hasSkipped = false
  readonly #start: number
  readonly #limits: EntityLimits
  #sources: Source[]
  #expanded = 0
  #input: number

  /** `start` is the offset of the text in the document, in bytes. */
  constructor(text: string, start: number, limits: EntityLimits) {
    this.#start = start
    this.#limits = limits
    this.#input = start + text.length
    this.#sources = [{ text, position: 0, entity: undefined, isExternal: false, isBetween: false, base: undefined }]
  }

  get #top(): Source {
    return this.#sources.at(-1) as Source
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

  save(): ScannerState {
    return { sources: [...this.#sources], positions: this.#sources.map(({ position }) => position) }
  }

  restore({ sources, positions }: ScannerState): void {
    this.#sources = [...sources]
    this.#sources.forEach((source, i) => {
      source.position = positions[i] as number
    })
  }

  /** Reads what a sticky expression matches; undefined when it does not. */
  match(expression: RegExp): string | undefined {
    const source = this.#top
    expression.lastIndex = source.position
    const found = expression.exec(source.text)?.[0]
    if (found !== undefined) source.position += found.length
    return found
  }

  /** Reads a text that has to be there. */
  expect(text: string, where: string): void {
    if (!this.startsWith(text)) throw this.fault(`expected ${JSON.stringify(text)} ${where}`)
    this.#top.position += text.length
  }

  /** Reads up to and with a text; what stood before it. */
  readUntil(text: string, what: string): string {
    const source = this.#top
    const end = source.text.indexOf(text, source.position)
    if (end === -1) throw this.fault(`${what} has no end: ${JSON.stringify(text)} is missing`)
    const read = source.text.slice(source.position, end)
    source.position = end + text.length
    return read
  }

  /** Skips white space in a declaration, and what stands for it. False when there is none. */
  skipSpace(): boolean {
    let isThere = false
    for (;;) {
      if (this.match(/[ \t\r\n]+/y) !== undefined) isThere = true
      if (this.isAtEnd && this.#top.entity && !this.#top.isBetween) {
        this.#sources.pop()
      } else {
        const name = this.#peekReference()
        if (name === undefined) return isThere
        if (!this.#top.isExternal) {
          const message = `the parameter entity ${name} must not be referred to in a declaration of the internal subset`
          throw this.fault(message, 'parameter-entity', 'WFC: PEs in Internal Subset')
        }
        this.enter(this.readReference(), false)
      }
      isThere = true
    }
  }

  requireSpace(where: string): void {
    if (!this.skipSpace()) throw this.fault(`expected white space ${where}`)
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
    this.expect('%', 'before the name of a parameter entity')
    const name = this.match(/[^\s%;"'<>&[\]]+/y)
    if (name === undefined) throw this.fault('expected the name of a parameter entity behind "%"')
    this.expect(';', `behind %${name}`)
    return name
  }

  /** Goes on in the text of a parameter entity, and behind it where the reference stood. */
  enter(name: string, isBetween: boolean): void {
    const entity = this.find(name)
    if (!entity) return
    const text = this.textOf(entity)
    if (text === undefined) return
    this.#sources.push({
      text,
      position: 0,
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
    if (entity && this.#sources.some((source) => source.entity === entity)) {
      throw this.fault(`the parameter entity ${name} refers to itself`, 'entity-loop', 'WFC: No Recursion')
    }
    if (!entity) this.hasSkipped = true
    return entity
  }

  /** The text of a parameter entity; undefined where it is not to be had. Throws {@link ExternalWanted} where it may be. */
  textOf(entity: ParameterEntity): string | undefined {
    if (entity.text === undefined) throw new ExternalWanted(entity)
    if (entity.text === UNREAD) {
      this.hasSkipped = true
      return undefined
    }
    this.count(entity.text.length)
    return entity.text
  }

  /** Whether the text of an entity ends here that has to consist of whole declarations. */
  get isAtEndOfDeclarations(): boolean {
    return this.isAtEnd && this.#top.isBetween
  }

  /** Ends the text of an entity. False when it is not at its end, or is none. */
  leave(): boolean {
    if (!this.isAtEnd || !this.#top.entity) return false
    this.#sources.pop()
    return true
  }

  /** Begins the external subset. */
  enterExternalSubset(text: string, systemId: string): void {
    this.#input += text.length
    this.#sources = [{ text, position: 0, entity: undefined, isExternal: true, isBetween: false, base: systemId }]
  }

  /** Notes that text came from outside. */
  countInput(text: string): void {
    this.#input += text.length
  }

  /** Counts what an entity has made in the document type. Throws a `LimitError`. */
  count(units: number): void {
    this.#expanded += units
    const { freeExpansion, maxAmplification } = this.#limits
    if (this.#expanded <= freeExpansion || this.#expanded <= maxAmplification * this.#input) return
    const message = `entities in the document type have made ${this.#expanded} units of text of ${this.#input}: more than ${maxAmplification} times as much (maxAmplification)`
    throw new LimitError(message, { code: 'entity-limit', byteOffset: this.offset, limit: maxAmplification })
  }

  /** Where the scanner is in the document; in an entity, where its outermost reference ends; in the external subset, at the start. */
  get offset(): number {
    const [document] = this.#sources as [Source]
    if (document.isExternal) return this.#start
    return this.#start + encoder.encode(document.text.slice(0, document.position)).length
  }

  /** A fault where the scanner is. */
  fault(message: string, code = 'doctype', constraint?: string): Fault {
    const entity = this.#sources.findLast((source) => source.entity)?.entity
    const where = entity ? ` (in the parameter entity ${entity.name})` : ''
    return new Fault(`${message}${where}`, code, constraint, this.offset)
  }
}

/** A system identifier with what it is relative to. Nothing is taken out of it: that is for those who open it. */
function joinIdentifiers(base: string | undefined, systemId: string): string {
  const isAbsolute = /^(?:[A-Za-z][A-Za-z0-9+.-]*:|[\\/])/.test(systemId)
  return base === undefined || isAbsolute ? systemId : base.slice(0, base.lastIndexOf('/') + 1) + systemId
}

/** The text of an entity that is not to be had. */
export const UNREAD = '\0'
