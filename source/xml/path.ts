// Paths that say which elements are wanted.
//
//   page             elements of this name at any depth         /mediawiki/page   from the root
//   page/revision    a child of a page                          a/**/b            at any depth in an a
//   a/*              any child                                  page[@id], page[@id="7"]   with this attribute
//   {urn:x}page      of a namespace, whatever its prefix
//
// A name is compared as it is written, with its prefix.

import { describeValue, withCode } from '../stream/errors.ts'
import type { XmlAttributes } from './attributes.ts'
import { isName } from './name-characters.ts'
import type { Name } from './names.ts'

interface Step {
  /** Any number of elements, also none. */
  readonly isDeep: boolean
  /** Undefined for any. */
  readonly name: string | undefined
  /** Undefined for any; where it is given, `name` is a local name. */
  readonly namespace: string | undefined
  readonly attributes: readonly { readonly name: string; readonly value: string | undefined }[]
}

/** An element as a step sees it. */
export interface Candidate {
  readonly name: Name
  readonly namespace: string | undefined
  readonly attributes: XmlAttributes
}

const STEP =
  /^(?:\{(?<namespace>[^}]*)\})?(?<name>[^[\]{}@/*\s]+|\*\*?)(?<predicates>(?:\[(?:"[^"]*"|'[^']*'|[^\]"'])*\])*)$/u
const PREDICATE = /\[@\s*(?<name>[^=\]\s]+)\s*(?:=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')\s*)?\]/gu
/** States are bits of a number. */
const MOST_STEPS = 30

/** One path, or several. Throws like the constructor, and for none. */
export function parsePaths(paths: string | readonly string[]): Path[] {
  const parsed = [paths].flat().map((text) => new Path(text))
  if (parsed.length === 0) throw pathError(paths, 'it is an empty array')
  return parsed
}

/** A path, which is followed by states: a set of steps, as bits, that may come next. */
export class Path {
  readonly #steps: readonly Step[]

  /**
   * `isRelative`: it leads on from an element, to its children first. Throws a `RangeError` with the code `invalid-option` for text that is
   * no path.
   */
  constructor(text: string, isRelative = false) {
    if (typeof text !== 'string') throw pathError(text, 'it is not a string')
    const isAbsolute = isRelative || (text.startsWith('/') && !text.startsWith('//'))
    const parts = splitSteps(text.replace(/^\//, ''))
    if (parts.length === 0) throw pathError(text, 'it is empty')
    const steps = parts.map((part) => parseStep(part, text))
    this.#steps = isAbsolute ? steps : [DEEP, ...steps]
    if (this.#steps.length > MOST_STEPS) throw pathError(text, `it has more than ${MOST_STEPS} steps`)
    if (this.#steps.at(-1)?.isDeep && this.#steps.length > 1 && parts.length === 1) this.#steps = [DEEP, ANY]
  }

  /** The state at the root. */
  get start(): number {
    return this.#close(1)
  }

  /** Whether attributes decide something. */
  get hasPredicates(): boolean {
    return this.#steps.some(({ attributes, namespace }) => attributes.length > 0 || namespace !== undefined)
  }

  /** The name of the elements that it matches, if it matches all of that name and has no other condition; else undefined. */
  get soleName(): string | undefined {
    const [first, step, ...more] = this.#steps
    if (!first?.isDeep || !step || step.isDeep || more.length > 0) return undefined
    return step.namespace === undefined && step.attributes.length === 0 ? step.name : undefined
  }

  /** Whether nothing in an element of this state can be meant, at any depth. */
  isDead(state: number): boolean {
    return (state & ((1 << this.#steps.length) - 1)) === 0
  }

  /** The state in an element, from that of its parent. */
  enter(state: number, candidate: Candidate): number {
    let next = 0
    for (let i = 0; i < this.#steps.length; i++) {
      if ((state & (1 << i)) === 0) continue
      const step = this.#steps[i] as Step
      if (step.isDeep) next |= 1 << i
      else if (matches(step, candidate)) next |= 1 << (i + 1)
    }
    return this.#close(next)
  }

  /** Whether an element in this state is meant. */
  isMatch(state: number): boolean {
    return (state & (1 << this.#steps.length)) !== 0
  }

  /** With the steps after those that need no element. */
  #close(state: number): number {
    let closed = state
    for (let i = 0; i < this.#steps.length; i++) {
      if ((closed & (1 << i)) !== 0 && this.#steps[i]?.isDeep) closed |= 1 << (i + 1)
    }
    return closed
  }
}

const DEEP: Step = { isDeep: true, name: undefined, namespace: undefined, attributes: [] }
const ANY: Step = { isDeep: false, name: undefined, namespace: undefined, attributes: [] }

/** At slashes outside of braces and brackets. */
function splitSteps(text: string): string[] {
  return text.match(/(?:\{[^}]*\}|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]|[^/])+|(?<=\/)(?=\/)/gu) ?? []
}

function parseStep(part: string, path: string): Step {
  const groups = STEP.exec(part.trim())?.groups
  const hint = part.includes('|') ? ' (use an array for several paths)' : ''
  if (!groups) throw pathError(path, `"${part}" is not a valid step${hint}`)
  const { name = '', namespace, predicates = '' } = groups
  // A name may have two colons where namespaces are off, but here they are meant as an axis of XPath.
  if (!name.startsWith('*') && (!isName(name) || name.includes('::')))
    throw pathError(path, `"${name}" is not an element name${hint}`)
  if (namespace === '*') throw pathError(path, 'omit the namespace to match any namespace')
  const found = Array.from(predicates.matchAll(PREDICATE))
  const attributes = found.map(({ groups: { name, double, single } = {} }) => {
    return { name: name as string, value: double ?? single }
  })
  const isWhole = found.reduce((length, [{ length: more }]) => length + more, 0) === predicates.length
  if (!isWhole || !attributes.every(({ name }) => isName(name))) {
    throw pathError(path, `"${predicates}" is not a valid predicate: use [@id] or [@id="7"]`)
  }
  return { isDeep: name === '**', name: name.startsWith('*') ? undefined : name, namespace, attributes }
}

function matches({ name, namespace, attributes }: Step, candidate: Candidate): boolean {
  if (namespace !== undefined) {
    if (candidate.namespace !== (namespace || undefined)) return false
    if (name !== undefined && candidate.name.localName !== name) return false
  } else if (name !== undefined && candidate.name.raw !== name) {
    return false
  }
  return attributes.every((attribute) => {
    const value = candidate.attributes.get(attribute.name)
    return attribute.value === undefined ? value !== undefined : value === attribute.value
  })
}

/** Says of what is given as a path that it is none, and why. */
export function pathError(path: unknown, what: string): RangeError {
  return withCode(new RangeError(`invalid path ${describeValue(path)}: ${what}`), 'invalid-option')
}
