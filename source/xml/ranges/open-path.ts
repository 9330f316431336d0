// The elements that are open at a place of a document, as far as they decide how what comes next is read.

import { makeName, type Name } from '../names/names.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'

/** The open elements at a place of a document in content, outermost first, and what they say of what comes next. */
export interface OpenPath {
  /** Their names as they are written, after a namespace in braces if they are in one. */
  readonly elements: readonly string[]
  /** What prefixes stand for, and the default under an empty one, in the order of prefixes. */
  readonly namespaces?: Readonly<Record<string, string>>
  /** The values of `xml:space` and `xml:lang` that hold. */
  readonly space?: string
  readonly lang?: string
}

/** Whether what comes next is read in the same way. */
export function isSamePath(one: OpenPath | undefined, other: OpenPath | undefined): boolean {
  return keyOf(one) === keyOf(other)
}

function keyOf(path: OpenPath | undefined): string {
  if (!path) return ''
  const { elements, namespaces = {}, space, lang } = path
  return JSON.stringify([elements, Object.entries(namespaces).sort(byName), space, lang])
}

function byName([one]: [string, string], [other]: [string, string]): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** An open element with those of its attributes that say something of what is in it. */
interface OpenElement {
  readonly name: Name
  readonly attributes: readonly (readonly [name: Name, value: string])[]
}

/** Follows the elements that are open around records, up to a depth. Elements that entities bring end in them, and are left out. */
export class OpenElements {
  readonly #facts: DocumentFacts
  readonly #depth: number
  readonly #open: OpenElement[] = []
  #path: OpenPath | undefined

  constructor(facts: DocumentFacts, depth = Number.POSITIVE_INFINITY) {
    this.#facts = facts
    this.#depth = depth
  }

  /** So many elements are open: elements that were left are read again. */
  cut(depth: number): void {
    if (this.#open.length <= depth) return
    this.#open.length = depth
    this.#path = undefined
  }

  /** A start tag was read, with which so many elements are open. */
  enter(frame: TapeFrame, nameRecord: number, tag: number, depth: number): void {
    if (depth > this.#depth) return
    this.cut(depth - 1)
    this.#open[depth - 1] = { name: frame.nameOf(nameRecord), attributes: this.#readAttributes(frame, nameRecord, tag) }
    this.#path = undefined
  }

  /** An element has ended, with which so many were open. */
  leave(depth: number): void {
    this.cut(depth - 1)
  }

  /** The elements that are open, of which there are so many; undefined where some of them were not read. */
  pathAt(depth: number): OpenPath | undefined {
    if (this.#open.length !== depth || this.#open.includes(undefined as never)) return undefined
    this.#path ??= describe(this.#open, this.#facts.scopes !== undefined)
    return this.#path
  }

  #readAttributes(frame: TapeFrame, nameRecord: number, tag: number): OpenElement['attributes'] {
    if (nameRecord + 1 === tag && frame.settled?.tag !== tag) return []
    const attributes = [...this.#facts.attributesOf(frame, nameRecord, tag)].map(
      ([name, value]) => [makeName(name), value] as const,
    )
    return attributes.filter(
      ([{ raw, declares }]) => declares !== undefined || raw === 'xml:space' || raw === 'xml:lang',
    )
  }
}

function describe(open: readonly OpenElement[], hasNamespaces: boolean): OpenPath {
  const namespaces = new Map<string, string>()
  const elements: string[] = []
  let space: string | undefined
  let lang: string | undefined
  for (const { name, attributes } of open) {
    for (const [attribute, value] of attributes) {
      if (attribute.raw === 'xml:space') space = value
      else if (attribute.raw === 'xml:lang') lang = value
      else if (value === '') namespaces.delete(attribute.declares as string)
      else namespaces.set(attribute.declares as string, value)
    }
    const namespace = hasNamespaces ? namespaces.get(name.prefix) : undefined
    elements.push(namespace === undefined ? name.raw : `{${namespace}}${name.raw}`)
  }
  const declared = Object.fromEntries([...namespaces].sort(byName))
  return {
    elements,
    ...(hasNamespaces && namespaces.size > 0 && { namespaces: declared }),
    ...(space !== undefined && { space }),
    ...(lang !== undefined && { lang }),
  }
}
