// Makes markup of calls, as strings, and checks all that makes it a document. It waits for nothing, and whoever calls it takes the markup away.

import { describeValue, withCode } from '../../../stream/errors.ts'
import { findLacking, LAST_CODE_POINT } from '../../../text/markup/encode-text.ts'
import { findForbidden, nameCharacter } from '../../../text/markup/xml-characters.ts'
import { escapeAttribute, escapeText, writeComment, writeInstruction } from '../../../text/markup/xml-markup.ts'
import type { DocumentType } from '../../doctype/document-type.ts'
import { shorten } from '../../errors/unplaced-error.ts'
import type { AttributeDetails, XmlAttributes } from '../../names/attributes.ts'
import type { Name } from '../../names/names.ts'
import { NamespaceScopes } from '../../names/namespaces.ts'
import { type DoctypeParts, writeDoctype } from './doctype.ts'
import { HELD, Indentation } from './indentation.ts'
import { checkRaw } from './raw-xml.ts'
import { StartTag } from './start-tag.ts'
import { describePlace, XmlWriteError, type XmlWriteErrorCode } from './write-error.ts'
import { CheckedNames, type XmlQualifiedName, type XmlWriteAttributes, type XmlWriteName } from './write-name.ts'

/** What the XML declaration says besides the encoding. */
export interface XmlDeclarationParts {
  /** `1.0` without this. */
  readonly version?: string | undefined
  readonly standalone?: boolean | undefined
}

export interface MarkupOptions {
  /** Whether prefixes stand for namespaces (default: true). */
  readonly namespaces?: boolean | undefined
  /** Whether an empty element is one tag (default: true). */
  readonly selfClose?: boolean | undefined
  /** What each level of indentation begins with; undefined or empty for no indentation. */
  readonly indent?: string | undefined
  /** Whether the last line ends, too, where there are lines. */
  readonly endsLine?: boolean | undefined
  /** The last code point that the encoding has. */
  readonly lastCodePoint?: number | undefined
  /** The encoding that a declaration names. */
  readonly encoding?: string | undefined
  /** What surrounds the content. With it, this is content of an element: it needs no root. Without it, this is a document. */
  readonly around?: Surroundings | undefined
}

/** What holds where content is put. */
export interface Surroundings {
  /** What the content declares is declared there, deeper than `depth`: whoever gives them makes them forget it. Without them, they are new. */
  readonly prefixes?: NamespaceScopes | undefined
  readonly depth?: number | undefined
  /** The entities that raw markup may use besides those that are predefined. */
  readonly entities?: ReadonlySet<string> | undefined
}

/** The parts of a document that were written: each allows what comes after it. */
const Stage = { START: 0, DECLARED: 1, DOCTYPE: 2, ROOT: 3, END: 4, CLOSED: 5 } as const
type Stage = (typeof Stage)[keyof typeof Stage]

