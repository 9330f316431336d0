// What the machine has to match: a grammar's expressions with everything made explicit that depends on how a rule is run: which nodes
// are recorded, where parts begin, what is inlined. The passes turn patterns into patterns, and assemble.ts turns them into code.

import { HOLE_TYPE, LITERAL_TYPE } from '../../machine/program/assembler.ts'
import { CodePointSet } from '../../machine/program/code-point-set.ts'
import type { Expression, TextRange } from '../syntax/expression.ts'

/**
 * How a rule is run: `tree` records all nodes; `part` is `tree` for a rule whose node is delivered; `seek` records nothing and looks
 * for parts; `silent` records nothing; `gather` records what a gathered literal leaves out; `flat` records what is gathered, and names
 * that something is done with; `value` records what the rule's value is made of.
 */
export type Mode = 'tree' | 'part' | 'seek' | 'silent' | 'gather' | 'flat' | 'value' | 'entry'

/** A rule in one mode. */
export interface Procedure {
  readonly rule: string
  readonly mode: Mode
  body: Pattern
}

/** Where in the grammar a pattern comes from. Messages are made of that: so they do not depend on what became of the grammar. */
export interface Origin {
  readonly rule: string
  readonly expression: Expression
  /** How much of the expression the pattern is: all of it, a piece of it that more of it must follow, or one of its rounds. */
  readonly share: 'whole' | 'piece' | 'round'
  /** The reference in whose place the rule stands; undefined where it is called. */
  readonly within: Origin | undefined
}

/** What all terminals carry. Several origins: one for each of the options in which it stood, which have it in common now. */
interface Described {
  readonly origins: readonly Origin[]
}

/** Bytes; where case is ignored they are ASCII in lower case. Never empty. */
export interface LiteralPattern extends Described {
  readonly kind: 'literal'
  readonly bytes: Uint8Array
  readonly ignoresCase: boolean
}

/** `min` to `max` code points of a set. */
export interface ClassPattern extends Described {
  readonly kind: 'class'
  readonly set: CodePointSet
  readonly min: number
  readonly max: number
}

/** One code point of a set, and what there is of another: as names are. */
export interface NamePattern extends Described {
  readonly kind: 'name'
  readonly set: CodePointSet
  readonly rest: CodePointSet
  /** The origins of the rest; those of the other are its `origins`. */
  readonly restOrigins: readonly Origin[]
}

/** One of several literals; none of them begins another. */
export interface ListedPattern extends Described {
  readonly kind: 'listed'
  readonly literals: readonly Uint8Array[]
}

/** Code points until one of the literals begins, or the input ends; `min` is 0 or 1. */
export interface UntilPattern extends Described {
  readonly kind: 'until'
  readonly literals: readonly Uint8Array[]
  readonly min: number
}

export interface SequencePattern {
  readonly kind: 'sequence'
  readonly items: readonly Pattern[]
}

/** The first option that matches; without options, a failure. */
export interface ChoicePattern {
  readonly kind: 'choice'
  readonly options: readonly Pattern[]
  readonly at: TextRange | undefined
  /** Undefined for one that a pass made. */
  readonly origin: Origin | undefined
}

export interface RepeatPattern {
  readonly kind: 'repeat'
  readonly operand: Pattern
  readonly min: number
  readonly max: number
  readonly at: TextRange | undefined
  readonly origin: Origin | undefined
}

/** A repetition in which reading continues after errors. */
export interface RoundsPattern {
  readonly kind: 'rounds'
  readonly operand: Pattern
  /** Skips input to where the next round begins. */
  readonly search: Pattern
  /** The repetition after an error; undefined where it is the same. */
  readonly again: Pattern | undefined
  readonly recovery: Recovery
  readonly origin: Origin
}

/** One of its rounds. */
interface RoundPattern {
  readonly kind: 'round'
  readonly operand: Pattern
  readonly recovery: Recovery
}

/** What a repetition and its rounds have in common. */
export interface Recovery {
  readonly rule: string
}

export interface LookPattern extends Described {
  readonly kind: 'look'
  readonly operand: Pattern
  readonly isNegative: boolean
}

