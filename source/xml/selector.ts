// Elements that paths mean, one after the other.

import type { XmlAttributes } from './attributes.ts'
import type { XmlElement } from './element.ts'
import { ElementBuilder } from './element-builder.ts'
import type { Name } from './names.ts'
import type { Path } from './path.ts'
import type { Sink, ToSource } from './sink.ts'

/** Which elements are handed over. */
export interface SelectorOptions {
  readonly paths: readonly Path[]
  /** Of matches in matches. */
  readonly nested: 'outermost' | 'innermost'
  /** The input between two offsets, which has not been let go since the first one. */
  readonly copyInput: (start: number, end: number) => Uint8Array
}

/** Builds those elements that match. */
export class Selector implements Sink {
  readonly #paths: readonly Path[]
  readonly #isInnermost: boolean
  readonly #needsAttributes: boolean
  readonly #copyInput: SelectorOptions['copyInput']
  readonly #builder = new ElementBuilder()
  /** The states of each path in the open elements; those of the document first. */
  readonly #states: number[]
  #depth = 0
  /** How deep the element is that is being built; 0 for none. */
  #builtDepth = 0
  #elements: XmlElement[] = []
  #toSource: ToSource = (offset) => offset
  /** Where the element that is being built begins in the UTF-8. */
  #start = 0

  constructor({ paths, nested, copyInput }: SelectorOptions) {
    this.#paths = paths
    this.#isInnermost = nested === 'innermost'
    this.#needsAttributes = paths.some((path) => path.hasPredicates)
    this.#copyInput = copyInput
    this.#states = paths.map((path) => path.start)
  }

  readonly wantsText = false
  readonly skipDepth = undefined

  get wantsContent(): boolean {
    return this.#builder.isOpen
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    return this.#builder.isOpen ? this.#start : undefined
  }

  begin(toSource: ToSource | undefined): void {
    if (toSource) this.#toSource = toSource
  }

  /** The elements that are whole; none: an empty array. */
  take(): XmlElement[] {
    const elements = this.#elements
    if (elements.length > 0) this.#elements = []
    return elements
  }

  wantsTag(name: Name): boolean {
    if (this.#needsAttributes || this.#builder.isOpen) return true
    return this.#paths.some((path, i) => path.isMatch(path.enter(this.#stateOf(i), { name, ...NOTHING })))
  }

  startElement(name: Name, namespace: string | undefined, attributes: XmlAttributes, start: number): void {
    const isMatch = this.#enter(name, namespace, attributes)
    if (isMatch && this.#isInnermost) this.#builder.clear()
    const isOpen = this.#builder.isOpen
    if (!isMatch && !isOpen) return
    if (!isOpen) {
      this.#builtDepth = this.#depth
      this.#start = start
    }
    this.#builder.startElement({ name, namespace, attributes, start: this.#toSource(start) })
  }

  endElement(_start: number, end: number): void {
    this.#states.length -= this.#paths.length
    this.#depth--
    // Of an element that was given up for one in it nothing is left to end.
    if (!this.#builder.isOpen || this.#depth + 1 < this.#builtDepth) return
    const sourceEnd = this.#toSource(end)
    const element = this.#builder.endElement(sourceEnd)
    if (!element) return
    element.close(sourceEnd, this.#copyInput(this.#start, end))
    this.#elements.push(element)
  }

  text(text: string): void {
    if (this.#builder.isOpen) this.#builder.text(text)
  }

  comment(text: string): void {
    if (this.#builder.isOpen) this.#builder.comment(text)
  }

  instruction(target: string, data: string): void {
    if (this.#builder.isOpen) this.#builder.instruction(target, data)
  }

  finish(): void {}
  declaration(): void {}
  documentType(): void {}

  #stateOf(path: number): number {
    return this.#states[this.#states.length - this.#paths.length + path] as number
  }

  /** Whether a path means the element that begins. */
  #enter(name: Name, namespace: string | undefined, attributes: XmlAttributes): boolean {
    let isMatch = false
    const candidate = { name, namespace, attributes }
    const base = this.#states.length - this.#paths.length
    for (const [i, path] of this.#paths.entries()) {
      const state = path.enter(this.#states[base + i] as number, candidate)
      this.#states.push(state)
      isMatch ||= path.isMatch(state)
    }
    this.#depth++
    return isMatch
  }
}

/** What a path without predicates does not look at. */
const NOTHING = { namespace: undefined, attributes: undefined as unknown as XmlAttributes }
