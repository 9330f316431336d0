// Finds the elements that edits are for, from tags alone: the document is read as it is for a check.

import { normalizeEncoding } from '../../text/encodings.ts'
import { decodeUtf8 } from '../../text/units.ts'
import type { DocumentType } from '../doctype/document-type.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { Consumer, DocumentFacts, XmlDeclaration } from '../parser/consumer.ts'
import { Subject } from '../projection/subject.ts'
import type { Automaton, State } from '../question/automaton.ts'
import { SymbolClasses } from '../question/name-classes.ts'
import { PARTNER, RECORD_WORDS, SYMBOL, type TapeFrame } from '../tape/tape-frame.ts'
import { DocumentDeclarations } from './declarations.ts'
import type { Found, WrittenAttribute } from './found.ts'
import { Scope } from './scope.ts'

const NONE: readonly WrittenAttribute[] = []
const ENCODING = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']*)["']/

/** How what is found is located in what is copied. */
export interface Copied {
  /** The encoding of the result. */
  readonly encoding: string
  /** Whether it is copied from the UTF-8 that the parser gets, and not from the source. */
  readonly isConverted: boolean
}

/** An open element whose end matters: it was found, or it declares something. */
interface OpenElement {
  readonly depth: number
  readonly isFound: boolean
  /** What prefixes stand for in it; undefined where namespaces are off. */
  readonly scope: Scope | undefined
}

export class EditFinder implements Consumer {
  readonly sharedText = 0
  dropDepth: number | undefined
  readonly #automaton: Automaton
  readonly #copied: () => Copied
  readonly #edits = new Map<State, readonly number[]>()
  #facts: DocumentFacts | undefined
  #classes: SymbolClasses | undefined
  #found: Found[] = []
  /** What is wanted in the document, and then in each open element: as many as `depth` says. Those after them are left from elements that have ended. */
  readonly #states: State[]
  #depth = 0
  readonly #open: OpenElement[] = []
  /** The depth of the last of them; 0 for none. */
  #openDepth = 0
  #doctype: Uint8Array | undefined
  #declarations = new DocumentDeclarations(undefined)

  constructor(automaton: Automaton, copied: () => Copied) {
    this.#automaton = automaton
    this.#copied = copied
    this.#states = [automaton.start]
  }

  get facts(): DocumentFacts {
    return this.#facts as DocumentFacts
  }

  /** The document type declaration in UTF-8; undefined where there is none. */
  get doctype(): Uint8Array | undefined {
    return this.#doctype
  }

  /** What the document type declares; nothing where there is none. */
  get declarations(): DocumentDeclarations {
    return this.#declarations
  }

  /** What was found since the last call, in the order of the document. */
  take(): Found[] {
    const found = this.#found
    if (found.length > 0) this.#found = []
    return found
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#classes = new SymbolClasses(this.#automaton, facts)
  }

  /** If the XML declaration names another encoding than the result has, that name is found: it is replaced, so that the result can be read. */
  declaration({ encoding }: XmlDeclaration, start: number, end: number): void {
    const { encoding: written } = this.#copied()
    const declared = encoding === undefined ? written : normalizeEncoding(encoding)
    if (declared === written || (declared === 'utf-16' && written.startsWith('utf-16'))) return
    const bytes = this.facts.machine.viewInput(start, end)
    const text = decodeUtf8(bytes, 0, bytes.length)
    const [found = '', name = ''] = ENCODING.exec(text) ?? []
    const from = start + found.length - 1 - name.length
    this.#found.push({ kind: 'encoding', start: this.#copiedOffset(from), end: this.#copiedOffset(from + name.length) })
  }

  documentType(type: DocumentType, start: number, end: number): void {
    this.#doctype = this.facts.machine.viewInput(start, end).slice()
    this.#declarations = new DocumentDeclarations(type)
  }

