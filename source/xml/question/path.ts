// Paths that say which elements are wanted.
//
//   page             elements of this name at any depth         //page            the same
//   page/revision    a child of a page                          /mediawiki/page   from the root
//   a/**/b, a//b     at any depth in an a                       a/*               any child
//   page[@id]        with this attribute                        page[@id="7"]     with this value
//   page[not(@id)]   without this attribute                     page[title]       with this child: in the last step alone
//   {urn:x}page      of a namespace, whatever its prefix        page[@{urn:x}id]  the same of an attribute
//   *:page           of any namespace, whatever its prefix      page[@*:id]       the same of an attribute
//
// Any other name is compared as it is written, with its prefix.

import { isName } from '../../text/markup/xml-characters.ts'
import { ANYWHERE, matchesName, type NamePattern } from '../names/name-pattern.ts'
import type { Name } from '../names/names.ts'
import { type Condition, readCondition, readNot } from './condition.ts'
import { type PathNames, parseTest, pathError } from './path-names.ts'

/** What must hold of the children of an element, which is known when it ends. */
export interface ChildCondition {
  readonly element: NamePattern
  /** Whether there must be none. */
  readonly isInverted: boolean
}

interface Step {
  /** Any number of elements, also none. */
  readonly isDeep: boolean
  readonly element: NamePattern
  readonly attributes: readonly Condition[]
  readonly children: readonly ChildCondition[]
}

/** An element as a step sees it. */
export interface Candidate {
  readonly name: Pick<Name, 'raw' | 'prefix' | 'localName'>
  readonly namespace: string | undefined
  /** Whether a condition holds of its attributes. */
  holds(condition: Condition): boolean
}

