// Finds the elements that edits are for, from tags alone: the document is read as it is for a check.

import { normalizeEncoding } from '../../text/encodings.ts'
import { decodeUtf8 } from '../../text/units.ts'
import type { DocumentType } from '../doctype/document-type.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import { makeName } from '../names/names.ts'
import type { Consumer, DocumentFacts, XmlDeclaration } from '../parser/consumer.ts'
import { Subject } from '../projection/subject.ts'
import type { Automaton, State } from '../question/automaton.ts'
import { SymbolClasses } from '../question/name-classes.ts'
import { PARTNER, RECORD_WORDS, SYMBOL, type TapeFrame } from '../tape/tape-frame.ts'
import { DocumentDeclarations } from './declarations.ts'
import type { Found, WrittenAttribute } from './found.ts'

const NONE: readonly WrittenAttribute[] = []
const NO_EDITS: readonly number[] = []
const ENCODING = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']*)["']/

/** How what is found is located in what is copied. */
export interface Copied {
  /** The encoding of the result. */
  readonly encoding: string
  /** Whether it is copied from the UTF-8 that the parser gets, and not from the source. */
  readonly isConverted: boolean
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
  /** The depths of open elements that were found: edits match them, or they declare something. */
  readonly #open: number[] = []
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
        if (state.isFound) this.#begin(frame, part, record, this.#editsOf(state), depth, attributes)
        else if (attributes && hasNamespaces && !entity && declaresAny(attributes))
          this.#begin(frame, part, record, NO_EDITS, depth, attributes)
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

  #begin(
    frame: TapeFrame,
    nameRecord: number,
    tag: number,
    edits: readonly number[],
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
    this.#open.push(depth)
    this.#openDepth = depth
    this.#found.push({
      kind: 'start',
      edits,
      depth,
      name,
      namespace: name.prefix === '' ? scopes?.default : scopes?.resolve(name.prefix),
      attributes,
      written: edits.length === 0 ? NONE : this.#writtenIn(frame, nameRecord, tag),
      start: this.#copiedOffset(parsedOffset),
      nameEnd: this.#copiedOffset(frame.endOf(nameRecord)),
      tagEnd: this.#copiedOffset(frame.tagEndOf(tag)),
      isEmpty: frame.isEmptyTag(tag),
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
    const depth = this.#open.pop() as number
    this.#openDepth = this.#open.at(-1) ?? 0
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

function declaresAny(attributes: XmlAttributes): boolean {
  for (const [raw] of attributes) if (makeName(raw).declares !== undefined) return true
  return false
}
