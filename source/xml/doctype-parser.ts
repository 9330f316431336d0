// The document type declaration (XML 1.0, sections 2.8, 3.2 to 3.4, 4.2, 4.7). By hand, production by production: parameter entities
// bring text anywhere, and a grammar reads one text. Each method is named after its production, whose number stands beside it.

import { DoctypeScanner, ExternalWanted, type ScannerState, UNREAD } from './doctype-scanner.ts'
import type { AttributeDeclaration, DocumentType, EntityDeclaration } from './document-type.ts'
import type { EntityLimits } from './entities.ts'
import type { ExternalRequest } from './external.ts'
import { Fault } from './fault.ts'
import { readEntityValue, ValueReader } from './literal-values.ts'
import { isName, isNcName } from './name-characters.ts'
import { makeName } from './names.ts'
import { predefinedEntity } from './references.ts'

const TOKEN = /[^\s()<>[\]"'&%|,?*+;=#]+/y
const NMTOKEN =
  /^[A-Za-z_:0-9.\-\u00B7\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u037D\u037F-\u1FFF\u200C-\u200D\u203F-\u2040\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}]+$/u
const TYPES = new Set(['CDATA', 'ID', 'IDREF', 'IDREFS', 'ENTITY', 'ENTITIES', 'NMTOKEN', 'NMTOKENS'])
/** [13] */
const PUBLIC_ID = /^[ \r\na-zA-Z0-9\-'()+,./:=?;!*#@$_%]*$/
const TEXT_DECLARATION =
  /^<\?xml(?:\s+version\s*=\s*(?:"1\.[0-9]+"|'1\.[0-9]+'))?\s+encoding\s*=\s*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*')\s*\?>/
const SPACE = /[ \t\r\n]/

/** How a document type is to be read. */
export interface DoctypeOptions {
  readonly namespaces: boolean
  readonly isStandalone: boolean
  /** Whether text from outside can be had. */
  readonly resolves: boolean
  readonly limits: EntityLimits
}

interface ExternalId {
  readonly publicId: string | undefined
  readonly systemId: string | undefined
}

/** Reads `<!DOCTYPE …>`. */
export class DoctypeParser {
  readonly #scanner: DoctypeScanner
  readonly #options: DoctypeOptions
  readonly #entities = new Map<string, EntityDeclaration>()
  readonly #attributes = new Map<string, Map<string, AttributeDeclaration>>()
  /** How many conditional sections are open, and in how many entities each began. */
  readonly #sections: number[] = []

  /** `start` is the offset of the text in the document, in bytes. */
  constructor(text: string, start: number, options: DoctypeOptions) {
    this.#scanner = new DoctypeScanner(text, start, options.limits)
    this.#options = options
  }

  /**
   * [28] doctypedecl. Asks for text from outside, and is sent it, or undefined where it is not to be had. Throws a {@link Fault} or a
   * `LimitError`.
   */
  *read(): Generator<ExternalRequest, DocumentType, string | undefined> {
    const scanner = this.#scanner
    scanner.expect('<!DOCTYPE', 'at the start')
    scanner.requireSpace('behind <!DOCTYPE')
    const name = this.#qualifiedName('of the root element')
    const hasSpace = scanner.skipSpace()
    const { publicId, systemId } = (hasSpace && this.#externalId(false)) || { publicId: undefined, systemId: undefined }
    scanner.skipSpace()
    let internalSubset: string | undefined
    if (scanner.startsWith('[')) {
      scanner.expect('[', '')
      const start = scanner.position
      yield* this.#subset()
      internalSubset = scanner.slice(start)
      scanner.expect(']', 'behind the internal subset')
      scanner.skipSpace()
    }
    scanner.expect('>', 'at the end of the document type declaration')
    if (systemId !== undefined) yield* this.#externalSubset({ publicId, systemId })
    const hasUnreadDeclarations = systemId !== undefined || scanner.hasReferences
    const entities = this.#entities
    return { name, publicId, systemId, internalSubset, entities, attributes: this.#attributes, hasUnreadDeclarations }
  }

  *#externalSubset(id: ExternalId): Generator<ExternalRequest, void, string | undefined> {
    const { publicId, systemId } = id as { publicId: string | undefined; systemId: string }
    const text = this.#options.resolves ? yield { publicId, systemId, base: undefined } : undefined
    if (text === undefined) return
    this.#scanner.enterExternalSubset(withoutTextDeclaration(text), systemId)
    yield* this.#subset()
    if (!this.#scanner.isAtEnd) throw this.#scanner.fault('expected a declaration in the external subset')
    if (this.#sections.length > 0) throw this.#scanner.fault('a conditional section has no end')
  }

  /** [28b] intSubset, [31] extSubsetDecl: to "]" or to the end. */
  *#subset(): Generator<ExternalRequest, void, string | undefined> {
    const scanner = this.#scanner
    for (;;) {
      scanner.match(/[ \t\r\n]+/y)
      if (scanner.isAtEndOfDeclarations && (this.#sections.at(-1) ?? 0) >= scanner.depth) {
        throw scanner.fault('a conditional section has no end in the entity it begins in')
      }
      if (scanner.leave()) continue
      if (scanner.isAtEnd) return
      const state = scanner.save()
      try {
        if (this.#endSection()) continue
        if (scanner.startsWith(']') && !scanner.isExternal) return
        if (scanner.startsWith('%')) scanner.enter(scanner.readReference(), true)
        else this.#markupDeclaration()
      } catch (error) {
        if (!(error instanceof ExternalWanted)) throw error
        yield* this.#fetch(error, state)
      }
    }
  }

  /** Gets the text of an entity, and goes back to where it was wanted. */
  *#fetch(
    { entity, request }: ExternalWanted,
    state: ScannerState,
  ): Generator<ExternalRequest, void, string | undefined> {
    const text = this.#options.resolves ? yield request : undefined
    entity.text = text === undefined ? UNREAD : withoutTextDeclaration(text)
    if (text !== undefined) this.#scanner.countInput(text)
    this.#scanner.restore(state)
  }

  /** [29] markupdecl, [61] conditionalSect. */
  #markupDeclaration(): void {
    const scanner = this.#scanner
    if (scanner.startsWith('<!--')) this.#comment()
    else if (scanner.startsWith('<?')) this.#instruction()
    else if (scanner.startsWith('<![') && scanner.isExternal) this.#conditionalSection()
    else if (scanner.startsWith('<!ELEMENT')) this.#elementDeclaration()
    else if (scanner.startsWith('<!ATTLIST')) this.#attributeListDeclaration()
    else if (scanner.startsWith('<!ENTITY')) this.#entityDeclaration()
    else if (scanner.startsWith('<!NOTATION')) this.#notationDeclaration()
    else throw scanner.fault('expected a declaration, a comment, a processing instruction, a parameter entity or "]"')
  }

  /** [15] */
  #comment(): void {
    this.#scanner.expect('<!--', '')
    this.#scanner.readUntil('--', 'a comment')
    this.#scanner.expect('>', 'behind "--", which must not be in comments')
  }

  /** [16] */
  #instruction(): void {
    const scanner = this.#scanner
    scanner.expect('<?', '')
    const target = scanner.match(/[^\s?<>]+/y) ?? ''
    if (!isName(target)) throw scanner.fault('expected the target of a processing instruction')
    if (target.toLowerCase() === 'xml') throw scanner.fault(`the target ${target} is reserved`, 'reserved-target')
    this.#requireNoColon(target, 'a target')
    if (!scanner.startsWith('?>') && scanner.match(/[ \t\r\n]/y) === undefined) {
      throw scanner.fault('expected white space or "?>" behind the target of a processing instruction')
    }
    scanner.readUntil('?>', 'a processing instruction')
  }

  // Conditional sections.

  /** [61] to [65] */
  #conditionalSection(): void {
    const scanner = this.#scanner
    scanner.expect('<![', '')
    scanner.skipSpace()
    const keyword = scanner.match(/INCLUDE|IGNORE/y)
    if (keyword === undefined) throw scanner.fault('expected INCLUDE or IGNORE')
    scanner.skipSpace()
    scanner.expect('[', `behind ${keyword}`)
    if (keyword === 'INCLUDE') {
      this.#sections.push(scanner.depth)
      return
    }
    for (let depth = 1; depth > 0; ) {
      const found = scanner.match(/[^<\]]+|<!\[|\]\]>|[<\]]/y)
      if (found === undefined) throw scanner.fault('an ignored section has no end: "]]>" is missing')
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

  // Elements.

  /** [45] */
  #elementDeclaration(): void {
    const scanner = this.#scanner
    scanner.expect('<!ELEMENT', '')
    scanner.requireSpace('behind <!ELEMENT')
    const name = this.#qualifiedName('of an element')
    scanner.requireSpace(`behind ${name}`)
    this.#contentSpecification(name)
    scanner.skipSpace()
    scanner.expect('>', `at the end of the declaration of the element ${name}`)
  }

  /** [46] contentspec */
  #contentSpecification(name: string): void {
    const scanner = this.#scanner
    if (scanner.match(/(?:EMPTY|ANY)(?![^\s>%])/y) !== undefined) return
    scanner.expect('(', `or EMPTY or ANY for the content of ${name}`)
    scanner.skipSpace()
    if (scanner.startsWith('#')) this.#mixed()
    else this.#children()
  }

  /** [51] Mixed, behind its "(". */
  #mixed(): void {
    const scanner = this.#scanner
    scanner.expect('#PCDATA', 'in mixed content')
    let hasNames = false
    for (scanner.skipSpace(); scanner.startsWith('|'); scanner.skipSpace()) {
      scanner.expect('|', '')
      scanner.skipSpace()
      this.#qualifiedName('of an element')
      hasNames = true
    }
    scanner.expect(')', 'or "|" in mixed content')
    if (hasNames) scanner.expect('*', 'behind mixed content with elements')
    else scanner.match(/\*/y)
  }

  /** [47] children, [48] cp, [49] choice and [50] seq, behind the first "(". Without recursion: they may be nested to any depth. */
  #children(): void {
    const scanner = this.#scanner
    // What separates the particles of each open group; undefined before the first separator.
    const groups: (string | undefined)[] = [undefined]
    for (;;) {
      scanner.skipSpace()
      if (scanner.startsWith('(')) {
        scanner.expect('(', '')
        groups.push(undefined)
        continue
      }
      this.#qualifiedName('of an element')
      scanner.match(/[?*+]/y)
      for (scanner.skipSpace(); scanner.startsWith(')'); scanner.skipSpace()) {
        scanner.expect(')', '')
        scanner.match(/[?*+]/y)
        groups.pop()
        if (groups.length === 0) return
      }
      const separator = scanner.match(/[|,]/y)
      if (separator === undefined) throw scanner.fault('expected "|", "," or ")" in a content model')
      const before = groups.at(-1)
      if (before !== undefined && before !== separator) {
        throw scanner.fault(`expected "${before}", as before in this group, and not "${separator}"`)
      }
      groups[groups.length - 1] = separator
    }
  }

  // Attributes.

  /** [52] */
  #attributeListDeclaration(): void {
    const scanner = this.#scanner
    scanner.expect('<!ATTLIST', '')
    scanner.requireSpace('behind <!ATTLIST')
    const element = this.#qualifiedName('of an element')
    const declared: AttributeDeclaration[] = []
    for (;;) {
      const hasSpace = scanner.skipSpace()
      if (scanner.startsWith('>')) break
      if (!hasSpace) throw scanner.fault('expected white space or ">" in a list of attributes')
      declared.push(this.#attributeDefinition())
    }
    scanner.expect('>', '')
    if (!this.#isProcessing) return
    const list = this.#attributes.get(element) ?? new Map<string, AttributeDeclaration>()
    this.#attributes.set(element, list)
    for (const declaration of declared) if (!list.has(declaration.name)) list.set(declaration.name, declaration)
  }

  /** [53] */
  #attributeDefinition(): AttributeDeclaration {
    const scanner = this.#scanner
    const name = this.#qualifiedName('of an attribute')
    scanner.requireSpace(`behind ${name}`)
    const isTokenized = this.#attributeType(name)
    scanner.requireSpace(`behind the type of ${name}`)
    const isExternalDeclaration = this.#isOutside
    if (scanner.match(/#(?:REQUIRED|IMPLIED)(?![^\s>%])/y) !== undefined) {
      return { name, isTokenized, default: undefined, isExternalDeclaration }
    }
    if (scanner.match(/#FIXED/y) !== undefined) scanner.requireSpace('behind #FIXED')
    const value = this.#defaultValue(name)
    const normalized = isTokenized ? value.replace(/ +/g, ' ').replace(/^ | $/g, '') : value
    return { name, isTokenized, default: normalized, isExternalDeclaration }
  }

  /** [54] to [59]; whether white space is collapsed in values. */
  #attributeType(name: string): boolean {
    const scanner = this.#scanner
    if (scanner.startsWith('(')) {
      this.#enumeration('(', (token) => NMTOKEN.test(token), 'a name token')
      return true
    }
    const type = scanner.match(TOKEN)
    if (type === 'NOTATION') {
      scanner.requireSpace('behind NOTATION')
      this.#enumeration('(', (token) => this.#isNotationName(token), 'the name of a notation')
      return true
    }
    if (type === undefined || !TYPES.has(type)) throw scanner.fault(`expected the type of the attribute ${name}`)
    return type !== 'CDATA'
  }

  #isNotationName(token: string): boolean {
    return this.#options.namespaces ? isNcName(token) : isName(token)
  }

  #enumeration(open: string, isValid: (token: string) => boolean, what: string): void {
    const scanner = this.#scanner
    scanner.expect(open, 'before a list')
    do {
      scanner.skipSpace()
      if (!isValid(scanner.match(TOKEN) ?? '')) throw scanner.fault(`expected ${what}`)
      scanner.skipSpace()
    } while (scanner.match(/\|/y) !== undefined)
    scanner.expect(')', 'or "|" in a list')
  }

  /** [10] AttValue, with references replaced and white space made blanks. */
  #defaultValue(attribute: string): string {
    const literal = this.#literal(`the default of ${attribute}`)
    const mayBeUnknown = this.#scanner.hasReferences && !this.#options.isStandalone
    const count = (units: number) => this.#scanner.count(units)
    return this.#place(() => new ValueReader(this.#entities, mayBeUnknown, this.#isOutside, count).read(literal))
  }

  // Entities and notations.

  /** [70] to [76] */
  #entityDeclaration(): void {
    const scanner = this.#scanner
    scanner.expect('<!ENTITY', '')
    scanner.requireSpace('behind <!ENTITY')
    const isParameter = scanner.match(/%(?=[ \t\r\n%])/y) !== undefined
    if (isParameter) scanner.requireSpace('behind "%"')
    const name = this.#plainName('of an entity')
    scanner.requireSpace(`behind ${name}`)
    const isInternal = scanner.startsWith('"') || scanner.startsWith("'")
    const text = isInternal ? this.#entityValue(name) : undefined
    const id = isInternal ? undefined : this.#externalId(false)
    if (!isInternal && !id) throw scanner.fault(`expected a quoted text, SYSTEM or PUBLIC for the entity ${name}`)
    const hasSpace = scanner.skipSpace()
    let notation: string | undefined
    if (!isInternal && !isParameter && scanner.startsWith('NDATA')) {
      if (!hasSpace) throw scanner.fault('expected white space before NDATA')
      scanner.expect('NDATA', '')
      scanner.requireSpace('behind NDATA')
      notation = this.#plainName('of a notation')
      scanner.skipSpace()
    }
    scanner.expect('>', `at the end of the declaration of the entity ${name}`)
    this.#declareEntity({ name, isParameter, text, notation, id })
  }

  #declareEntity(declaration: {
    name: string
    isParameter: boolean
    text: string | undefined
    notation: string | undefined
    id: ExternalId | undefined
  }): void {
    const { name, isParameter, text, notation, id } = declaration
    const { base } = this.#scanner
    const { publicId, systemId } = id ?? { publicId: undefined, systemId: undefined }
    if (!isParameter) this.#checkPredefined(name, text)
    if (!this.#isProcessing) return
    if (isParameter) {
      const { parameterEntities } = this.#scanner
      if (!parameterEntities.has(name)) parameterEntities.set(name, { name, text, publicId, systemId, base })
      return
    }
    // The first declaration counts. Those of predefined entities say nothing new.
    if (this.#entities.has(name)) return
    this.#entities.set(name, {
      name,
      text,
      publicId,
      systemId,
      base,
      notation,
      isExternalDeclaration: this.#isOutside,
    })
  }

  /** Section 4.6: what predefined entities may be declared as. */
  #checkPredefined(name: string, text: string | undefined): void {
    const character = predefinedEntity(name)
    if (character === undefined) return
    const number = /^&#(x[0-9a-fA-F]+|[0-9]+);$/.exec(text ?? '')?.[1]
    const isReference = number !== undefined && Number(number.replace('x', '0x')) === character.charCodeAt(0)
    const isCharacter = text === character && name !== 'lt' && name !== 'amp'
    if (!isReference && !isCharacter) {
      throw this.#scanner.fault(`the predefined entity ${name} must stand for ${character}`, 'predefined-entity')
    }
  }

  /** [9] EntityValue: its replacement text. */
  #entityValue(name: string): string {
    const literal = this.#literal(`the entity ${name}`)
    return this.#place(() => readEntityValue(literal, this.#scanner, name))
  }

  /** [82], [83] */
  #notationDeclaration(): void {
    const scanner = this.#scanner
    scanner.expect('<!NOTATION', '')
    scanner.requireSpace('behind <!NOTATION')
    const name = this.#plainName('of a notation')
    scanner.requireSpace(`behind ${name}`)
    if (!this.#externalId(true)) throw scanner.fault(`expected SYSTEM or PUBLIC for the notation ${name}`)
    scanner.skipSpace()
    scanner.expect('>', `at the end of the declaration of the notation ${name}`)
  }

  /** [75] ExternalID; with `isOfNotation` also [83] PublicID. Undefined when there is none. */
  #externalId(isOfNotation: boolean): ExternalId | undefined {
    const scanner = this.#scanner
    const keyword = scanner.match(/(?:SYSTEM|PUBLIC)(?![^\s"'%])/y)
    if (keyword === undefined) return undefined
    scanner.requireSpace(`behind ${keyword}`)
    if (keyword === 'SYSTEM') return { publicId: undefined, systemId: this.#literal('a system identifier') }
    const publicId = this.#literal('a public identifier')
    if (!PUBLIC_ID.test(publicId)) throw scanner.fault('the public identifier holds a character that is not allowed')
    const hasSpace = scanner.skipSpace()
    const hasSystemId = scanner.startsWith('"') || scanner.startsWith("'")
    if (!hasSystemId && isOfNotation) return { publicId: normalizePublicId(publicId), systemId: undefined }
    if (!hasSystemId || !hasSpace) throw scanner.fault('expected white space and a system identifier')
    return { publicId: normalizePublicId(publicId), systemId: this.#literal('a system identifier') }
  }

  // Tokens.

  #literal(what: string): string {
    const scanner = this.#scanner
    const quote = scanner.match(/["']/y)
    if (quote === undefined) throw scanner.fault(`expected a quoted text for ${what}`)
    return scanner.readUntil(quote, what)
  }

  #name(what: string): string {
    const name = this.#scanner.match(TOKEN)
    if (name === undefined || !isName(name)) throw this.#scanner.fault(`expected the name ${what}`)
    return name
  }

  /** The name of an element or an attribute. */
  #qualifiedName(what: string): string {
    const name = this.#name(what)
    if (this.#options.namespaces && !makeName(name).isQualified) {
      throw this.#scanner.fault(`the colons in ${name} make it no qualified name`, 'qualified-name')
    }
    return name
  }

  /** The name of what has no namespace. */
  #plainName(what: string): string {
    const name = this.#name(what)
    this.#requireNoColon(name, `the name ${what}`)
    return name
  }

  #requireNoColon(name: string, what: string): void {
    if (!this.#options.namespaces || !name.includes(':')) return
    throw this.#scanner.fault(`there is a colon in ${what}: ${name}`, 'name-with-colon', 'Namespaces in XML, section 7')
  }

  /** Whether declarations count (section 5.1): not behind a parameter entity that was not read. */
  get #isProcessing(): boolean {
    return !this.#scanner.hasSkipped || this.#options.isStandalone
  }

  /** Whether what is declared now is declared outside of the document entity, or in a parameter entity. */
  get #isOutside(): boolean {
    return this.#scanner.depth > 1 || this.#scanner.isExternal
  }

  /** Says of faults in a literal where it is. */
  #place<Result>(act: () => Result): Result {
    try {
      return act()
    } catch (error) {
      throw error instanceof Fault ? error.at(this.#scanner.offset) : error
    }
  }
}

function normalizePublicId(text: string): string {
  return text.replace(/[ \r\n]+/g, ' ').trim()
}

/** [77] TextDecl, taken away. Throws a `Fault` for one that is malformed. */
export function withoutTextDeclaration(text: string): string {
  if (!text.startsWith('<?xml') || !SPACE.test(text[5] ?? '')) return text.replace(/\r\n?/g, '\n')
  const declaration = TEXT_DECLARATION.exec(text)?.[0]
  if (declaration === undefined) {
    throw new Fault('the text declaration of an external entity is malformed', 'text-declaration')
  }
  if (/version\s*=\s*["']1\.1["']/.test(declaration)) {
    throw new Fault('an external entity in XML 1.1 is not supported: only 1.0 is', 'unsupported-version')
  }
  return text.slice(declaration.length).replace(/\r\n?/g, '\n')
}
