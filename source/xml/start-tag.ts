// Start tags: attributes with their values, defaults and namespaces.

import { XmlAttributes } from './attributes.ts'
import type { AttributeDeclaration, DocumentType } from './document-type.ts'
import type { Entities } from './entities.ts'
import { Fault } from './fault.ts'
import type { Name } from './names.ts'
import { makeName } from './names.ts'
import { expandedName, NamespaceScopes } from './namespaces.ts'
import { predefinedEntity, referredCharacter } from './references.ts'
import type { Sink } from './sink.ts'
import type { TapeFrame } from './tape-frame.ts'

const AMPERSAND = 0x26
const HASH = 0x23

/** A start tag. Offsets are in bytes; of what an entity brings, those of the reference. */
export interface StartTag {
  readonly name: Name
  readonly namespace: string | undefined
  readonly attributes: XmlAttributes
  readonly start: number
  /** Behind the last attribute and what is blank behind it. */
  readonly end: number
  readonly isOfEntity: boolean
}

/** An attribute as it is read, before its namespace is known. */
interface ReadAttribute {
  readonly name: Name
  readonly value: string
  readonly start: number | undefined
  readonly end: number | undefined
}

/** Reads the start tags of one document. */
export class StartTagReader {
  readonly #entities: Entities
  readonly #scopes: NamespaceScopes | undefined
  #type: DocumentType | undefined
  /** Names of attributes with defaults, which no tape has. */
  readonly #defaultNames = new Map<string, Name>()

  constructor(entities: Entities, hasNamespaces: boolean) {
    this.#entities = entities
    this.#scopes = hasNamespaces ? new NamespaceScopes() : undefined
  }

  /** Says what the document declares. */
  declare(type: DocumentType): void {
    this.#type = type
  }

  /** Forgets the namespaces that elements at this depth declared. */
  leave(depth: number): void {
    this.#scopes?.leave(depth)
  }

  /** Reads the part at which the frame stands, of an element at this depth. Throws an {@link Fault}. */
  read(frame: TapeFrame, depth: number, sink: Sink): StartTag {
    const { part, entity } = frame
    const name = frame.names.get(frame.symbolOf(frame.child))
    const start = entity ? entity.start : frame.startOf(part)
    const end = entity ? entity.end : frame.endOf(part)
    const declarations = this.#type?.attributes.get(name.raw)
    const isPlain = !declarations && !sink.wantsTag(name) && (!this.#scopes || this.#hasPlainNames(frame, name))
    if (isPlain) {
      this.#checkValues(frame)
      return {
        name,
        namespace: undefined,
        attributes: XmlAttributes.NONE,
        start,
        end,
        isOfEntity: entity !== undefined,
      }
    }
    const scopes = this.#scopes
    const isBare = !declarations && frame.child + 1 === frame.part
    if (isBare) {
      const namespace = scopes && this.#namespaceOf(name, scopes)
      return { name, namespace, attributes: XmlAttributes.NONE, start, end, isOfEntity: entity !== undefined }
    }
    const read = this.#readAttributes(frame, declarations)
    const attributes = new XmlAttributes()
    if (!scopes) {
      for (const attribute of read)
        attributes.add(attribute.name, attribute.value, undefined, attribute.start, attribute.end)
      return { name, namespace: undefined, attributes, start, end, isOfEntity: entity !== undefined }
    }
    for (const attribute of read) this.#declareNamespace(attribute, depth, scopes)
    this.#resolveAttributes(read, attributes, scopes)
    const namespace = this.#namespaceOf(name, scopes)
    return { name, namespace, attributes, start, end, isOfEntity: entity !== undefined }
  }

  /** Whether no name in the tag needs a look at namespaces. */
  #hasPlainNames(frame: TapeFrame, name: Name): boolean {
    if (!name.isPlain) return false
    for (let record = frame.child + 1; record < frame.part; record++) {
      if (frame.isName(record) && !frame.names.get(frame.symbolOf(record)).isPlain) return false
    }
    return true
  }