const STEP =
  /^(?<namespace>\{[^}]*\})?(?<name>(?:\*:)?[^[\]{}@/*\s]+|\*\*?)(?<predicates>(?:\[(?:\{[^}]*\}|"[^"]*"|'[^']*'|[^\]"'{])*\])*)$/u
const PREDICATE = /\[((?:\{[^}]*\}|"[^"]*"|'[^']*'|[^\]"'{])*)\]/gu
/** Parts of a path in which slashes separate nothing. */
const STEPS = /(?:\{[^}]*\}|\[(?:\{[^}]*\}|"[^"]*"|'[^']*'|[^\]"'{])*\]|[^/])+|(?<=\/)(?=\/)/gu
/** States are bits of a number. */
const MOST_STEPS = 30

const AS_WRITTEN: PathNames = {}

/** One path, or several. Throws like the constructor, for none, and for conditions on children that do not stand in all of them. */
export function parsePaths(paths: string | readonly string[], names?: PathNames): Path[] {
  const texts = [paths].flat()
  const parsed = texts.map((text) => new Path(text, false, names))
  if (parsed.length === 0) throw pathError(paths, 'it is an empty array')
  const [first = '', ...others] = parsed.map(({ children }) => JSON.stringify(children))
  const other = others.findIndex((children) => children !== first)
  if (other !== -1) {
    const which = first === '[]' ? other + 1 : 0
    throw pathError(texts[which], 'of several paths, all must have the same predicates on children')
  }
  return parsed
}

/** The steps of a path as they are written; an empty one is between two slashes. */
export function splitSteps(text: string): readonly string[] {
  return text.match(STEPS) ?? []
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
    const parts = splitSteps(rest)
    if (parts.length === 0) throw pathError(text, 'it is empty')
    if (rest.endsWith('/')) throw pathError(text, 'it ends with "/"')
    const hasThree = rest.startsWith('/') || parts.some((part, i) => part === '' && parts[i + 1] === '')
    if (hasThree) throw pathError(text, 'it has three slashes in a row')
    const isDeep = slashes === '//' || (slashes === '' && !isRelative)
    const steps = parts.map((part) => parseStep(part, text, names))
    const early = steps.findIndex(({ children }, i) => children.length > 0 && (isRelative || i < steps.length - 1))
    if (early !== -1) throw childError(text, parts[early])
    this.#steps = isDeep ? [DEEP, ...steps] : steps
    if (this.#steps.length > MOST_STEPS) throw pathError(text, `it has more than ${MOST_STEPS} steps`)
    if (!isRelative && isDeep && steps.length === 1 && steps[0]?.isDeep) this.#steps = [DEEP, ANY]
  }

  /**
   * The path of the children with a name of what a relative path matches; undefined stands for the element where it begins. Throws like the
   * constructor for too many steps.
   */
  static childOf(path: Path | undefined, element = ANY.element): Path {
    const child = new Path('*', true)
    const steps = path ? path.#steps : []
    if (steps.length > MOST_STEPS) throw pathError('*', `it would have more than ${MOST_STEPS} steps`)
    child.#steps = [...steps, { ...ANY, element }]
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

  /** Whether it asks something of the attributes of elements around those that it matches. */
  get hasEarlyConditions(): boolean {
    return this.#steps.slice(0, -1).some(({ attributes }) => attributes.length > 0)
  }

  /** What it asks of the children of the elements that it matches. */
  get children(): readonly ChildCondition[] {
    return this.#steps.at(-1)?.children ?? []
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

const ANY: Step = { isDeep: false, element: { name: undefined, namespace: undefined }, attributes: [], children: [] }
const DEEP: Step = { ...ANY, isDeep: true }

/** What is often written, as in XPath, and what to write for it. */
const WAYS_OUT: readonly (readonly [RegExp, string])[] = [
  [/^\[(\d|position\(|last\()/, 'there are no positions: a field has the first value, or all in an array'],
  [/^\[.*\sand\s/s, 'write a predicate for each: [@a="1"][@b="2"]'],
  [/^\[.*\w\(/s, 'there are no functions but not(): [not(@id)]'],
  [/[|,]|\sor\s/, 'use an array for several paths'],
  [/^@/, 'a path ends with an element: an attribute of it is a field'],
  [/^text\(\)$/, 'the text of an element is the field "."'],
  [/^\.\.$/, 'paths lead down: a condition on a child is [title]'],
  [/^\.$/, 'leave it out'],
  [/::/, 'there are no axes: a/b is a child, a//b at any depth'],
  [/^\[\]$/, 'all values of a path are an array field'],
  [/^\[@[^"']+=[^"']+\]$/, 'a value stands in quotes'],
]

function wayOut(written: string): string {
  const found = WAYS_OUT.find(([pattern]) => pattern.test(written))
  return found ? ` (${found[1]})` : ''
}

/** An empty step is between two slashes. */
function parseStep(part: string, path: string, names: PathNames): Step {
  if (part === '') return DEEP
  const groups = STEP.exec(part.trim())?.groups
  if (!groups) throw pathError(path, `"${part}" is not a valid step${wayOut(part)}`)
  const { name = '', namespace = '', predicates = '' } = groups
  if (name === '**' && part.trim() !== '**') throw pathError(path, '"**" takes no namespace and no predicate')
  const element = parseElement(namespace, name, path, names)
  if (!element) throw pathError(path, `"${name}" is not an element name${wayOut(part)}`)
  const attributes: Condition[] = []
  const children: ChildCondition[] = []
  for (const [predicate, text = ''] of predicates.matchAll(PREDICATE)) {
    const condition = readCondition(text, path, names)
    if (condition) attributes.push(condition)
    else children.push(parseChild(text, predicate, path, names))
  }
  return { isDeep: name === '**', element, attributes, children }
}

/** The elements that a name is for; undefined if it is not a name. */
function parseElement(namespace: string, name: string, path: string, names: PathNames): NamePattern | undefined {
  const isAny = name === '*' || name === '**'
  // A name may have two colons where namespaces are off, but here they are meant as an axis of XPath.
  const written = namespace === '' && name.startsWith(ANYWHERE) ? name.slice(ANYWHERE.length) : name
  if (!isAny && (!isName(written) || name.includes('::'))) return undefined
  const test = parseTest(`${namespace}${name}`, path, names)
  return isAny ? { ...test, name: undefined } : test
}

/** The name of a child, or `not(…)` around it. */
function parseChild(text: string, predicate: string, path: string, names: PathNames): ChildCondition {
  const { inner, isInverted } = readNot(text)
  const { namespace = '', name = '**', predicates } = STEP.exec(inner)?.groups ?? {}
  const isOne = name !== '**' && predicates === ''
  const element = isOne ? parseElement(namespace, name, path, names) : undefined
  if (element) return { element, isInverted }
  const advice = wayOut(predicate) || ': use [@id], [@id="7"], [title] or [not(@id)]'
  throw pathError(path, `"${predicate}" is not a valid predicate${advice}`)
}

function matches({ element, attributes }: Step, candidate: Candidate): boolean {
  if (!matchesName(element, candidate.name, candidate.namespace)) return false
  return attributes.every((condition) => candidate.holds(condition))
}

/** The error for a path that asks for a child where that is known too late. */
export function childError(path: string, step = path): RangeError {
  return pathError(
    path,
    `"${step}" asks for a child, which is known only when the element ends; that works in the last step of the path of elements alone`,
  )
}
