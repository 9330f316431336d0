// The document type declaration (XML 1.0, sections 2.8, 3.2 to 3.4, 4.2, 4.7). By hand, production by production: parameter entities
// bring text anywhere, and a grammar reads one text. Each method is named after its production, whose number stands beside it. They are
// generators, since nearly everywhere text may be wanted from outside, and since a declaration may be of any length.

import { isName } from '../../../text/markup/xml-characters.ts'
import { limitLength } from '../../../text/units.ts'
import { shorten, UnplacedError } from '../../errors/unplaced-error.ts'
import { standsFor } from '../../text/references.ts'
import {
  type AttributeDeclaration,
  type DocumentType,
  type EntityDeclaration,
  type EntityRules,
  findEntity,
} from '../document-type.ts'
import type { ExternalRequest } from '../external.ts'
import type { ExternalText } from '../external-text.ts'
import { type AttributeContext, readAttributeDefinition } from './attribute-list.ts'
import { readContentSpecification } from './content-model.ts'
import { DoctypeScanner, type Literal, type ScannerOptions, type Steps } from './doctype-scanner.ts'
import { DoctypeTokens, type ExternalId } from './doctype-tokens.ts'
import { expandValue, readEntityValue } from './literal-values.ts'

/** How a document type is to be read. */
export interface DoctypeOptions extends ScannerOptions {
  readonly namespaces: boolean
  readonly isStandalone: boolean
  readonly known: EntityRules['known']
  /** Called for each reference in a default that is left out, with its place in the document. */
  readonly onSkip: (name: string, byteOffset: number) => void
}

/** What a declaration says of an entity. */
interface DeclaredEntity {
  readonly name: string
  readonly isParameter: boolean
  readonly text: string | undefined
  readonly notation: string | undefined
  readonly id: ExternalId | undefined
}

/** Reads one declaration in steps: it may want text from outside, and may be long. */
export class DoctypeReader {
  /** Where it lies in the document, in bytes. */
  readonly start: number
  readonly end: number
  /** What is wanted after `resolve`. */
  request: ExternalRequest | undefined
  readonly #steps: Steps<DocumentType>
  #type: DocumentType | undefined

  constructor(text: string, options: DoctypeOptions) {
    this.start = options.start
    this.end = options.end
    this.#steps = new DoctypeParser(text, options).read()
  }

  /**
   * Continues, with the answer to the last request: until something is needed from outside, or to the end. `part` only lets other work run. Throws a
   * `UnplacedError` or a `LimitError`.
   */
  advance(answer: ExternalText): 'resolve' | 'part' | 'done' {
    const { done, value } = this.#steps.next(answer)
    this.request = done ? undefined : value
    if (done) this.#type = value
    return done ? 'done' : value ? 'resolve' : 'part'
  }

  /** What it says, at the end. */
  get type(): DocumentType {
    return this.#type as DocumentType
  }
}

/** Reads `<!DOCTYPE …>`. */
class DoctypeParser implements AttributeContext {
  readonly #scanner: DoctypeScanner
  readonly #tokens: DoctypeTokens
  readonly #options: DoctypeOptions
  readonly #entities = new Map<string, EntityDeclaration>()
  readonly #attributes = new Map<string, Map<string, AttributeDeclaration>>()
  /** How many conditional sections are open, and in how many entities each began. */
  readonly #sections: number[] = []
  #hasExternalSubset = false

  constructor(text: string, options: DoctypeOptions) {
    this.#scanner = new DoctypeScanner(text, options)
    this.#tokens = new DoctypeTokens(this.#scanner, options.namespaces)
    this.#options = options
  }