export interface CallPattern extends Described {
  readonly kind: 'call'
  readonly procedure: Procedure
}

/** Remembers where a node begins. Nodes that begin alike have this in common, whatever they turn out to be. */
interface OpenPattern {
  readonly kind: 'open'
}

/** Records the node that was opened last. */
interface ClosePattern {
  readonly kind: 'close'
  readonly type: string
}

/** Records what the terminal before it matched. */
interface LeafPattern {
  readonly kind: 'leaf'
  readonly type: string
}

/**
 * What the machine does with the name that stands before it, beside matching: pushes its symbol, or sees that it is unique in its scope,
 * and records it as a node of the type; pops what was pushed last; begins a scope; or signals to the host, unless the name is one of those listed.
 */
export type ActionPattern =
  | { readonly kind: 'action'; readonly action: 'push' | 'unique'; readonly type: string }
  | { readonly kind: 'action'; readonly action: 'scope' | 'pop' }
  | {
      readonly kind: 'action'
      readonly action: 'signal'
      readonly code: number
      readonly unless: readonly Uint8Array[]
    }

/** The name that was pushed last, which is popped. It is one that `name` matches. */
interface MatchPattern extends Described {
  readonly kind: 'match'
  readonly name: NamePattern
}

interface CutPattern {
  readonly kind: 'cut'
}

interface ThrowPattern extends Described {
  readonly kind: 'throw'
  readonly message: string
}

export type Terminal = LiteralPattern | ClassPattern | NamePattern | ListedPattern | UntilPattern | MatchPattern

export type Pattern =
  | Terminal
  | SequencePattern
  | ChoicePattern
  | RepeatPattern
  | RoundsPattern
  | RoundPattern
  | LookPattern
  | CallPattern
  | OpenPattern
  | ClosePattern
  | LeafPattern
  | ActionPattern
  | CutPattern
  | ThrowPattern

/** Types of nodes that are not rules; no rule can have such a name. */
export const PatternType = { LITERAL: LITERAL_TYPE, HOLE: HOLE_TYPE } as const

export const EMPTY: SequencePattern = { kind: 'sequence', items: [] }
export const FAILURE: ChoicePattern = { kind: 'choice', options: [], at: undefined, origin: undefined }

/** One after the other, without sequences in sequences. A single item is itself. */
export function sequence(items: readonly Pattern[]): Pattern {
  const flat = items.flatMap((item) => (item.kind === 'sequence' ? item.items : [item]))
  return flat.length === 1 ? (flat[0] as Pattern) : { kind: 'sequence', items: flat }
}

const TERMINALS: ReadonlySet<Pattern['kind']> = new Set(['literal', 'class', 'name', 'listed', 'until', 'match'])

/** The items of a sequence; of another pattern, itself. */
export function itemsOf(pattern: Pattern): readonly Pattern[] {
  return pattern.kind === 'sequence' ? pattern.items : [pattern]
}

export function isTerminal(pattern: Pattern): pattern is Terminal {
  return TERMINALS.has(pattern.kind)
}

/** The patterns directly below one; not the body of what it calls. */
export function childrenOf(pattern: Pattern): readonly Pattern[] {
  if (pattern.kind === 'sequence') return pattern.items
  if (pattern.kind === 'choice') return pattern.options
  if (pattern.kind === 'rounds' && pattern.again) return [pattern.operand, pattern.search, pattern.again]
  if (pattern.kind === 'rounds') return [pattern.operand, pattern.search]
  return 'operand' in pattern ? [pattern.operand] : []
}

/** A copy of a pattern with its children changed; the pattern itself if none is. */
export function mapChildren(pattern: Pattern, change: (child: Pattern) => Pattern): Pattern {
  const children = childrenOf(pattern)
  const changed = children.map(change)
  if (changed.every((child, i) => child === children[i])) return pattern
  if (pattern.kind === 'sequence') return sequence(changed)
  if (pattern.kind === 'choice') return { ...pattern, options: changed }
  if (pattern.kind === 'rounds') {
    const [operand, search, again] = changed as [Pattern, Pattern, Pattern?]
    return { ...pattern, operand, search, again }
  }
  return 'operand' in pattern ? { ...pattern, operand: changed[0] as Pattern } : pattern
}

