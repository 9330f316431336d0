// Paths that are followed in a tree, and what they are followed in: elements and documents.

import { describeValue, withCode } from '../../stream/errors.ts'
import { XmlAttributes } from '../names/attributes.ts'
import { holds } from '../question/condition.ts'
import { type Candidate, type Path, parsePaths } from '../question/path.ts'
import type { PathNames } from '../question/path-names.ts'
import type { XmlDocument } from '../tree/document.ts'
import type { XmlElement } from '../tree/element.ts'

/** By paths, what may come next. */
export type PathStates = readonly number[]

/** Paths of elements. */
export class TreePaths {
  readonly #paths: readonly Path[]
  readonly #candidate = new ElementCandidate()

  /** Throws a `RangeError` with the code `invalid-option` for what is not a path. */
  constructor(paths: string | readonly string[], names: PathNames = {}) {
    this.#paths = parsePaths(paths, names)
  }

  /** The states around the element with which paths begin. */
  get start(): PathStates {
    return this.#paths.map((path) => path.start)
  }

  /** The states in an element, from those around it. */
  enter(states: PathStates, element: XmlElement): PathStates {
    this.#candidate.element = element
    return this.#paths.map((path, i) => path.enter(states[i] as number, this.#candidate))
  }

  /** Whether a path matches an element with these states. */
  isMatch(states: PathStates, element: XmlElement): boolean {
    const [first] = this.#paths
    const isFound = this.#paths.some((path, i) => path.isMatch(states[i] as number))
    return isFound && element.hasChildren((first as Path).children)
  }

  /** Whether a path may match in an element with these states. */
  isOpen(states: PathStates): boolean {
    return this.#paths.some((path, i) => path.openSteps(states[i] as number) !== 0)
  }
}

/** An element as a step sees it. */
class ElementCandidate implements Candidate {
  readonly name = { raw: '', prefix: '', localName: '' }
  namespace: string | undefined
  #element: XmlElement | undefined

  set element(element: XmlElement) {
    const { name } = this
    name.raw = element.name
    name.prefix = element.prefix
    name.localName = element.localName
    this.namespace = element.namespace
    this.#element = element
  }

  holds(condition: Parameters<Candidate['holds']>[0]): boolean {
    return holds(condition, this.#element?.attributes.find(condition.attribute))
  }
}

/** Returns the value if it is an element or a document. Throws a `TypeError` with the code `invalid-option` for any other, also for elements as plain data. */
export function requireNode<Node extends XmlElement | XmlDocument>(what: string, node: Node): Node {
  const element: unknown = typeof node === 'object' && node !== null && 'root' in node ? node.root : node
  const { attributes } = (element ?? {}) as Partial<XmlElement>
  if (attributes instanceof XmlAttributes) return node
  const message = `${what} needs an element or a document that was read, not ${describeValue(node)}`
  throw withCode(new TypeError(message), 'invalid-option')
}
