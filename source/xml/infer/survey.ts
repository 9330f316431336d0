// Goes over documents, or their beginnings, and counts what is where. Memory is bounded by the number of different paths, whatever the documents have.

import type { Cursor } from '../../stream/cursor.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import type { XmlEvent } from '../events.ts'
import type { AttributeDetails, XmlAttributes } from '../names/attributes.ts'
import { NIL, XSI_NAMESPACE } from '../names/namespaces.ts'
import type { XmlOptions } from '../options.ts'
import { readXml } from '../reader.ts'
import { chooseRecords } from './choose-records.ts'
import { PathNode } from './path-node.ts'
import { ShapeNames } from './shape-names.ts'
import { LONGEST_VALUE, ValueSurvey } from './value-kinds.ts'

/** UTF-16 units of text that are held at once. */
const MAX_TEXT = 64 * 1024
/** How deep elements are looked at: paths have at most 30 steps. */
const MAX_DEPTH = 28
/** Different attributes and children of one element: with more, names are data. */
const MAX_NAMES = 1000
/** Bytes of each document that are looked at as long as there is room for so many. */
const LEAST_SHARE = 64 * 1024

export interface SurveyOptions extends XmlOptions {
  /** Bytes after which reading stops. All documents share them. */
  readonly bytes: number
  /** The same where nothing was found in `bytes` that records could be made of. */
  readonly mostBytes: number
  /** Different paths of elements and attributes that are kept. */
  readonly maxPaths: number
}

/** An element that is open. */
interface OpenElement {
  readonly node: PathNode
  readonly number: number
  readonly attributes: readonly string[]
  readonly start: number
  /** Its own text as far as it is looked at, and whether it has more than blanks, and elements. */
  text: string
  isTextual: boolean
  isNested: boolean
  /** Whether it says that it is null. */
  readonly isNil: boolean
}

/** What was seen of documents. */
export class Survey {
  /** The parent of the roots. */
  readonly top = new PathNode('')
  /** Bytes that were looked at, whether that is all, and those of the longest document. */
  bytes = 0
  isComplete = true
  longest = 0
  /** Why reading has stopped in the first document that has an error, and which one that is. */
  error: unknown
  failed = -1
  readonly names: ShapeNames
  readonly #maxPaths: number
  #paths = 0
  #elements = 0
  /** Of the open document: how many bytes, its number as a parent, and which one it is. */
  #length = 0
  #document = 0
  #index = -1
  readonly #open: OpenElement[] = []
  /** How many elements are open in one that is cut. */
  #skipped = 0

  constructor({ namespaces = true, maxPaths }: Pick<SurveyOptions, 'namespaces' | 'maxPaths'>) {
    this.names = new ShapeNames(namespaces)
    this.#maxPaths = maxPaths
  }

  /** Whether there were more paths than are kept. */
  get isCut(): boolean {
    return this.#paths >= this.#maxPaths
  }

