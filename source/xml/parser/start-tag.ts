// Start tags: their attributes among the records of a frame, and what must be looked at: declarations of namespaces, names with prefixes, defaults of attributes, and references in values.

import { NodeType } from '../../machine/program/program.ts'
import type { DeclaredAttributes } from '../doctype/declared-attributes.ts'
import { doctypes } from '../doctype/doctypes.ts'
import type { DocumentType } from '../doctype/document-type.ts'
import type { Entities } from '../doctype/entities.ts'
import type { EntityCounter } from '../doctype/entity-limits.ts'
import { shorten, UnplacedError } from '../errors/unplaced-error.ts'
import { ENTRY_LENGTH, XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'
import { expandedName, NamespaceScopes, XMLNS_NAMESPACE } from '../names/namespaces.ts'
import { RECORD_WORDS, type TapeFrame } from '../tape/tape-frame.ts'
import type { XmlTape } from '../tape/xml-tape.ts'
import type { ToSource } from './consumer.ts'

/** The attributes of a tag: lists of the same length, and two offsets for each that stands in the document. */
interface ReadAttributes {
  readonly names: Name[]
  readonly values: string[]
  readonly offsets: number[]
}

/** Inspects the start tags of one document. */
export class StartTagReader {
  /** What declarations hold; undefined where namespaces are off. */
  readonly scopes: NamespaceScopes | undefined
  readonly #entities: Entities
  readonly #counter: EntityCounter
  readonly #toSource: ToSource | undefined
  /** Undefined if nothing is declared of attributes. */
  #declarations: DeclaredAttributes | undefined

  /** `toSource` maps offsets for those who get them; undefined where they are the same. */
  constructor(entities: Entities, counter: EntityCounter, hasNamespaces: boolean, toSource: ToSource | undefined) {
    this.#entities = entities
    this.#counter = counter
    this.#toSource = toSource
    this.scopes = hasNamespaces ? new NamespaceScopes() : undefined
  }

  /** Says what the document declares. */
  declare(type: DocumentType): void {
    if (type.attributes.size > 0) this.#declarations = new doctypes.required.DeclaredAttributes(type)
  }

  /** Whether elements and attributes of this name never need inspection. */
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

  /** The depth of the innermost element that declares a namespace; 0 where none does. */
  get declaredDepth(): number {
    return this.scopes?.depth ?? 0
  }

  /** Forgets the namespaces that elements at this depth declared. */
  leave(depth: number): void {
    this.scopes?.leave(depth)
  }

  /** Whether the records of the tag at which the frame stands say all that there is to say of it. Throws an {@link UnplacedError}. */
  isPlain(frame: TapeFrame): boolean {
    for (let record = frame.first; record < frame.part; record++) {
      if (frame.isName(record)) {
        const name = frame.nameOf(record)
        if (!this.isPassable(name) && !this.isPassableInScope(name)) return false
      } else if (frame.isHole(record) && frame.isReference(record) && frame.standsFor(record) === undefined) {
        return false
      }
    }
    return true
  }

  /** Checks the tag at which the frame stands, of an element at this depth, and settles what its records do not say. Throws an {@link UnplacedError}. */
  settle(frame: TapeFrame, depth: number): void {
    const name = frame.nameOf(frame.first)
    const { scopes } = this
    const read = this.#readAttributes(frame, name.raw)
    const namespaces = scopes && this.#resolveAttributes(read, depth, scopes)
    if (scopes) this.#checkNamespace(name, scopes)
    const { names, values, offsets } = read
    const entries = names.flatMap(({ raw }, i) => {
      return [raw, values[i], this.#inSource(offsets[2 * i]), this.#inSource(offsets[2 * i + 1])]
    })
    frame.settled = { tag: frame.part, attributes: new XmlAttributes(entries, namespaces) }
  }

  /** An offset as it is reported. */
  #inSource(offset: number | undefined): number | undefined {
    return offset === undefined ? undefined : (this.#toSource?.(offset) ?? offset)
  }

  #readAttributes(frame: TapeFrame, element: string): ReadAttributes {
    const read: ReadAttributes = { names: [], values: [], offsets: [] }
    const { names, values, offsets } = read
    const expand = (name: string, hole: number) => this.#entities.expandInValue(name, frame.place(frame.startOf(hole)))
    for (let record = frame.first + 1; record < frame.part; record++) {
      const name = frame.nameOf(record)
      const literal = frame.nextLiteral(record + 1)
      names.push(name)
      values.push(frame.valueOf(literal, record + 1, expand))
      if (!frame.entity) offsets.push(frame.startOf(record), frame.endOf(literal))
      record = literal
    }
    const units = this.#declarations?.apply(element, names, values) ?? 0
    if (units > 0) this.#counter.expand(units, frame.place(frame.start), 'attribute defaults of the element', element)
    return read
  }

  /** Checks the references in the values of a tag that has no end. Throws an {@link UnplacedError}. */
  checkOpen(frame: TapeFrame): void {
    for (let record = 0; record < frame.count; record++) {
      if (!frame.isHole(record) || !frame.isReference(record) || frame.standsFor(record) !== undefined) continue
      this.#entities.expandInValue(frame.referenceName(record), frame.startOf(record))
    }
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
      if (fault) throw new UnplacedError(fault.message, 'namespace-declaration', fault.constraint, offsets[2 * i])
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
        throw new UnplacedError(message, 'duplicate-attribute', 'NSC: Attributes Unique', offsets[2 * i])
      }
      seen.add(expanded)
    }
    return namespaces
  }

  /** Checks that the name of an element may be in the namespace that it is in. */
  #checkNamespace(name: Name, scopes: NamespaceScopes): void {
    if (!name.isQualified) throw nameFault(name, undefined)
    if (name.prefix === 'xmlns') {
      throw new UnplacedError(
        'the prefix xmlns is not allowed in element names',
        'namespace-prefix',
        'Namespaces in XML, section 3',
      )
    }
    if (name.prefix !== '') this.#resolve(name, scopes, undefined)
  }

  #resolve(name: Name, scopes: NamespaceScopes, start: number | undefined): string {
    const namespace = scopes.resolve(name.prefix)
    if (namespace !== undefined) return namespace
    const message = `the prefix ${shorten(name.prefix)} of ${shorten(name.raw)} is not declared`
    throw new UnplacedError(message, 'undeclared-prefix', 'NSC: Prefix Declared', start)
  }
}

