// Start tags: attributes with their values, defaults and namespaces.

import { concatText } from '../../text/units.ts'
import { type AttributeDeclaration, collapse, type DocumentType } from '../doctype/document-type.ts'
import type { Entities } from '../doctype/entities.ts'
import type { EntityCounter } from '../doctype/entity-limits.ts'
import { Fault, shorten } from '../errors/fault.ts'
import { ENTRY_LENGTH, XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'
import { makeName } from '../names/names.ts'
import { expandedName, NamespaceScopes, XMLNS_NAMESPACE } from '../names/namespaces.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import { predefinedEntity, referredCharacter } from '../text/references.ts'
import type { ContentHandler, ToSource } from './sink.ts'

const AMPERSAND = 0x26
const HASH = 0x23

/** A start tag. Offsets are in bytes; of what an entity brings, those of the reference. */
export interface StartTag {
  readonly name: Name
  readonly namespace: string | undefined
  readonly attributes: XmlAttributes
  readonly start: number
  /** After the last attribute and the blanks after it. */
  readonly end: number
  readonly isOfEntity: boolean
}

/** The attributes of a tag: lists of the same length, and two offsets for each that stands in the document. */
interface ReadAttributes {
  readonly names: Name[]
  readonly values: string[]
  readonly offsets: number[]
}

/** What is declared of the attributes of an element. */
interface DeclaredAttributes {
  readonly byName: ReadonlyMap<string, AttributeDeclaration>
  readonly defaults: readonly DefaultAttribute[]
}

interface DefaultAttribute {
  readonly name: Name
  readonly value: string
  /** What it adds to a tag: ` name="value"`. */
  readonly units: number
}

/** Reads the start tags of one document. */
export class StartTagReader {
  /** What declarations hold; undefined where namespaces are off. */
  readonly scopes: NamespaceScopes | undefined
  readonly #entities: Entities
  readonly #counter: EntityCounter
  readonly #toSource: ToSource | undefined
  /** By the names of elements; undefined where there are none. */
  #declarations: ReadonlyMap<string, DeclaredAttributes> | undefined

  /** `toSource` maps offsets for those who get them; undefined where they are the same. */
  constructor(entities: Entities, counter: EntityCounter, hasNamespaces: boolean, toSource: ToSource | undefined) {
    this.#entities = entities
    this.#counter = counter
    this.#toSource = toSource
    this.scopes = hasNamespaces ? new NamespaceScopes() : undefined
  }

  /** Says what the document declares. */
  declare({ attributes }: DocumentType): void {
    if (attributes.size === 0) return
    this.#declarations = new Map(
      Array.from(attributes, ([element, byName]) => [element, { byName, defaults: defaultsOf(byName) }]),
    )
  }

  /** Whether elements and attributes of this name never need inspection, when nobody wants them. */
  isPassable(name: Name): boolean {
    return (!this.scopes || name.isPlain) && !this.#declarations?.has(name.raw)
  }

  /** Whether they need none as long as `scopesVersion` is what it is. */
  isPassableInScope(name: Name): boolean {
    const isSafe = name.declares === undefined && this.scopes?.isSafe(name.prefix) === true
    return name.isQualified && isSafe && !this.#declarations?.has(name.raw)
  }

  /** Changes with each declaration of a namespace that begins or ends to hold. */
  get scopesVersion(): number {
    return this.scopes?.version ?? 0
  }

  /** Forgets the namespaces that elements at this depth declared. */
  leave(depth: number): void {
    this.scopes?.leave(depth)
  }

  /** Reads the part at which the frame stands, of an element at this depth. Throws an {@link Fault}. */
  read(frame: TapeFrame, depth: number, sink: ContentHandler): StartTag {
    const { part, entity } = frame
    const name = frame.names.get(frame.symbolOf(frame.child))
    const start = entity ? entity.start : frame.startOf(part)
    const end = entity ? entity.end : frame.endOf(part)
    const declarations = this.#declarations?.get(name.raw)
    const scopes = this.scopes
    if (!declarations && frame.child + 1 === frame.part) {
      const namespace = scopes && this.#namespaceOf(name, scopes)
      return { name, namespace, attributes: XmlAttributes.NONE, start, end, isOfEntity: entity !== undefined }
    }
    if (!declarations && !sink.wantsTag(name) && (!this.scopes || this.#hasPlainNames(frame, name))) {
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
    const read = this.#readAttributes(frame, declarations)
    const { names, values, offsets } = read
    const entries = new Array<string | number | undefined>(names.length * ENTRY_LENGTH)
    let needsNamespaces = false
    for (let i = 0, at = 0; i < names.length; i++) {
      const { raw, prefix, isPlain } = names[i] as Name
      needsNamespaces ||= !isPlain || prefix !== ''
      entries[at++] = raw
      entries[at++] = values[i]
      entries[at++] = this.#inSource(offsets[2 * i])
      entries[at++] = this.#inSource(offsets[2 * i + 1])
    }
    let namespaces: (string | undefined)[] | undefined
    let namespace: string | undefined
    if (scopes) {
      if (needsNamespaces) namespaces = this.#resolveAttributes(read, depth, scopes)
      namespace = this.#namespaceOf(name, scopes)
    }
    return {
      name,
      namespace,
      attributes: new XmlAttributes(entries, namespaces),
      start,
      end,
      isOfEntity: entity !== undefined,
    }
  }

  /** An offset as it is reported. */
  #inSource(offset: number | undefined): number | undefined {
    return offset === undefined ? undefined : (this.#toSource?.(offset) ?? offset)
  }

  /** Whether no name in the tag needs inspection at namespaces. */
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

  #readAttributes(frame: TapeFrame, declarations: DeclaredAttributes | undefined): ReadAttributes {
    const count = frame.countNames(frame.child + 1)
    const names = new Array<Name>(count)
    const values = new Array<string>(count)
    const offsets = frame.entity ? [] : new Array<number>(2 * count)
    for (let record = frame.child + 1, i = 0; record < frame.part; record++, i++) {
      const name = frame.names.get(frame.symbolOf(record))
      const literal = frame.nextLiteral(record + 1)
      const value = this.#readValue(frame, record + 1, literal)
      names[i] = name
      values[i] = declarations?.byName.get(name.raw)?.isTokenized ? collapse(value) : value
      if (!frame.entity) {
        offsets[2 * i] = frame.startOf(record)
        offsets[2 * i + 1] = frame.endOf(literal)
      }
      record = literal
    }
    const read = { names, values, offsets }
    if (declarations && declarations.defaults.length > 0) this.#addDefaults(read, declarations.defaults, frame)
    return read
  }

  #addDefaults({ names, values }: ReadAttributes, defaults: readonly DefaultAttribute[], frame: TapeFrame): void {
    const there = new Set(names.map(({ raw }) => raw))
    let units = 0
    for (const { name, value, units: own } of defaults) {
      if (there.has(name.raw)) continue
      names.push(name)
      values.push(value)
      units += own
    }
    const element = frame.names.get(frame.symbolOf(frame.child)).raw
    const place = frame.entity ? frame.entity.start : frame.start
    this.#counter.expand(units, place, 'attribute defaults of the element', element)
  }

  /** The value whose literal is given, with its holes filled. */
  #readValue(frame: TapeFrame, firstHole: number, literal: number): string {
    const known = frame.transcribed(literal)
    if (known !== undefined) return known
    let from = frame.startOf(literal)
    let value = ''
    for (let hole = firstHole; hole < literal; hole++) {
      value = concatText(value, frame.text(from, frame.startOf(hole)))
      value = concatText(value, this.#decodeHole(frame, hole))
      from = frame.endOf(hole)
    }
    return concatText(value, frame.text(from, frame.endOf(literal)))
  }

  /** What a line end, a blank or a reference stands for in a value (section 3.3.3). */
  #decodeHole(frame: TapeFrame, hole: number): string {
    const start = frame.startOf(hole)
    // A carriage return in an entity's text was referred to: it is a character of its own.
    if (frame.byteAt(start) !== AMPERSAND) return frame.entity ? ' '.repeat(frame.endOf(hole) - start) : ' '
    const name = frame.text(start + 1, frame.endOf(hole) - 1)
    const place = frame.entity ? frame.entity.start : start
    if (frame.byteAt(start + 1) !== HASH) return predefinedEntity(name) ?? this.#entities.expandInValue(name, place)
    const character = referredCharacter(name)
    if (character !== undefined) return character
    const message = `&${shorten(name)}; is not a character that XML 1.0 allows`
    throw new Fault(message, 'character-reference', 'WFC: Legal Character', place)
  }

  /** Checks the references in the values of a tag that has no end. Throws a {@link Fault}. */
  checkOpen(frame: TapeFrame): void {
    for (let record = 0; record < frame.count; record++) if (frame.isHole(record)) this.#decodeHole(frame, record)
  }

  // Namespaces.

  /** Declares what the attributes declare, and finds the namespaces of those with prefixes. */
  #resolveAttributes(
    { names, values, offsets }: ReadAttributes,
    depth: number,
    scopes: NamespaceScopes,
  ): (string | undefined)[] {
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as Name
      if (!name.isQualified) throw nameFault(name, offsets[2 * i])
      if (name.declares === undefined) continue
      const fault = scopes.declare(name.declares, values[i] as string, depth)
      if (fault) throw new Fault(fault.message, 'namespace-declaration', fault.constraint, offsets[2 * i])
    }
    const namespaces = new Array<string | undefined>(names.length).fill(undefined)
    // Two attributes are the same only where both have prefixes.
    let first = -1
    let seen: Set<string> | undefined
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as Name
      // By definition, `xmlns` is in the namespace of declarations although it has no prefix (section 3).
      if (name.raw === 'xmlns') namespaces[i] = XMLNS_NAMESPACE
      if (name.prefix === '') continue
      const namespace = this.#resolve(name, scopes, offsets[2 * i])
      namespaces[i] = namespace
      if (first === -1) {
        first = i
        continue
      }
      seen ??= new Set([expandedName(names[first] as Name, namespaces[first] as string)])
      const expanded = expandedName(name, namespace)
      if (seen.has(expanded)) {
        const message = `duplicate attribute ${shorten(name.localName)} in the namespace ${shorten(namespace)}`
        throw new Fault(message, 'duplicate-attribute', 'NSC: Attributes Unique', offsets[2 * i])
      }
      seen.add(expanded)
    }
    return namespaces
  }

  #namespaceOf(name: Name, scopes: NamespaceScopes): string | undefined {
    if (!name.isQualified) throw nameFault(name, undefined)
    if (name.prefix === 'xmlns') {
      throw new Fault(
        'the prefix xmlns is not allowed in element names',
        'namespace-prefix',
        'Namespaces in XML, section 3',
      )
    }
    return name.prefix === '' ? scopes.default : this.#resolve(name, scopes, undefined)
  }

  #resolve(name: Name, scopes: NamespaceScopes, start: number | undefined): string {
    const namespace = scopes.resolve(name.prefix)
    if (namespace !== undefined) return namespace
    const message = `the prefix ${shorten(name.prefix)} of ${shorten(name.raw)} is not declared`
    throw new Fault(message, 'undeclared-prefix', 'NSC: Prefix Declared', start)
  }
}

/** Those attributes that are there where no tag has them. */
function defaultsOf(declarations: ReadonlyMap<string, AttributeDeclaration>): DefaultAttribute[] {
  const defaults: DefaultAttribute[] = []
  for (const { name, default: value } of declarations.values()) {
    if (value !== undefined) defaults.push({ name: makeName(name), value, units: name.length + value.length + 4 })
  }
  return defaults
}

function nameFault(name: Name, start: number | undefined): Fault {
  const message = `misplaced colon in ${shorten(name.raw)}`
  return new Fault(message, 'qualified-name', 'Namespaces in XML, section 4', start)
}
