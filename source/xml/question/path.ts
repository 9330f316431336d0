// Paths that say which elements are wanted.
//
//   page             elements of this name at any depth         //page            the same
//   page/revision    a child of a page                          /mediawiki/page   from the root
//   a/**/b, a//b     at any depth in an a                       a/*               any child
//   page[@id]        with this attribute                        page[@id="7"]     with this value
//   {urn:x}page      of a namespace, whatever its prefix        page[@{urn:x}id]  the same of an attribute
//   *:page           of any namespace, whatever its prefix      page[@*:id]       the same of an attribute
//
// Any other name is compared as it is written, with its prefix.

import { describeValue, withCode } from '../../stream/errors.ts'
import { findNearest } from '../../stream/nearest.ts'
import { isName } from '../names/name-characters.ts'
import { ANYWHERE, matchesName, type NamePattern, parseNamePattern } from '../names/name-pattern.ts'
import type { Name } from '../names/names.ts'
import { XML_NAMESPACE } from '../names/namespaces.ts'

/** What must hold of an attribute. */
export interface Condition {
  readonly attribute: NamePattern
  /** Its value; undefined if any will do. */
  readonly value: string | undefined
  /** Whether it must be there with another value. */
  readonly isNegated: boolean
}

interface Step {
  /** Any number of elements, also none. */
  readonly isDeep: boolean
  readonly element: NamePattern
  readonly attributes: readonly Condition[]
}

/** An element as a step sees it. */
export interface Candidate {
  readonly name: Name
  readonly namespace: string | undefined
  /** Whether a condition holds of its attributes. */
  holds(condition: Condition): boolean
}