  /** [28] doctypedecl. Throws an {@link UnplacedError} or a `LimitError`. */
  *read(): Steps<DocumentType> {
    const scanner = this.#scanner
    scanner.expect('<!DOCTYPE', 'at the start')
    yield* scanner.requireSpace('after <!DOCTYPE')
    const name = this.#tokens.qualifiedName('of the root element')
    const hasSpace = yield* scanner.skipSpace()
    const id = hasSpace ? yield* this.#tokens.externalId(false) : undefined
    const { publicId, systemId } = id ?? { publicId: undefined, systemId: undefined }
    this.#hasExternalSubset = systemId !== undefined
    yield* scanner.skipSpace()
    let internalSubset: string | undefined
    if (scanner.startsWith('[')) {
      scanner.expect('[', '')
      const start = scanner.position
      yield* this.#subset()
      internalSubset = scanner.slice(start)
      scanner.expect(']', 'after the internal subset')
      yield* scanner.skipSpace()
    }
    scanner.expect('>', 'at the end of the document type declaration')
    if (systemId !== undefined) yield* this.#externalSubset(publicId, systemId)
    const [entities, attributes, hasUnreadDeclarations] = [this.#entities, this.#attributes, this.#mayBeUndeclared]
    return { name, publicId, systemId, internalSubset, entities, attributes, hasUnreadDeclarations }
  }

  *#externalSubset(publicId: string | undefined, systemId: string): Steps<void> {
    const scanner = this.#scanner
    const content = yield* scanner.fetch({ publicId, systemId, base: undefined })
    if (!content) return
    scanner.enterExternalSubset(content, systemId)
    yield* this.#subset()
    if (!scanner.isAtEnd) throw scanner.fault('expected a declaration in the external subset')
    if (this.#sections.length > 0) throw scanner.fault('a conditional section is not closed')
  }

  /** [28b] intSubset, [31] extSubsetDecl: to "]" or to the end. */
  *#subset(): Steps<void> {
    const scanner = this.#scanner
    for (;;) {
      yield* scanner.pause()
      scanner.match(/[ \t\r\n]+/y)
      if (scanner.isAtEndOfDeclarations && (this.#sections.at(-1) ?? 0) >= scanner.depth) {
        throw scanner.fault('a conditional section must end in the entity in which it begins')
      }
      if (scanner.leave()) continue
      if (scanner.isAtEnd) return
      if (this.#endSection()) continue
      if (scanner.startsWith(']') && !scanner.isExternal) return
      if (scanner.startsWith('%')) yield* scanner.enter(scanner.readReference(), true)
      else yield* this.#markupDeclaration()
    }
  }

  /** [29] markupdecl, [61] conditionalSect. */
  *#markupDeclaration(): Steps<void> {
    const scanner = this.#scanner
    if (scanner.startsWith('<!--')) this.#comment()
    else if (scanner.startsWith('<?')) this.#instruction()
    else if (scanner.startsWith('<![') && scanner.isExternal) yield* this.#conditionalSection()
    else if (scanner.startsWith('<!ELEMENT')) yield* this.#elementDeclaration()
    else if (scanner.startsWith('<!ATTLIST')) yield* this.#attributeListDeclaration()
    else if (scanner.startsWith('<!ENTITY')) yield* this.#entityDeclaration()
    else if (scanner.startsWith('<!NOTATION')) yield* this.#notationDeclaration()
    else throw scanner.fault('expected a declaration, a comment, a processing instruction, a parameter entity or "]"')
  }

  /** [15] */
  #comment(): void {
    this.#scanner.expect('<!--', '')
    this.#scanner.readUntil('--', 'a comment')
    this.#scanner.expect('>', 'after "--", which is not allowed in comments')
  }

