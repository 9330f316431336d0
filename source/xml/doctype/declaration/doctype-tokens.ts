// What the declarations in a document type are made of: names, quoted texts and identifiers.

import { isName } from '../../../text/markup/xml-characters.ts'
import { shorten } from '../../errors/unplaced-error.ts'
import { makeName } from '../../names/names.ts'
import type { DoctypeScanner, Literal, Steps } from './doctype-scanner.ts'

/** Characters up to what may follow a name or another token. */
export const TOKEN = /[^\s()<>[\]"'&%|,?*+;=#]+/y
/** Not [13]. */
const NO_PUBLIC_ID = /[^ \r\na-zA-Z0-9\-'()+,./:=?;!*#@$_%]/

export interface ExternalId {
  readonly publicId: string | undefined
  readonly systemId: string | undefined
}

/** Reads them. All methods throw an `UnplacedError`, and say of what they are called for. */
export class DoctypeTokens {
  readonly scanner: DoctypeScanner
  readonly #hasNamespaces: boolean

  constructor(scanner: DoctypeScanner, hasNamespaces: boolean) {
    this.scanner = scanner
    this.#hasNamespaces = hasNamespaces
  }

  literal(what: string): Literal {
    const quote = this.scanner.match(/["']/y)
    if (quote === undefined) throw this.scanner.fault(`expected a quoted string for ${what}`)
    return this.scanner.readUntil(quote, what)
  }

  /** The name of an element or an attribute. */
  qualifiedName(what: string): string {
    const { position } = this.scanner
    const name = this.#name(what)
    if (this.#hasNamespaces && !makeName(name).isQualified) {
      const message = `misplaced colon in ${shorten(name)}`
      throw this.scanner.fault(message, 'qualified-name', undefined, position)
    }
    return name
  }

  /** The name of what has no namespace. */
  plainName(what: string): string {
    const { position } = this.scanner
    const name = this.#name(what)
    this.requireNoColon(name, `the name ${what}`, position)
    return name
  }

  #name(what: string): string {
    const { position } = this.scanner
    const name = this.scanner.match(TOKEN)
    if (name === undefined || !isName(name)) {
      throw this.scanner.fault(`expected the name ${what}`, undefined, undefined, position)
    }
    return name
  }

  /** Refuses a colon in a name that begins at a position, unless namespaces are off. */
  requireNoColon(name: string, what: string, position: number): void {
    if (!this.#hasNamespaces || !name.includes(':')) return
    const message = `a colon is not allowed in ${what}: ${shorten(name)}`
    throw this.scanner.fault(message, 'name-with-colon', 'Namespaces in XML, section 7', position)
  }

  /** [75] ExternalID; with `isOfNotation` also [83] PublicID. Undefined when there is none. */
  *externalId(isOfNotation: boolean): Steps<ExternalId | undefined> {
    const { scanner } = this
    const keyword = scanner.match(/(?:SYSTEM|PUBLIC)(?![^\s"'%])/y)
    if (keyword === undefined) return undefined
    yield* scanner.requireSpace(`after ${keyword}`)
    if (keyword === 'SYSTEM') return { publicId: undefined, systemId: this.#systemId() }
    const publicId = this.#publicId()
    const hasSpace = yield* scanner.skipSpace()
    const hasSystemId = scanner.startsWith('"') || scanner.startsWith("'")
    if (!hasSystemId && isOfNotation) return { publicId, systemId: undefined }
    if (!hasSystemId || !hasSpace) throw scanner.fault('expected white space and a system identifier')
    return { publicId, systemId: this.#systemId() }
  }

  #systemId(): string {
    return this.literal('a system identifier').text
  }

  #publicId(): string {
    const { text, position } = this.literal('a public identifier')
    const wrong = text.search(NO_PUBLIC_ID)
    if (wrong !== -1) {
      const message = 'the public identifier contains a character that is not allowed'
      throw this.scanner.fault(message, undefined, undefined, position + wrong)
    }
    return text.replace(/[ \r\n]+/g, ' ').trim()
  }
}
