// The structure of a document: its elements by their paths, as far as they were seen.

import type { XmlEvent } from 'xylem/xml/streaming'
import type { StructureNode } from '../protocol.ts'

const EXAMPLE_LENGTH = 80
/** Attributes of an element whose names are kept. */
const MOST_ATTRIBUTES = 100

interface SeenAttribute {
  count: number
  readonly example: string
}

class Seen {
  readonly name: string
  readonly path: string
  readonly children = new Map<string, Seen>()
  readonly attributes = new Map<string, SeenAttribute>()
  count = 0
  most = 0
  example: string | undefined
  /** How many there are so far in the element around them that is open, and which one that is. */
  #here = 0
  #around = 0

  constructor(name: string, path: string) {
    this.name = name
    this.path = path
  }

  /** One begins, in the element around them with this number. */
  begin(around: number): void {
    this.count++
    this.#here = this.#around === around ? this.#here + 1 : 1
    this.#around = around
    if (this.#here > this.most) this.most = this.#here
  }

  toNode(): StructureNode {
    return {
      path: this.path,
      name: this.name,
      count: this.count,
      most: this.most,
      attributes: [...this.attributes].map(([name, { count, example }]) => ({ name, count, example })),
      example: this.example,
      children: [...this.children.values()].map((child) => child.toNode()),
    }
  }
}

export class Structure {
  readonly #limit: number
  readonly #root = new Seen('', '')
  /** The elements that are open, from the outermost; undefined those that are not kept. */
  readonly #open: (Seen | undefined)[] = []
  #kept = 0
  #elements = 0
  #isCut = false

  /** `limit`: how many paths are kept. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many elements there were. */
  get elements(): number {
    return this.#elements
  }

  /** Whether there were paths that are not kept. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** The element at the root, as it was seen so far; none at the beginning. */
  get roots(): StructureNode[] {
    return this.#root.toNode().children.slice()
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
      if (text !== '') seen.example = shorten(text)
    }
  }

  #find(around: Seen, name: string): Seen | undefined {
    const known = around.children.get(name)
    if (known) return known
    if (this.#kept === this.#limit) {
      this.#isCut = true
      return undefined
    }
    this.#kept++
    const seen = new Seen(name, around.path === '' ? name : `${around.path}/${name}`)
    around.children.set(name, seen)
    return seen
  }

  #addAttribute({ attributes }: Seen, name: string, value: string): void {
    const known = attributes.get(name)
    if (known) known.count++
    else if (attributes.size < MOST_ATTRIBUTES) attributes.set(name, { count: 1, example: shorten(value) })
    else this.#isCut = true
  }
}

function shorten(text: string): string {
  const line = text.slice(0, 4 * EXAMPLE_LENGTH).replaceAll(/\s+/g, ' ')
  return line.length > EXAMPLE_LENGTH ? `${line.slice(0, EXAMPLE_LENGTH).trimEnd()} …` : line
}