/** Whatever cannot stand for itself in text or is no character; surrogates may be halves of pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched.
const SPECIAL_IN_TEXT = /[&<>\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched.
const SPECIAL_IN_VALUE = /[&<>"\0-\x1f\ud800-\udfff\ufffe\uffff]/
const DOCTYPE_PARTS = ['publicId', 'systemId', 'internalSubset'] as const
const BLANK = /^[ \t\n]*$/

export class MarkupWriter {
  readonly #options: MarkupOptions
  readonly #lastCodePoint: number
  readonly #selfCloses: boolean
  readonly #names: CheckedNames
  readonly #prefixes: NamespaceScopes | undefined
  readonly #depthAround: number
  readonly #tag: StartTag
  readonly #indentation: Indentation | undefined
  readonly #open: string[] = []
  #text = ''
  #stage: Stage = Stage.START
  #doctype: DocumentType | undefined

  /** @internal */
  constructor(options: MarkupOptions = {}) {
    const { namespaces = true, selfClose = true, indent = '', lastCodePoint = LAST_CODE_POINT, around } = options
    this.#options = options
    this.#lastCodePoint = lastCodePoint
    this.#selfCloses = selfClose
    this.#names = new CheckedNames(namespaces, lastCodePoint)
    this.#prefixes = namespaces ? (around?.prefixes ?? new NamespaceScopes()) : undefined
    this.#depthAround = around?.depth ?? 0
    const fail = (code: XmlWriteErrorCode, message: string) => this.fail(code, message)
    this.#tag = new StartTag(this.#prefixes, (namespace) => this.#escapeValue(namespace, 'xmlns'), fail)
    this.#indentation = indent === '' ? undefined : new Indentation(indent, fail)
    if (around) this.#stage = Stage.ROOT
  }

  /** The names of the open elements, the outermost first. */
  get openElements(): readonly string[] {
    return this.#tag.isOpen ? [...this.#open, this.#tag.name] : [...this.#open]
  }

  /** The depth of an element that begins, or has just ended. */
  get #innerDepth(): number {
    return this.#depthAround + this.#open.length + 1
  }

  /**
   * Whether there is room for more.
   *
   * @internal
   */
  hasRoom(): boolean {
    return true
  }

  /**
   * UTF-16 units of markup that can be taken.
   *
   * @internal
   */
  get length(): number {
    if (!this.#indentation) return this.#text.length
    const length = this.#indentation.length + this.#text.length
    return length < HELD && this.#stage !== Stage.CLOSED ? 0 : length
  }

  /**
   * The markup so far, but for a start tag that may get more attributes.
   *
   * @internal
   */
  take(): string {
    const text = this.#indentation ? this.#indentation.take(this.#text) : this.#text
    this.#text = ''
    return text
  }

  /** @internal */
  fail(code: XmlWriteErrorCode, message: string, cause?: unknown): never {
    throw new XmlWriteError(code, message, this.openElements, cause)
  }

  /**
   * Throws for a value of a wrong kind.
   *
   * @internal
   */
  refuse(message: string): never {
    throw withCode(new TypeError(`${message}${describePlace(this.openElements)}`), 'invalid-option')
  }

  /** Writes the XML declaration, which names the encoding. It must come first. */
  declaration(parts: XmlDeclarationParts = {}): boolean {
    this.refuseEnded()
    if (!isObject(parts)) this.refuse(`a declaration must be an object, not ${describeValue(parts)}`)
    const { version = '1.0', standalone } = parts
    if (typeof version !== 'string') this.#refuseNonString(version, 'the version')
    if (standalone !== undefined && typeof standalone !== 'boolean')
      this.refuse(`standalone must be true or false, not ${describeValue(standalone)}`)
    if (this.#stage !== Stage.START || this.#text !== '') {
      this.fail('wrong-place', 'the declaration must be the first that is written')
    }
    if (!/^1\.(?!1$)[0-9]+$/.test(version))
      this.fail('invalid-declaration', `${describeValue(version)} is not a version of XML 1`)
    const { encoding } = this.#options
    const words = [`version="${version}"`]
    if (encoding !== undefined) words.push(`encoding="${encoding}"`)
    if (standalone !== undefined) words.push(`standalone="${standalone ? 'yes' : 'no'}"`)
    this.#text += `<?xml ${words.join(' ')}?>`
    this.#stage = Stage.DECLARED
    return this.hasRoom()
  }

  /** Writes the document type declaration. It is checked by reading it; nothing outside of it is read. */
  doctype(name: string, parts: DoctypeParts = {}): boolean {
    this.refuseEnded()
    if (!isObject(parts)) this.refuse(`the parts of a document type must be an object, not ${describeValue(parts)}`)
    for (const part of DOCTYPE_PARTS) {
      const value: unknown = parts[part]
      if (value !== undefined && typeof value !== 'string') this.#refuseNonString(value, part)
    }
    if (this.#stage >= Stage.DOCTYPE)
      this.fail('wrong-place', 'a document type declaration must come once, before the root')
    this.#nameOf(name)
    const { markup, type } = writeDoctype(name, parts, {
      namespaces: this.#prefixes !== undefined,
      fail: (message, cause) => this.fail('invalid-doctype', message, cause),
    })
    const lacking = findLacking(markup, this.#lastCodePoint)
    if (lacking !== undefined)
      this.fail('invalid-doctype', `the document type has ${lacking}, which the encoding does not have`)
    this.#breakLine()
    this.#text += markup
    this.#doctype = type
    this.#stage = Stage.DOCTYPE
    return this.hasRoom()
  }

  /**
   * Begins an element. Its start tag is complete when the next call other than `attribute` comes, and that call reports what is wrong with its namespaces. A name given
   * as a string is written as it is; an unprefixed one is in the default namespace that holds there.
   */
  startElement(name: XmlWriteName, attributes?: XmlWriteAttributes): boolean {
    const checked = this.#nameOf(name)
    this.#endTag()
    this.#requireElement()
    this.#tag.begin(checked)
    if (attributes !== undefined) this.#addAttributes(name, attributes)
    this.#openTag()
    return this.hasRoom()
  }

  #addAttributes(name: XmlWriteName, attributes: XmlWriteAttributes): void {
    if (!isObject(attributes)) {
      const given = describeValue(attributes)
      this.refuse(
        `the attributes of <${describeName(name)}> must be an object, or pairs of names and values, not ${given}`,
      )
    }
    const pairs = Symbol.iterator in attributes ? attributes : Object.entries(attributes)
    for (const pair of pairs) {
      if (!Array.isArray(pair)) {
        const given = describeValue(pair)
        this.refuse(`an attribute of <${describeName(name)}> must be a pair of a name and a value, not ${given}`)
      }
      this.#addAttribute(pair[0], pair[1])
    }
  }

  /**
   * Begins an element that was read, whose names are written as they were, as long as they have the same namespaces here.
   *
   * @internal
   */
  copyStart(raw: string, namespace: string | undefined, attributes: XmlAttributes): void {
    const name = this.#nameOf(raw) as Name
    this.#endTag()
    this.#requireElement()
    const { prefix } = name
    const isHere =
      !this.#prefixes || namespace === (prefix === '' ? this.#prefixes.default : this.#prefixes.resolve(prefix))
    // Where namespaces were off, nobody knows what a prefix stands for.
    this.#tag.begin(
      isHere || (prefix !== '' && namespace === undefined) ? name : { namespace, localName: name.localName, prefix },
    )
    if (attributes.size > 0) this.#addRead(attributes)
    this.#openTag()
  }

  /** The start tag becomes part of the document when it has its first attributes: they may be wrong. */
  #openTag(): void {
    this.#tag.open()
    this.#stage = Stage.ROOT
  }

  #addRead(attributes: XmlAttributes): void {
    let at = 0
    let details: AttributeDetails[] | undefined
    for (const [raw, value] of attributes) {
      const name = this.#nameOf(raw) as Name
      if (name.isPlain || name.declares !== undefined || !this.#prefixes)
        this.#tag.add(name, this.#escapeValue(value, raw), value)
      else {
        details ??= attributes.details
        const namespace = details[at]?.namespace
        const wanted = namespace === undefined ? name : { namespace, localName: name.localName, prefix: name.prefix }
        this.#tag.add(wanted, this.#escapeValue(value, raw), value)
      }
      at++
    }
  }

  /** Adds an attribute to the start tag before. */
  attribute(name: XmlWriteName, value: string): boolean {
    if (!this.#tag.isOpen) {
      this.refuseEnded()
      this.fail('wrong-place', 'an attribute must come directly after its start tag')
    }
    this.#addAttribute(name, value)
    return this.hasRoom()
  }

  #addAttribute(name: XmlWriteName, value: string): void {
    const checked = this.#nameOf(name)
    this.#tag.add(checked, this.#escapeValue(value, name), value)
  }

  /**
   * Ends the innermost element. A name is compared with that of the start tag: a string is the local name, or the name as it is written there; a name by its namespace has
   * the same local name and namespace, with any prefix.
   */
  endElement(name?: XmlWriteName): boolean {
    const wanted = name === undefined || typeof name === 'string' ? name : this.#endName(name)
    if (this.#tag.isOpen) this.#endEmpty(wanted)
    else {
      const open = this.#open.at(-1)
      if (open === undefined) {
        this.refuseEnded()
        this.fail('wrong-end', 'there is no element to end')
      }
      if (wanted !== undefined && wanted !== open && !this.#isNameOf(wanted, open)) this.#refuseEnd(wanted, open)
      this.#open.pop()
      if (this.#indentation) {
        this.#indentation.close(this.#text, true)
        this.#text = ''
      }
      this.#text += `</${open}>`
      this.#prefixes?.leave(this.#innerDepth)
    }
    if (this.#open.length === 0 && !this.#options.around) this.#stage = Stage.END
    return this.hasRoom()
  }

  /**
   * Ends an element that was read: another prefix may have been chosen for it.
   *
   * @internal
   */
  copyEnd(name: string | undefined): void {
    const open = this.#tag.isOpen ? this.#tag.name : this.#open.at(-1)
    const isOfOpen = name === open || (typeof name === 'string' && open && localPart(name) === localPart(open))
    this.endElement(isOfOpen ? undefined : name)
  }

  #endEmpty(wanted: XmlWriteName | undefined): void {
    const depth = this.#innerDepth
    const { tag, name } = this.#tag.end(depth)
    const isWanted = wanted === undefined || wanted === name || this.#isNameOf(wanted, name)
    this.#prefixes?.leave(depth)
    if (!isWanted) {
      this.#tag.open()
      this.#refuseEnd(wanted, name)
    }
    this.#breakLine()
    this.#text += this.#selfCloses ? `${tag}/>` : `${tag}></${name}>`
  }

  /** A name by its namespace that was checked. Without namespaces, it is only a name. */
  #endName(name: XmlQualifiedName): XmlWriteName {
    const checked = this.#nameOf(name)
    return 'raw' in checked ? checked.raw : checked
  }

  /** Whether the innermost element, whose declarations hold, has a name; `written` is what its start tag has. */
  #isNameOf(name: XmlWriteName, written: string): boolean {
    if (!this.#prefixes) return false
    const localName = localPart(written)
    if (typeof name === 'string') return name === localName
    const prefix = written.slice(0, Math.max(0, written.length - localName.length - 1))
    const namespace = prefix === '' ? this.#prefixes.default : this.#prefixes.resolve(prefix)
    return name.localName === localName && (name.namespace || undefined) === namespace
  }

  #refuseEnd(name: XmlWriteName, open: string): never {
    const shown = typeof name === 'string' ? name : `${name.localName} in ${describeNamespace(name.namespace)}`
    this.fail('wrong-end', `the end of ${shorten(shown)} cannot end <${shorten(open)}>`)
  }

  /** Writes text; also white space outside of the root. An empty text writes nothing. */
  text(text: string): boolean {
    const escaped = this.#escapeText(text)
    if (text === '') {
      this.refuseEnded()
      return this.hasRoom()
    }
    this.#endTag()
    if (this.#open.length === 0 && !this.#options.around) this.#requireBlank(text)
    else this.#indentation?.addText()
    this.#text += escaped
    return this.hasRoom()
  }

  #requireBlank(text: string): void {
    if (!BLANK.test(text)) this.fail('wrong-place', 'text must be in an element')
    // Nothing may come before a declaration.
    if (this.#stage === Stage.START) this.#stage = Stage.DECLARED
  }

  /** Writes text as a CDATA section: as several, where it has `]]>`. */
  cdata(text: string): boolean {
    this.#requireText(text, 'a CDATA section', 'invalid-cdata')
    this.#endTag()
    this.#requireContent('a CDATA section')
    this.#indentation?.addText()
    this.#text += `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
    return this.hasRoom()
  }

  comment(text: string): boolean {
    this.#requireText(text, 'a comment', 'invalid-comment')
    if (text.includes('--') || text.endsWith('-')) {
      this.fail('invalid-comment', 'a comment must not have two hyphens in it, or one at its end')
    }
    this.#addMisc(writeComment(text))
    return this.hasRoom()
  }

  /** Writes a processing instruction. */
  instruction(target: string, data = ''): boolean {
    const name = this.#nameOf(target) as Name
    if (/^xml$/i.test(target) || (this.#prefixes && target.includes(':'))) {
      this.fail('invalid-instruction', `an instruction cannot have the target ${target}`)
    }
    this.#requireText(data, 'an instruction', 'invalid-instruction')
    if (data.includes('?>')) this.fail('invalid-instruction', 'an instruction must not have ?> in it')
    if (/^[ \t\n]/.test(data))
      this.fail('invalid-instruction', 'the data of an instruction must not begin with white space')
    this.#addMisc(writeInstruction(name.raw, data))
    return this.hasRoom()
  }

  /**
   * Writes XML as it is, after it was parsed as content of the element that is open. Its entities must be predefined, or declared in the document type that was written.
   * At its ends, a `>` becomes `&gt;` and a carriage return a line feed where text beside it could make something else of them.
   */
  raw(xml: string): boolean {
    if (typeof xml !== 'string') this.#refuseNonString(xml, 'raw markup')
    // It may use what the start tag declares.
    this.#endTag()
    this.#requireContent('raw markup')
    const { around } = this.#options
    checkRaw(xml, {
      doctype: this.#doctype,
      entities: around?.entities,
      prefixes: this.#prefixes,
      lastCodePoint: this.#lastCodePoint,
      fail: (message, cause) => this.fail('invalid-raw', message, cause),
    })
    this.#indentation?.addText()
    this.#text += mendSeams(xml)
    return this.hasRoom()
  }

  /** Ends the document. All elements must have ended. */
  end(): void {
    this.refuseEnded()
    const open = this.#tag.isOpen ? this.#tag.name : this.#open.at(-1)
    if (open !== undefined) this.fail('unclosed-element', `<${open}> is not ended`)
    if (this.#stage !== Stage.END && !this.#options.around) {
      this.fail('unclosed-element', 'a document must have a root element')
    }
    if (this.#indentation && this.#options.endsLine) this.#text += '\n'
    this.#stage = Stage.CLOSED
  }

  /**
   * Throws if the document has ended: then nothing more can be written.
   *
   * @internal
   */
  refuseEnded(): void {
    if (this.#stage === Stage.CLOSED) this.fail('wrong-place', 'the document has ended')
  }

  /** Comments and instructions. */
  #addMisc(markup: string): void {
    this.#endTag()
    if (this.#stage === Stage.START) this.#stage = Stage.DECLARED
    this.#breakLine()
    this.#text += markup
  }

  /** Writes the start tag that waits for attributes. If its namespaces are wrong, it throws and the tag still waits, so attributes can mend it. */
  #endTag(): void {
    if (!this.#tag.isOpen) {
      this.refuseEnded()
      return
    }
    const { tag, name } = this.#tag.end(this.#innerDepth)
    this.#breakLine()
    this.#indentation?.open(/ xml:space="preserve"/.test(tag))
    this.#open.push(name)
    this.#text += `${tag}>`
  }

  #breakLine(): void {
    if (!this.#indentation) return
    this.#indentation.breakLine(this.#text)
    this.#text = ''
  }

  #requireElement(): void {
    if (this.#stage === Stage.END) this.fail('wrong-place', 'a document has one root element')
  }

  #requireContent(what: string): void {
    if (this.#open.length === 0 && !this.#options.around) this.fail('wrong-place', `${what} must be in an element`)
  }

  #nameOf(name: XmlWriteName): Name | XmlQualifiedName {
    if (typeof name === 'string' || typeof name !== 'object' || name === null) return this.#checked(name)
    const { localName, namespace, prefix } = name
    if (typeof (namespace ?? '') !== 'string') this.#refuseNonString(namespace, 'a namespace')
    for (const part of [localName, prefix]) {
      if (part && this.#checked(part).raw.includes(':')) this.fail('invalid-name', `${part} has a colon`)
    }
    if (prefix === 'xmlns' || (!prefix && localName === 'xmlns'))
      this.fail('invalid-name', 'xmlns declares namespaces: write it as a string')
    if (!this.#prefixes) return this.#checked(prefix ? `${prefix}:${localName}` : localName)
    return { localName: this.#checked(localName).raw, namespace, prefix }
  }

  #checked(raw: string): Name {
    const name = this.#names.get(raw)
    if (typeof name === 'string') this.fail('invalid-name', name)
    return name
  }

  #escapeText(text: string): string {
    if (typeof text !== 'string') this.#refuseNonString(text, 'text')
    if (!SPECIAL_IN_TEXT.test(text) && this.#lastCodePoint === LAST_CODE_POINT) return text
    this.#requireCharacters(text, 'text')
    return escapeText(text, this.#lastCodePoint)
  }

  #escapeValue(value: string, name: XmlWriteName): string {
    if (typeof value !== 'string') this.#refuseNonString(value, `the value of ${describeName(name)}`)
    if (!SPECIAL_IN_VALUE.test(value) && this.#lastCodePoint === LAST_CODE_POINT) return value
    this.#requireCharacters(value, `the value of ${describeName(name)}`)
    return escapeAttribute(value, this.#lastCodePoint)
  }

  #refuseNonString(value: unknown, what: string): never {
    this.refuse(`${what} must be a string, not ${describeValue(value)}`)
  }

  #requireCharacters(text: string, what: string): void {
    const index = findForbidden(text)
    if (index === -1) return
    this.fail(
      'invalid-character',
      `${what} has ${nameCharacter(text, index)} at index ${index}, which is not a character that XML 1.0 allows`,
    )
  }

  /** Checks text in which nothing can be escaped. */
  #requireText(text: string, what: string, code: XmlWriteErrorCode): void {
    if (typeof text !== 'string') this.#refuseNonString(text, what)
    this.#requireCharacters(text, what)
    if (text.includes('\r')) this.fail(code, `${what} must not have a carriage return: it cannot be escaped there`)
    const lacking = findLacking(text, this.#lastCodePoint)
    if (lacking !== undefined)
      this.fail('invalid-character', `${what} has ${lacking}, which the encoding does not have`)
  }
}

/**
 * Raw markup whose ends mean nothing else beside text or other raw markup: it cannot complete a `]]>`, which text must not have, and a carriage return at its end is
 * written as the line feed that it is read as, which cannot become one line end with what follows.
 */
function mendSeams(xml: string): string {
  return xml.replace(/^(\]?)>/, '$1&gt;').replace(/\r$/, '\n')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function describeName(name: XmlWriteName): string {
  return typeof name === 'string' ? name : name.localName
}

function describeNamespace(namespace: string | undefined): string {
  return namespace ? `the namespace ${namespace}` : 'no namespace'
}

function localPart(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