function nameFault(name: Name, start: number | undefined): UnplacedError {
  const message = `misplaced colon in ${shorten(name.raw)}`
  return new UnplacedError(message, 'qualified-name', 'Namespaces in XML, section 4', start)
}

/**
 * The attributes of the tag whose records are these: that of its name, and its own, with names and values between them. `scopes` has the declarations that hold
 * there; undefined where namespaces are off. Throws a `StringTooLong`.
 */
export function readAttributes(
  frame: TapeFrame,
  nameRecord: number,
  tag: number,
  scopes: NamespaceScopes | undefined,
  toSource: ToSource | undefined,
): XmlAttributes {
  if (frame.settled?.tag === tag) return frame.settled.attributes
  if (nameRecord + 1 === tag) return XmlAttributes.NONE
  const { words, types, entity } = frame
  let count = 0
  for (let record = nameRecord + 1; record < tag; record++) {
    if (((words[record * RECORD_WORDS] as number) & 255) === types.name) count++
  }
  // An array that grows has room for sixteen at once.
  const entries = new Array<string | number | undefined>(count * ENTRY_LENGTH)
  let namespaces: (string | undefined)[] | undefined
  let name = 0
  for (let record = nameRecord + 1, at = 0; record < tag; record++) {
    const type = (words[record * RECORD_WORDS] as number) & 255
    if (type === types.name) {
      name = record
    } else if (type === NodeType.LITERAL) {
      const attribute = frame.nameOf(name)
      entries[at] = attribute.raw
      entries[at + 1] = frame.valueOf(record, name + 1)
      if (!entity) {
        const [start, end] = [frame.startOf(name), frame.endOf(record)]
        entries[at + 2] = toSource ? toSource(start) : start
        entries[at + 3] = toSource ? toSource(end) : end
      }
      const namespace = scopes?.ofAttribute(attribute)
      if (namespace !== undefined) {
        namespaces ??= new Array<string | undefined>(count).fill(undefined)
        namespaces[at / ENTRY_LENGTH] = namespace
      }
      at += ENTRY_LENGTH
    }
  }
  return new XmlAttributes(entries, namespaces)
}

/** Names in tags that need no inspection the next time. */
export class PassedNames {
  readonly #tape: XmlTape
  readonly #tags: StartTagReader
  /** Symbols of names with prefixes that need no inspection as long as the same declarations hold, which this number stands for. */
  readonly #inScope: number[] = []
  #scopesVersion = 0

  constructor(tape: XmlTape, tags: StartTagReader) {
    this.#tape = tape
    this.#tags = tags
  }

  /** Adds the names in the tag that was inspected. */
  add(frame: TapeFrame): void {
    for (let record = frame.part - 1; record >= frame.first; record--) {
      if (!frame.isName(record)) continue
      const symbol = frame.symbolOf(record)
      const name = frame.names.get(symbol)
      if (this.#tags.isPassable(name)) {
        this.#tape.passName(symbol)
      } else if (this.#tags.isPassableInScope(name)) {
        this.#tape.passName(symbol)
        this.#inScope.push(symbol)
      }
    }
  }

  /** Names with prefixes need inspection again when other declarations hold. */
  followScopes(): void {
    if (this.#tags.scopesVersion === this.#scopesVersion) return
    this.#scopesVersion = this.#tags.scopesVersion
    for (const symbol of this.#inScope) this.#tape.passName(symbol, false)
    this.#inScope.length = 0
  }
}