/** How many nodes a pattern opens more than it closes. */
export function netOpens(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'open':
      return 1
    case 'close':
      return -1
    case 'sequence':
      return pattern.items.reduce((depth, item) => depth + netOpens(item), 0)
    case 'choice':
      return pattern.options[0] ? netOpens(pattern.options[0]) : 0
    default:
      return 0
  }
}

const sizes = new WeakMap<Pattern, number>()

/** How many patterns it is made of. Remembered: patterns do not change, and it is asked for at each level of what is nested. */
export function sizeOf(pattern: Pattern): number {
  const known = sizes.get(pattern)
  if (known !== undefined) return known
  const size = childrenOf(pattern).reduce((sum, child) => sum + sizeOf(child), 1)
  sizes.set(pattern, size)
  return size
}

/** Whether something in the pattern satisfies the test; not in what it calls. */
export function contains(pattern: Pattern, test: (pattern: Pattern) => boolean): boolean {
  return test(pattern) || childrenOf(pattern).some((child) => contains(child, test))
}

/** What a pattern calls, in its order; each time that it does. */
export function callsIn(pattern: Pattern): Procedure[] {
  const called: Procedure[] = []
  contains(pattern, (inner) => {
    if (inner.kind === 'call') called.push(inner.procedure)
    return false
  })
  return called
}

/** All procedures that can be reached from one, each once. */
export function proceduresFrom(entry: Procedure): Procedure[] {
  const found = new Set<Procedure>([entry])
  for (const { body } of found) for (const called of callsIn(body)) found.add(called)
  return [...found]
}

/** The references whose inlined rules contain an origin, the outermost first, and the origin's own expression. */
export function placesOf(origin: Origin | undefined): Expression[] {
  const places: Expression[] = []
  for (let next = origin; next; next = next.within) places.push(next.expression)
  return places.reverse()
}

/** Fields that say where a pattern comes from, and not what it does. */
const SOURCES: ReadonlySet<string> = new Set(['origins', 'restOrigins', 'origin', 'at'])
/** Patterns that are not worth comparing. */
const UNCOMPARED: ReadonlySet<Pattern['kind']> = new Set(['listed', 'match', 'action'])

/** Whether two patterns match and record the same. Where they come from may differ. */
export function isEqual(one: Pattern, other: Pattern): boolean {
  if (one.kind !== other.kind || UNCOMPARED.has(one.kind)) return false
  return Object.entries(one).every(([name, value]) => SOURCES.has(name) || isSame(value, Reflect.get(other, name)))
}

/** Whether two values of fields are the same. A procedure is the same as itself only. */
function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof CodePointSet) return one.isEqual(other as CodePointSet)
  if (Array.isArray(one) || one instanceof Uint8Array) {
    const items = other as ArrayLike<unknown>
    return one.length === items.length && one.every((item: unknown, i: number) => isSame(item, items[i]))
  }
  return (
    one === other ||
    (typeof one === 'object' && one !== null && 'kind' in one && isEqual(one as Pattern, other as Pattern))
  )
}

/** The first of some patterns that are equal, with the origins of all of them. */
export function mergeOrigins(patterns: readonly Pattern[]): Pattern {
  const [first] = patterns as [Pattern]
  const [, ...others] = patterns
  if (others.length === 0) return first
  const originsOf = (pattern: Pattern) => ('origins' in pattern ? pattern.origins : [])
  if (first.kind === 'name') {
    const restOrigins = patterns.flatMap((pattern) => (pattern as NamePattern).restOrigins)
    return { ...first, origins: patterns.flatMap(originsOf), restOrigins }
  }
  if ('origins' in first) return { ...first, origins: patterns.flatMap(originsOf) }
  const children = patterns.map(childrenOf)
  let i = 0
  return mapChildren(first, () => {
    const merged = mergeOrigins(children.map((all) => all[i] as Pattern))
    i++
    return merged
  })
}
