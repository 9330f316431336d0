// Goes over a document, or its beginning, and counts what is where. Memory is bounded by the number of different paths, whatever the document has.

import type { Cursor } from '../../stream/cursor.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import type { XmlEvent } from '../events.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { XmlOptions } from '../options.ts'
import { readXml } from '../reader.ts'
import { PathNode } from './path-node.ts'
import { LONGEST_VALUE, ValueSurvey } from './value-kinds.ts'

/** UTF-16 units of text that are held at once. */
const MAX_TEXT = 64 * 1024
/** How deep elements are looked at: paths have at most 30 steps. */
const MAX_DEPTH = 28
/** Different attributes and children of one element: with more, names are data. */
const MAX_NAMES = 1000

export interface SurveyOptions extends XmlOptions {
  /** Bytes after which reading stops. */
  readonly bytes: number
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
}

/** What was seen of a document. */
export class Survey {
  /** The parent of the root. */
  readonly top = new PathNode('')
  /** Bytes that were looked at, and whether that is all. */
  bytes = 0
  isComplete = false
  /** Why reading has stopped, if the document has an error. */
  error: unknown
  /** Whether declarations of namespaces are no attributes. */
  readonly hasNamespaces: boolean
  readonly #maxPaths: number
  #paths = 0
  #elements = 0
  readonly #open: OpenElement[] = []
  /** How many elements are open in one that is cut. */
  #skipped = 0

  constructor({ namespaces = true, maxPaths }: Pick<SurveyOptions, 'namespaces' | 'maxPaths'>) {
    this.hasNamespaces = namespaces
    this.#maxPaths = maxPaths
  }

  /** Whether there were more paths than are kept. */
  get isCut(): boolean {
    return this.#paths >= this.#maxPaths
  }

  begin(name: string, attributes: XmlAttributes, start: number): void {
    const parent = this.#open.at(-1)
    if (parent) parent.isNested = true
    if (this.#skipped > 0) {
      this.#skipped++
      return
    }
    const node = this.#child(parent?.node ?? this.top, name)
    if (!node) {
      this.#skipped = 1
      return
    }
    node.begin(parent?.number ?? 0)
    const names: string[] = []
    for (const [attribute, value] of attributes) {
      if (this.hasNamespaces && isDeclaration(attribute)) continue
      this.#addAttribute(node, attribute, value)
      names.push(attribute)
    }
    const number = ++this.#elements
    this.#open.push({ node, number, attributes: names, start, text: '', isTextual: false, isNested: false })
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
    const { node, start, text, isTextual, isNested } = this.#open.pop() as OpenElement
    node.count++
    node.bytes += end - start
    if (isTextual) node.textual++
    if (isNested) node.nested++
    else node.addText(text)
    if (isTextual && isNested) node.mixed++
  }

  /** Adds events up to so many bytes. Returns whether more are looked at. */
  addAll(events: readonly XmlEvent[], most: number): boolean {
    for (const event of events) {
      if (event.end > most) return false
      this.bytes = event.end
      if (event.type === 'start') this.begin(event.name, event.attributes, event.start)
      else if (event.type === 'end') this.end(event.end)
      else if (event.type === 'text') this.addText(event.text)
    }
    return true
  }

  /** Nothing more is looked at. */
  finish(): void {
    this.isComplete = this.error === undefined && this.#elements > 0 && this.#open.length === 0
    // What they have is not counted among what those have that have ended.
    for (const { node, number, attributes, start } of this.#open) {
      node.bytes += this.bytes - start
      node.forget(number, attributes)
    }
    this.#open.length = 0
  }

  #child(parent: PathNode, name: string): PathNode | undefined {
    const known = parent.children.get(name)
    if (known) return known
    if (this.isCut || parent.depth >= MAX_DEPTH || parent.nameCount >= MAX_NAMES) {
      parent.isCut = true
      return undefined
    }
    this.#paths++
    const node = new PathNode(name, parent)
    parent.children.set(name, node)
    return node
  }

  #addAttribute(node: PathNode, name: string, value: string): void {
    let values = node.attributes.get(name)
    if (!values) {
      if (this.isCut || node.nameCount >= MAX_NAMES) {
        node.isCut = true
        return
      }
      this.#paths++
      values = new ValueSurvey()
      node.attributes.set(name, values)
    }
    values.add(value)
  }
}

/** Reads a document from a source, or from the position of a cursor, which is not released. An error in the document ends the survey. */
export async function survey(source: ByteSource | Cursor, options: SurveyOptions): Promise<Survey> {
  const { bytes, maxPaths, ...reading } = options
  const seen = new Survey(options)
  const batches = readXml(source, reading).events({ maxText: MAX_TEXT }).batches()
  try {
    for await (const events of batches) if (!seen.addAll(events, bytes)) break
  } catch (error) {
    reading.signal?.throwIfAborted()
    seen.error = error
  }
  seen.finish()
  return seen
}

/** Whether an attribute declares a namespace. */
export function isDeclaration(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}