  /** References in values, where nobody wants the values. */
  #checkValues(frame: TapeFrame): void {
    for (let record = frame.child + 1; record < frame.part; record++) {
      if (frame.isHole(record)) this.#decodeHole(frame, record)
    }
  }

  #readAttributes(
    frame: TapeFrame,
    declarations: ReadonlyMap<string, AttributeDeclaration> | undefined,
  ): ReadAttribute[] {
    const read: ReadAttribute[] = []
    for (let record = frame.child + 1; record < frame.part; record++) {
      const name = frame.names.get(frame.symbolOf(record))
      const start = frame.entity ? undefined : frame.startOf(record)
      const literal = frame.nextLiteral(record + 1)
      const raw = this.#readValue(frame, record + 1, literal)
      const value = declarations?.get(name.raw)?.isTokenized ? collapse(raw) : raw
      read.push({ name, value, start, end: frame.entity ? undefined : frame.endOf(literal) })
      record = literal
    }
    if (declarations) this.#addDefaults(read, declarations)
    return read
  }

  #addDefaults(read: ReadAttribute[], declarations: ReadonlyMap<string, AttributeDeclaration>): void {
    const there = new Set(read.map(({ name }) => name.raw))
    for (const declaration of declarations.values()) {
      const value = declaration.default
      if (value === undefined || there.has(declaration.name)) continue
      const name = this.#defaultNames.get(declaration.name) ?? makeName(declaration.name)
      this.#defaultNames.set(declaration.name, name)
      read.push({ name, value, start: undefined, end: undefined })
    }
  }

  /** The value whose literal is given, with its holes filled. */
  #readValue(frame: TapeFrame, firstHole: number, literal: number): string {
    let from = frame.startOf(literal)
    let value = ''
    for (let hole = firstHole; hole < literal; hole++) {
      value += frame.text(from, frame.startOf(hole)) + this.#decodeHole(frame, hole)
      from = frame.endOf(hole)
    }
    return value + frame.text(from, frame.endOf(literal))
  }

  /** What a line end, a blank or a reference stands for in a value (section 3.3.3). */
  #decodeHole(frame: TapeFrame, hole: number): string {
    const start = frame.startOf(hole)
    if (frame.byteAt(start) !== AMPERSAND) return ' '
    const name = frame.text(start + 1, frame.endOf(hole) - 1)
    if (frame.byteAt(start + 1) !== HASH) return predefinedEntity(name) ?? this.#entities.expandInValue(name, start)
    const character = referredCharacter(name)
    if (character !== undefined) return character
    const message = `&${name.slice(0, 20)}; is no character of XML 1.0`
    throw new Fault(message, 'character-reference', 'WFC: Legal Character', start)
  }

  // Namespaces.

  #declareNamespace({ name, value, start }: ReadAttribute, depth: number, scopes: NamespaceScopes): void {
    if (!name.isQualified) throw nameFault(name, start)
    if (name.declares === undefined) return
    const fault = scopes.declare(name.declares, value, depth)
    if (fault) throw new Fault(fault.message, 'namespace-declaration', fault.constraint, start)
  }

  #resolveAttributes(read: readonly ReadAttribute[], attributes: XmlAttributes, scopes: NamespaceScopes): void {
    const seen = new Set<string>()
    for (const { name, value, start, end } of read) {
      const namespace = name.prefix === '' ? undefined : this.#resolve(name, scopes, start)
      attributes.add(name, value, namespace, start, end)
      if (namespace === undefined) continue
      const expanded = expandedName(name, namespace)
      if (seen.has(expanded)) {
        const message = `the attribute ${name.localName} of the namespace ${namespace} is there twice`
        throw new Fault(message, 'duplicate-attribute', 'NSC: Attributes Unique', start)
      }
      seen.add(expanded)
    }
  }

  #namespaceOf(name: Name, scopes: NamespaceScopes): string | undefined {
    if (!name.isQualified) throw nameFault(name, undefined)
    if (name.prefix === 'xmlns') {
      throw new Fault('the prefix xmlns is not for elements', 'namespace-prefix', 'Namespaces in XML, section 3')
    }
    return name.prefix === '' ? scopes.resolve('') : this.#resolve(name, scopes, undefined)
  }

  #resolve(name: Name, scopes: NamespaceScopes, start: number | undefined): string {
    const namespace = scopes.resolve(name.prefix)
    if (namespace !== undefined) return namespace
    const message = `the prefix ${name.prefix} of ${name.raw} is not declared`
    throw new Fault(message, 'undeclared-prefix', 'NSC: Prefix Declared', start)
  }
}

/** Blanks at the ends go, and several become one (section 3.3.3). */
function collapse(value: string): string {
  return value.replace(/ +/g, ' ').replace(/^ | $/g, '')
}

function nameFault(name: Name, start: number | undefined): Fault {
  const message = `the colons in ${name.raw} make it no qualified name`
  return new Fault(message, 'qualified-name', 'Namespaces in XML, section 4', start)
}