  // One loop over numbers, which all tags of a document pass: other methods do the rest where an element is found. An element in which nothing is wanted
  // (`isDead`), or that has no elements, is not looked at. If its end is among the records, its partner says where: the loop continues after it, or with its end
  // tag where something is to be done for the element itself (not `isIdle`). If its end has not been read, `dropDepth` asks the parser to give nothing before that.
  // A tag is `settled` that declares namespaces, or gets defaults from the document type: its attributes were already made.
  read(frame: TapeFrame, first: number, end: number): number {
    const { words, types, entity, settled } = frame
    const { startTag, endTag, emptyTag, isPart } = types
    this.#facts?.tape.link(frame, first, end)
    const hasNamespaces = this.#facts?.scopes !== undefined
    const states = this.#states
    const classes = (this.#classes as SymbolClasses).in(frame)
    let depth = this.#depth
    let part = first
    for (let record = first; record < end; record++) {
      const at = record * RECORD_WORDS
      const type = (words[at] as number) & 255
      if (type === startTag) {
        const parent = states[depth] as State
        const nameClass = classes.of(words[part * RECORD_WORDS + SYMBOL] as number)
        const state = parent.steps?.next[nameClass] ?? this.#decide(frame, part, record, parent, nameClass)
        const partner = words[at + PARTNER] as number
        if (state.isIdle && partner > 0 && (state.isDead || partner === 1)) {
          record += partner
          part = record + 1
          continue
        }
        states[++depth] = state
        const attributes = settled?.tag === record ? settled.attributes : undefined
        if (state.isFound) this.#begin(frame, part, record, state, depth, attributes)
        else if (attributes && hasNamespaces) this.#enter(attributes, depth)
        if (state.isDead && partner > 0) {
          // The next record is that of its end.
          record += partner - 1
        } else if (state.isDead && !entity) {
          // It continues after the available input: all of that is in it.
          this.dropDepth = depth
          break
        }
      } else if (type === endTag || type === emptyTag) {
        if (this.dropDepth === depth) this.dropDepth = undefined
        if (this.#openDepth === depth) this.#end(frame, record, type === endTag)
        depth--
      } else if (isPart[type] === 0) {
        continue
      }
      part = record + 1
    }
    this.#depth = depth
    return end
  }

  #decide(frame: TapeFrame, nameRecord: number, tag: number, parent: State, nameClass: number): State {
    return this.#automaton.decide(parent, nameClass, new Subject(this.facts, frame, nameRecord, tag))
  }

  /** The scope around what begins next. */
  get #scope(): Scope {
    return this.#open.at(-1)?.scope ?? Scope.OUTERMOST
  }

  /** The element that has begun declares what its attributes do. */
  #enter(attributes: XmlAttributes, depth: number): void {
    const outer = this.#scope
    const scope = outer.enter(attributes, false)
    if (scope !== outer) this.#push({ depth, isFound: false, scope })
  }

  #push(open: OpenElement): void {
    this.#open.push(open)
    this.#openDepth = open.depth
  }

  #begin(
    frame: TapeFrame,
    nameRecord: number,
    tag: number,
    state: State,
    depth: number,
    settled: XmlAttributes | undefined,
  ): void {
    const { scopes, toSource, attributesOf } = this.facts
    const name = frame.nameOf(nameRecord)
    const parsedOffset = frame.place(frame.startOf(tag))
    const byteOffset = toSource ? toSource(parsedOffset) : parsedOffset
    if (frame.entity) {
      this.#found.push({
        kind: 'entity',
        name: name.raw,
        entity: frame.entity.outermost,
        start: this.#copiedOffset(parsedOffset),
        parsedOffset,
        byteOffset,
      })
      return
    }
    const attributes = settled ?? attributesOf(frame, nameRecord, tag)
    const outer = scopes && this.#scope
    const inner = outer?.enter(attributes, true)
    const isEmpty = frame.isEmptyTag(tag)
    this.#push({ depth, isFound: true, scope: inner })
    this.#found.push({
      kind: 'start',
      edits: this.#editsOf(state),
      depth,
      name,
      namespace: name.prefix === '' ? scopes?.default : scopes?.resolve(name.prefix),
      attributes,
      written: this.#writtenIn(frame, nameRecord, tag),
      start: this.#copiedOffset(parsedOffset),
      nameEnd: this.#copiedOffset(frame.endOf(nameRecord)),
      tagEnd: this.#copiedOffset(frame.tagEndOf(tag)),
      isEmpty,
      outer,
      inner,
      parsedOffset,
      byteOffset,
    })
  }

  /** The edits that match elements in a state. */
  #editsOf(state: State): readonly number[] {
    let edits = this.#edits.get(state)
    if (!edits) {
      edits = state.actions.map(({ rank }) => rank)
      // A state without a number may be used once only: the automaton has not listed it, and can make one for each element. The map would grow with the document.
      if (state.number >= 0) this.#edits.set(state, edits)
    }
    return edits
  }

  #writtenIn(frame: TapeFrame, nameRecord: number, tag: number): readonly WrittenAttribute[] {
    if (nameRecord + 1 === tag) return NONE
    const written: WrittenAttribute[] = []
    for (let record = nameRecord + 1; record < tag; record++) {
      const { raw } = frame.nameOf(record)
      const start = this.#copiedOffset(frame.startOf(record))
      record = frame.nextLiteral(record + 1)
      // The closing quote follows the value.
      written.push({ name: raw, start, end: this.#copiedOffset(frame.endOf(record) + 1) })
    }
    return written
  }

  #end(frame: TapeFrame, record: number, isTag: boolean): void {
    const { depth, isFound } = this.#open.pop() as OpenElement
    this.#openDepth = this.#open.at(-1)?.depth ?? 0
    if (!isFound) return
    const end = this.#copiedOffset(frame.endOf(record))
    const start = isTag ? this.#copiedOffset(frame.startOf(record)) : end
    this.#found.push({ kind: 'end', depth, start, end })
  }

  /** An offset in what is parsed, as one in what is copied. */
  #copiedOffset(offset: number): number {
    const { toSource } = this.facts
    return toSource && !this.#copied().isConverted ? toSource(offset) : offset
  }
}