const STEP =
  /^(?<namespace>\{[^}]*\})?(?<name>(?:\*:)?[^[\]{}@/*\s]+|\*\*?)(?<predicates>(?:\[(?:\{[^}]*\}|"[^"]*"|'[^']*'|[^\]"'{])*\])*)$/u
const PREDICATE = /\[@\s*(?<name>(?:\{[^}]*\})?[^=\]\s{}]+)\s*(?:=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')\s*)?\]/gu
/** Parts of a path in which slashes separate nothing. */
const STEPS = /(?:\{[^}]*\}|\[(?:\{[^}]*\}|"[^"]*"|'[^']*'|[^\]"'{])*\]|[^/])+|(?<=\/)(?=\/)/gu
/** States are bits of a number. */
const MOST_STEPS = 30

/** How names in paths are written. */
export interface PathNames {
  /** What prefixes stand for, if they do not stand for themselves. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined
}

const AS_WRITTEN: PathNames = {}

/** One path, or several. Throws like the constructor, and for none. */
export function parsePaths(paths: string | readonly string[], names?: PathNames): Path[] {
  const parsed = [paths].flat().map((text) => new Path(text, false, names))
  if (parsed.length === 0) throw pathError(paths, 'it is an empty array')
  return parsed
}

/** A path, which is followed by states: a set of steps, as bits, that may come next. */
export class Path {
  #steps: readonly Step[]

  /**
   * `isRelative`: it leads on from an element, to its children first. Throws a `RangeError` with the code `invalid-option` for text that is
   * no path.
   */
  constructor(text: string, isRelative = false, names = AS_WRITTEN) {
    if (typeof text !== 'string') throw pathError(text, 'it is not a string')
    // `.//a` is the same as `//a`.
    const written = isRelative ? text.replace(/^\.(?=\/\/)/, '') : text
    const [slashes = ''] = /^\/{0,2}/.exec(written) ?? []
    const rest = written.slice(slashes.length)
    const parts = rest.match(STEPS) ?? []
    if (parts.length === 0) throw pathError(text, 'it is empty')
    if (rest.endsWith('/')) throw pathError(text, 'it ends with "/"')
    const hasThree = rest.startsWith('/') || parts.some((part, i) => part === '' && parts[i + 1] === '')
    if (hasThree) throw pathError(text, 'it has three slashes in a row')
    const isDeep = slashes === '//' || (slashes === '' && !isRelative)
    const steps = parts.map((part) => parseStep(part, text, names))
    this.#steps = isDeep ? [DEEP, ...steps] : steps
    if (this.#steps.length > MOST_STEPS) throw pathError(text, `it has more than ${MOST_STEPS} steps`)
    if (!isRelative && isDeep && steps.length === 1 && steps[0]?.isDeep) this.#steps = [DEEP, ANY]
  }

  /**
   * The path of all children of what a relative path matches; undefined stands for the element where it begins. Throws like the constructor
   * for too many steps.
   */
  static childOf(path: Path | undefined): Path {
    const child = new Path('*', true)
    if (!path) return child
    if (path.#steps.length > MOST_STEPS) throw pathError('*', `it would have more than ${MOST_STEPS} steps`)
    child.#steps = [...path.#steps, ANY]
    return child
  }

  /** The state at the root. */
  get start(): number {
    return this.#close(1)
  }

  /** What it asks of the attributes of elements. */
  get conditions(): Condition[] {
    return this.#steps.flatMap(({ attributes }) => attributes)
  }

  /** What it asks of the names of elements. */
  get names(): NamePattern[] {
    return this.#steps.map(({ element }) => element)
  }

  /** Of a state, the steps that may come next; 0 if nothing in an element of this state can match, at any depth. */
  openSteps(state: number): number {
    return state & ((1 << this.#steps.length) - 1)
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

const ANY: Step = { isDeep: false, element: { name: undefined, namespace: undefined }, attributes: [] }
const DEEP: Step = { ...ANY, isDeep: true }

/** An empty step is between two slashes. */
function parseStep(part: string, path: string, names: PathNames): Step {
  if (part === '') return DEEP
  const groups = STEP.exec(part.trim())?.groups
  const hint = part.includes('|') ? ' (use an array for several paths)' : ''
  if (!groups) throw pathError(path, `"${part}" is not a valid step${hint}`)
  const { name = '', namespace = '', predicates = '' } = groups
  const isAny = name === '*' || name === '**'
  if (name === '**' && part.trim() !== '**') throw pathError(path, '"**" takes no namespace and no predicate')
  // A name may have two colons where namespaces are off, but here they are meant as an axis of XPath.
  const written = namespace === '' && name.startsWith(ANYWHERE) ? name.slice(ANYWHERE.length) : name
  if (!isAny && (!isName(written) || name.includes('::')))
    throw pathError(path, `"${name}" is not an element name${hint}`)
  const found = Array.from(predicates.matchAll(PREDICATE))
  const attributes = found.map(
    ({ groups: { name = '', double, single } = {} as Record<string, string | undefined> }) => {
      return { attribute: parseAttributeName(name, path, names), value: double ?? single, isNegated: false }
    },
  )
  const isWhole = found.reduce((length, [{ length: more }]) => length + more, 0) === predicates.length
  if (!isWhole) throw pathError(path, `"${predicates}" is not a valid predicate: use [@id] or [@id="7"]`)
  const test = parseTest(`${namespace}${name}`, path, names)
  return { isDeep: name === '**', element: isAny ? { ...test, name: undefined } : test, attributes }
}

/** The name after `@`. Throws like the constructor of paths. */
export function parseAttributeName(text: string, path: string, names: PathNames): NamePattern {
  const test = parseTest(text, path, names)
  if (!isName(test.name ?? '')) throw pathError(path, `"${test.name}" is not an attribute name`)
  return test
}

function parseTest(text: string, path: string, { prefixes }: PathNames): NamePattern {
  try {
    const test = parseNamePattern(text)
    return prefixes && test.namespace === undefined ? expandPrefix(test, prefixes) : test
  } catch (error) {
    throw pathError(path, (error as RangeError).message)
  }
}

/** A name with the namespace that its prefix stands for. `xml` need not be declared (Namespaces in XML 1.0, section 3). */
function expandPrefix(test: NamePattern, prefixes: Readonly<Record<string, string>>): NamePattern {
  const colon = test.name?.indexOf(':') ?? -1
  if (test.name === undefined || colon === -1) return test
  const prefix = test.name.slice(0, colon)
  const namespace = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : prefix === 'xml' ? XML_NAMESPACE : undefined
  if (namespace !== undefined) return { name: test.name.slice(colon + 1), namespace }
  const nearest = findNearest(prefix, Object.keys(prefixes))
  const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw new RangeError(`the prefix ${prefix} is not in prefixes${advice}`)
}

function matches({ element, attributes }: Step, candidate: Candidate): boolean {
  if (!matchesName(element, candidate.name, candidate.namespace)) return false
  return attributes.every((condition) => candidate.holds(condition))
}

/** Says of what is given as a path that it is none, and why. */
export function pathError(path: unknown, what: string): RangeError {
  return withCode(new RangeError(`invalid path ${describeValue(path)}: ${what}`), 'invalid-option')
}