  begin(name: string, namespace: string | undefined, attributes: XmlAttributes, start: number): void {
    const parent = this.#open.at(-1)
    if (parent) parent.isNested = true
    if (this.#skipped > 0) {
      this.#skipped++
      return
    }
    const node = this.#child(parent?.node ?? this.top, name, namespace)
    if (!node) {
      this.#skipped = 1
      return
    }
    node.begin(parent?.number ?? this.#document)
    const names: string[] = []
    let isNil = false
    for (const attribute of attributes.details) {
      if (!this.names.isNoValue(attribute)) names.push(this.#addAttribute(node, attribute))
      else if (attribute.namespace === XSI_NAMESPACE) isNil = NIL.test(attribute.value)
    }
    const number = ++this.#elements
    this.#open.push({ node, number, attributes: names, start, text: '', isTextual: false, isNested: false, isNil })
  }

  addText(text: string): void {
    const open = this.#open.at(-1)
    if (!open || this.#skipped > 0) return
    open.isTextual ||= /[^ \t\r\n]/.test(text)
    if (open.text.length <= LONGEST_VALUE) open.text += text.slice(0, LONGEST_VALUE + 1)
  }

  end(end: number): void {
    if (this.#skipped > 0) {
      this.#skipped--
      return
    }
    const { node, start, text, isTextual, isNested, isNil } = this.#open.pop() as OpenElement
    node.count++
    node.bytes += end - start
    if (isTextual) node.textual++
    if (isNested) node.nested++
    else if (isNil && !isTextual) node.nils++
    else node.addText(text)
    if (isTextual && isNested) node.mixed++
  }

  beginDocument(): void {
    this.#length = 0
    this.#document = ++this.#elements
    this.#index++
  }

  /** Adds events up to the first whose end is not wanted. Returns whether more are looked at. */
  addAll(events: readonly XmlEvent[], isWanted: (end: number) => boolean): boolean {
    for (const event of events) {
      if (!isWanted(event.end)) return false
      this.#length = event.end
      if (event.type === 'start') this.begin(event.name, event.namespace, event.attributes, event.start)
      else if (event.type === 'end') this.end(event.end)
      else if (event.type === 'text') this.addText(event.text)
    }
    return true
  }

  /** Nothing more is looked at of a document, and `error` is why; undefined if there is none. */
  endDocument(isComplete: boolean, error: unknown): void {
    this.isComplete &&= isComplete && this.#elements > this.#document
    this.bytes += this.#length
    this.longest = Math.max(this.longest, this.#length)
    if (error !== undefined && this.failed === -1) [this.error, this.failed] = [error, this.#index]
    // What they have is not counted among what those have that have ended.
    for (const { node, number, attributes, start } of this.#open) {
      node.bytes += this.#length - start
      node.forget(number, attributes)
    }
    this.#open.length = 0
    this.#skipped = 0
  }

  #child(parent: PathNode, written: string, namespace: string | undefined): PathNode | undefined {
    const known = parent.children.get(this.names.elements.find(written, namespace) ?? '')
    if (known) return known
    if (this.isCut || parent.depth >= MAX_DEPTH || parent.nameCount >= MAX_NAMES) {
      parent.isCut = true
      return undefined
    }
    this.#paths++
    const node = new PathNode(this.names.elements.add(written, namespace), parent)
    parent.children.set(node.name, node)
    return node
  }

  /** Its name in paths. */
  #addAttribute(node: PathNode, { name: written, namespace, value }: AttributeDetails): string {
    let name = this.names.attributes.find(written, namespace) ?? ''
    let values = node.attributes.get(name)
    if (!values) {
      if (this.isCut || node.nameCount >= MAX_NAMES) {
        node.isCut = true
        return ''
      }
      this.#paths++
      values = new ValueSurvey()
      name = this.names.attributes.add(written, namespace)
      node.attributes.set(name, values)
    }
    values.add(value)
    return name
  }
}

/** Reads documents from sources, or from the positions of cursors, which are not released. An error in a document ends what is looked at of it. */
export async function survey(
  sources: Iterable<ByteSource | Cursor>,
  count: number,
  { bytes, mostBytes, maxPaths, ...reading }: SurveyOptions,
): Promise<Survey> {
  const seen = new Survey({ maxPaths, namespaces: reading.namespaces })
  let most = bytes
  let left = count
  for (const source of sources) {
    const shareOf = (room: number) => Math.max(room / left, Math.min(room, LEAST_SHARE))
    let share = shareOf(most - seen.bytes)
    const isWanted = (end: number): boolean => {
      if (end > share && most < mostBytes && !chooseRecords(seen.top)) {
        most = mostBytes
        share = shareOf(most - seen.bytes)
      }
      return end <= share
    }
    if (!isWanted(1)) {
      seen.isComplete = false
      break
    }
    seen.beginDocument()
    let isComplete = true
    let failure: unknown
    try {
      for await (const events of readXml(source, reading).events({ maxText: MAX_TEXT }).batches()) {
        isComplete = seen.addAll(events, isWanted)
        if (!isComplete) break
      }
    } catch (error) {
      reading.signal?.throwIfAborted()
      failure = error
    }
    seen.endDocument(isComplete && failure === undefined, failure)
    left--
  }
  return seen
}