  /** [16] */
  #instruction(): void {
    const scanner = this.#scanner
    scanner.expect('<?', '')
    const { position } = scanner
    const target = scanner.match(/[^\s?<>]+/y) ?? ''
    if (!isName(target)) {
      throw scanner.fault('expected the target of a processing instruction', undefined, undefined, position)
    }
    if (target.toLowerCase() === 'xml') {
      throw scanner.fault(`the target ${target} is reserved`, 'reserved-target', undefined, position)
    }
    this.#tokens.requireNoColon(target, 'a target', position)
    if (!scanner.startsWith('?>') && scanner.match(/[ \t\r\n]/y) === undefined) {
      throw scanner.fault('expected white space or "?>" after the target of a processing instruction')
    }
    scanner.readUntil('?>', 'a processing instruction')
  }

  // Conditional sections.

  /** [61] to [65] */
  *#conditionalSection(): Steps<void> {
    const scanner = this.#scanner
    scanner.expect('<![', '')
    yield* scanner.skipSpace()
    const keyword = scanner.match(/INCLUDE|IGNORE/y)
    if (keyword === undefined) throw scanner.fault('expected INCLUDE or IGNORE')
    yield* scanner.skipSpace()
    scanner.expect('[', `after ${keyword}`)
    if (keyword === 'INCLUDE') {
      this.#sections.push(scanner.depth)
      return
    }
    for (let depth = 1; depth > 0; ) {
      yield* scanner.pause()
      const found = scanner.match(/[^<\]]+|<!\[|\]\]>|[<\]]/y)
      if (found === undefined) throw scanner.fault('an ignored section is not closed: "]]>" is missing')
      if (found === '<![') depth++
      if (found === ']]>') depth--
    }
  }

  /** Whether a section that is included ends here. */
  #endSection(): boolean {
    if (!this.#scanner.startsWith(']]>') || this.#sections.length === 0) return false
    this.#scanner.expect(']]>', '')
    this.#sections.pop()
    return true
  }

  // Elements and attributes.

  /** [45] */
  *#elementDeclaration(): Steps<void> {
    const scanner = this.#scanner
    scanner.expect('<!ELEMENT', '')
    yield* scanner.requireSpace('after <!ELEMENT')
    const name = this.#tokens.qualifiedName('of an element')
    yield* scanner.requireSpace(`after ${shorten(name)}`)
    yield* readContentSpecification(this.#tokens, name)
    yield* scanner.skipSpace()
    scanner.expect('>', `at the end of the declaration of the element ${shorten(name)}`)
  }

  /** [52] */
  *#attributeListDeclaration(): Steps<void> {
    const scanner = this.#scanner
    scanner.expect('<!ATTLIST', '')
    yield* scanner.requireSpace('after <!ATTLIST')
    const element = this.#tokens.qualifiedName('of an element')
    const declared: AttributeDeclaration[] = []
    for (;;) {
      const hasSpace = yield* scanner.skipSpace()
      if (scanner.startsWith('>')) break
      if (!hasSpace) throw scanner.fault('expected white space or ">" in a list of attributes')
      declared.push(yield* readAttributeDefinition(this.#tokens, this))
    }
    scanner.expect('>', '')
    if (!this.#isProcessing) return
    const list = this.#attributes.get(element) ?? new Map<string, AttributeDeclaration>()
    this.#attributes.set(element, list)
    for (const declaration of declared) if (!list.has(declaration.name)) list.set(declaration.name, declaration)
  }

  get hasNamespaces(): boolean {
    return this.#options.namespaces
  }

  readDefault({ text, position }: Literal): string {
    const scanner = this.#scanner
    const isFree = !this.#options.isStandalone
    const rules = {
      mayBeUndeclared: this.isOutside || (isFree && this.#mayBeUndeclared),
      mayBeOutside: this.isOutside || isFree,
      known: this.#options.known,
    }
    try {
      return expandValue(text, {
        find: (name) => {
          const entity = findEntity(name, this.#entities, rules)
          if (!entity) this.#options.onSkip(name, scanner.offsetOf(position))
          return entity
        },
        count: (units, name) => scanner.count(units, 'the entity', name),
      })
    } catch (error) {
      if (!(error instanceof UnplacedError)) {
        throw limitLength(error, 'the default of an attribute', scanner.offsetOf(position))
      }
      throw scanner.fault(error.message, error.code, error.constraint, position + (error.offset ?? 0))
    }
  }

  // Entities and notations.

  /** [70] to [76] */
  *#entityDeclaration(): Steps<void> {
    const scanner = this.#scanner
    scanner.expect('<!ENTITY', '')
    yield* scanner.requireSpace('after <!ENTITY')
    const isParameter = scanner.match(/%(?=[ \t\r\n%])/y) !== undefined
    if (isParameter) yield* scanner.requireSpace('after "%"')
    const { position } = scanner
    const name = this.#tokens.plainName('of an entity')
    yield* scanner.requireSpace(`after ${shorten(name)}`)
    const isInternal = scanner.startsWith('"') || scanner.startsWith("'")
    const text = isInternal ? yield* this.#entityValue(name) : undefined
    const id = isInternal ? undefined : yield* this.#tokens.externalId(false)
    if (!isInternal && !id) {
      throw scanner.fault(`expected a quoted string, SYSTEM or PUBLIC for the entity ${shorten(name)}`)
    }
    const hasSpace = yield* scanner.skipSpace()
    let notation: string | undefined
    if (!isInternal && !isParameter && scanner.startsWith('NDATA')) {
      if (!hasSpace) throw scanner.fault('expected white space before NDATA')
      scanner.expect('NDATA', '')
      yield* scanner.requireSpace('after NDATA')
      notation = this.#tokens.plainName('of a notation')
      yield* scanner.skipSpace()
    }
    scanner.expect('>', `at the end of the declaration of the entity ${shorten(name)}`)
    if (!isParameter) this.#checkPredefined(name, text, position)
    this.#declareEntity({ name, isParameter, text, notation, id })
  }

  /** [9] EntityValue: its replacement text. */
  #entityValue(name: string): Steps<string> {
    const literal = this.#tokens.literal(`the entity ${shorten(name)}`)
    return readEntityValue(literal, this.#scanner, name)
  }

  #declareEntity({ name, isParameter, text, notation, id }: DeclaredEntity): void {
    const { base, parameterEntities } = this.#scanner
    const { publicId, systemId } = id ?? { publicId: undefined, systemId: undefined }
    // The first declaration counts.
    if (!this.#isProcessing || (isParameter ? parameterEntities : this.#entities).has(name)) return
    if (isParameter) {
      const content = text === undefined ? undefined : { text, start: 0 }
      parameterEntities.set(name, { name, content, publicId, systemId, base })
    } else {
      const isExternalDeclaration = this.isOutside
      this.#entities.set(name, { name, text, publicId, systemId, base, notation, isExternalDeclaration })
    }
  }

  /** Section 4.6: what predefined entities may be declared as. */
  #checkPredefined(name: string, text: string | undefined, position: number): void {
    const character = standsFor(name)
    if (character === undefined) return
    const number = /^&#(x[0-9a-fA-F]+|[0-9]+);$/.exec(text ?? '')?.[1]
    const isReference = number !== undefined && Number(number.replace('x', '0x')) === character.charCodeAt(0)
    const isCharacter = text === character && name !== 'lt' && name !== 'amp'
    if (!isReference && !isCharacter) {
      const message = `the predefined entity ${name} must be declared as ${character}`
      throw this.#scanner.fault(message, 'predefined-entity', undefined, position)
    }
  }

  /** [82], [83] */
  *#notationDeclaration(): Steps<void> {
    const scanner = this.#scanner
    scanner.expect('<!NOTATION', '')
    yield* scanner.requireSpace('after <!NOTATION')
    const name = this.#tokens.plainName('of a notation')
    yield* scanner.requireSpace(`after ${shorten(name)}`)
    if (!(yield* this.#tokens.externalId(true))) {
      throw scanner.fault(`expected SYSTEM or PUBLIC for the notation ${shorten(name)}`)
    }
    yield* scanner.skipSpace()
    scanner.expect('>', `at the end of the declaration of the notation ${shorten(name)}`)
  }

  // What counts.

  /** Whether declarations count (section 5.1): not after a parameter entity that was not read. */
  get #isProcessing(): boolean {
    return !this.#scanner.hasSkipped || this.#options.isStandalone
  }

  get isOutside(): boolean {
    return this.#scanner.depth > 1 || this.#scanner.isExternal
  }

  /** Whether an entity may be declared where nobody has read: it is then not an error that it is not declared. */
  get #mayBeUndeclared(): boolean {
    return this.#hasExternalSubset || this.#scanner.hasReferences
  }
}
