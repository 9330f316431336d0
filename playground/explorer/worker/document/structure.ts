// The structure of a document: its elements by their paths, as far as they were seen.

import type { XmlEvent } from 'xylem/xml/streaming'
import type { PickedElement, SeenAttribute, StructureNode, StructureRow } from '../../protocol.ts'
import { detachText } from './detach-text.ts'
import { findLikelyRecord } from './likely-record.ts'

const EXAMPLE_LENGTH = 80
/** Attributes of an element whose names are kept, and those of them in a row. */
const MOST_ATTRIBUTES = 100
const ROW_ATTRIBUTES = 8
/** UTF-16 units of all names and examples that are kept. */
const MOST_TEXT = 16 * 1024 * 1024
/** Of a name, and of a path, in a row. */
const ROW_NAME = 200
const ROW_PATH = 500
/** Elements inside of one that is picked, and levels: the library has paths of some 30 steps. */
const MOST_PICKED = 500
const MOST_LEVELS = 28

const ROOT = -1

interface CountedAttribute extends SeenAttribute {
  count: number
}

class Seen {
  readonly node: number
  readonly name: string
  readonly around: Seen | undefined
  children: Map<string, Seen> | undefined
  attributes: Map<string, CountedAttribute> | undefined
  count = 0
  most = 0
  example: string | undefined
  /** How many there are so far in the element around them that is open, and which one that is. */
  #here = 0
  #around = 0

  constructor(node: number, name: string, around: Seen | undefined) {
    this.node = node
    this.name = name
    this.around = around
  }

  /** One begins, in the element around them with this number. */
  begin(around: number): void {
    this.count++
    this.#here = this.#around === around ? this.#here + 1 : 1
    this.#around = around
    if (this.#here > this.most) this.most = this.#here
  }

  /** From the root: `feed/entry/title`. */
  get path(): string {
    const names: string[] = []
    let each: Seen | undefined = this
    for (; each && each.node !== ROOT; each = each.around) names.push(each.name)
    return names.reverse().join('/')
  }

  /** The end of a path that may be long. */
  get shortPath(): string {
    let path = shorten(this.name, ROW_PATH)
    let { around } = this
    for (; around && around.node !== ROOT && path.length + around.name.length < ROW_PATH; { around } = around)
      path = `${around.name}/${path}`
    return around && around.node !== ROOT ? `…/${path}` : path
  }

  /** It with those of `kept` that are inside. */
  toNode(kept: ReadonlySet<Seen>): StructureNode {
    const { name, count, most, example, attributes, children } = this
    const inside = [...(children?.values() ?? [])].filter((child) => kept.has(child)).map((child) => child.toNode(kept))
    return { name, count, most, attributes: [...(attributes?.values() ?? [])], example, children: inside }
  }
}

export class Structure {
  readonly #limit: number
  readonly #root = new Seen(ROOT, '', undefined)
  readonly #nodes: Seen[] = []
  /** The elements that are open, from the outermost; undefined those that are not kept. */
  readonly #open: (Seen | undefined)[] = []
  #elements = 0
  #textLength = 0
  #isCut = false
  /** Nodes that were reported. */
  #reported = 0

  /** `limit`: how many paths are kept. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many elements there were. */
  get elements(): number {
    return this.#elements
  }

  /** Whether there were paths or attributes that are not kept. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** The nodes that are new since the last call, by those around them. */
  takeAdded(): Int32Array<ArrayBuffer> {
    const added = this.#nodes.slice(this.#reported)
    this.#reported = this.#nodes.length
    return Int32Array.from(added, ({ around }) => around?.node ?? ROOT)
  }

  rowOf(node: number): StructureRow | undefined {
    const seen = this.#nodes[node]
    if (!seen) return undefined
    const { name, count, most, example, attributes, shortPath: path } = seen
    const first = [...(attributes?.values() ?? [])].slice(0, ROW_ATTRIBUTES)
    const shown = first.map((attribute) => ({ ...attribute, name: shorten(attribute.name, ROW_NAME) }))
    const attributeCount = attributes?.size ?? 0
    return { node, path, name: shorten(name, ROW_NAME), count, most, example, attributes: shown, attributeCount }
  }

  /** The element that is probably the record of the document; undefined as long as none is repeated. */
  get likelyRecord(): number | undefined {
    return findLikelyRecord(this.#root)?.node
  }

  /** An element with those inside; if these are very many, with the outermost and first of them. */
  pick(node: number): PickedElement | undefined {
    const seen = this.#nodes[node]
    if (!seen) return undefined
    const kept = new Set([seen])
    let level = [seen]
    for (let levels = 0; levels < MOST_LEVELS && level.length > 0; levels++) {
      level = level.flatMap((each) => [...(each.children?.values() ?? [])]).slice(0, MOST_PICKED + 1 - kept.size)
      for (const each of level) kept.add(each)
    }
    return { path: seen.path, ...seen.toNode(kept) }
  }

  add(event: XmlEvent): void {
    if (event.type === 'start') {
      const around = this.#open.length === 0 ? this.#root : this.#open.at(-1)
      const seen = around && this.#find(around, event.name)
      this.#elements++
      seen?.begin(around === undefined ? 0 : around.count)
      if (seen) for (const [name, value] of event.attributes) this.#addAttribute(seen, name, value)
      this.#open.push(seen)
    } else if (event.type === 'end') {
      this.#open.pop()
    } else if (event.type === 'text') {
      const seen = this.#open.at(-1)
      if (!seen || seen.example !== undefined) return
      const text = event.text.trim()
      if (text !== '') seen.example = shortenExample(text)
    }
  }

  #find(around: Seen, name: string): Seen | undefined {
    const known = around.children?.get(name)
    if (known) return known
    if (this.#nodes.length === this.#limit || !this.#hasRoomFor(name)) {
      this.#isCut = true
      return undefined
    }
    const seen = new Seen(this.#nodes.length, name, around)
    this.#nodes.push(seen)
    around.children ??= new Map()
    around.children.set(name, seen)
    return seen
  }

  #addAttribute(seen: Seen, name: string, value: string): void {
    const known = seen.attributes?.get(name)
    if (known) known.count++
    else if ((seen.attributes?.size ?? 0) < MOST_ATTRIBUTES && this.#hasRoomFor(name)) {
      seen.attributes ??= new Map()
      seen.attributes.set(name, { name, count: 1, example: shortenExample(value) })
    } else this.#isCut = true
  }

  /** Whether a name and an example can be kept, which are counted then. */
  #hasRoomFor(name: string): boolean {
    this.#textLength += name.length + EXAMPLE_LENGTH
    return this.#textLength <= MOST_TEXT
  }
}

function shortenExample(text: string): string {
  const line = text.slice(0, 4 * EXAMPLE_LENGTH).replaceAll(/\s+/g, ' ')
  return detachText(line.length > EXAMPLE_LENGTH ? `${line.slice(0, EXAMPLE_LENGTH).trimEnd()} …` : line)
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
