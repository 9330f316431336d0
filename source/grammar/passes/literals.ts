// Options that are literals which begin alike become one terminal: the machine finds which of them is next without a way back.

import { addTo } from '../facts/multimap.ts'
import {
  type ChoicePattern,
  itemsOf,
  type LiteralPattern,
  type Origin,
  type Pattern,
  sequence,
} from '../pattern/pattern.ts'
import { changeEach, joinRuns } from './pass.ts'

/** Of more options than this, the next four bytes are not looked at. */
const MANY = 24

export const joinLiterals = changeEach((pattern, tellText) => {
  const tell = (count: number) => tellText(`${count} literals are one terminal`)
  if (pattern.kind !== 'choice' || pattern.options.length < 2) return pattern
  if (pattern.options.length > MANY) return joinOptions(pattern, tell)
  if (!pattern.options.every(isListable)) return pattern
  const literals: readonly LiteralPattern[] = pattern.options
  const [first] = literals as [LiteralPattern]
  if (literals.some(({ bytes }) => bytes[0] !== first.bytes[0]) || hasPrefix(literals)) return pattern
  tell(literals.length)
  return list(
    literals,
    literals.flatMap(({ origins }) => origins),
  )
})

function list(literals: readonly LiteralPattern[], origins: readonly Origin[]): Pattern {
  return { kind: 'listed', literals: literals.map(({ bytes }) => bytes), origins }
}

/** A single byte is distinguished from others by itself. */
function isListable(pattern: Pattern): pattern is LiteralPattern {
  return pattern.kind === 'literal' && !pattern.ignoresCase && pattern.bytes.length > 1
}

/** An option that is a literal, and the type of its node, if it is recorded. */
interface LiteralOption {
  readonly literal: LiteralPattern
  readonly type: string | undefined
}

/** Joins runs of many options that are literals of the same type of node, or of none. */
function joinOptions(choice: ChoicePattern, tell: (count: number) => void): Pattern {
  return joinRuns(choice, asLiteral, MANY + 1, (run) => {
    tell(run.length)
    return joinRun(run, choice.origin)
  })
}

function joinRun(run: readonly LiteralOption[], origin: Origin | undefined): Pattern[] {
  const literals = run.map(({ literal }) => literal)
  const type = run[0]?.type
  const joined = listInOrder(literals, origin)
  return type === undefined ? joined : joined.map((one) => sequence([{ kind: 'open' }, one, { kind: 'close', type }]))
}

function asLiteral(option: Pattern): LiteralOption | undefined {
  const items = itemsOf(option)
  const [open, inner, close] = items
  const isNode = items.length === 3 && open?.kind === 'open' && close?.kind === 'close'
  const literal = isNode ? inner : items.length === 1 ? open : undefined
  if (literal?.kind !== 'literal' || literal.ignoresCase) return undefined
  return { literal, type: isNode ? close.type : undefined }
}

/**
 * The literals as few options, of those that have the first byte in common and of which none begins another. One that an earlier one begins never
 * matches. One that begins an earlier one is tried after that. What comes after any of them is what comes after the choice.
 */
function listInOrder(literals: readonly LiteralPattern[], origin: Origin | undefined): Pattern[] {
  const ranks = findRanks(literals)
  const groups = new Map<number, LiteralPattern[]>()
  for (const [i, literal] of literals.entries()) {
    const rank = ranks[i]
    if (rank === undefined) continue
    const key = rank * 256 + (literal.bytes[0] as number)
    addTo(groups, key, literal)
  }
  const inOrder = [...groups].sort(([one], [other]) => Math.floor(one / 256) - Math.floor(other / 256))
  return inOrder.map(([, group]) => {
    const [only] = group as [LiteralPattern]
    return group.length === 1 ? only : list(group, origin ? [origin] : group.flatMap(({ origins }) => origins))
  })
}

/** For each literal, how many earlier ones begin with each other and with it, at the most; undefined if it begins with an earlier one. */
function findRanks(literals: readonly LiteralPattern[]): (number | undefined)[] {
  const bytesOf = (i: number) => (literals[i] as LiteralPattern).bytes
  const sorted = [...literals.keys()].sort((one, other) => compareBytes(bytesOf(one), bytesOf(other)) || one - other)
  const ranks = new Array<number | undefined>(literals.length)
  /** Those that begin the next one, the shortest first. */
  const open: number[] = []
  const close = (): void => {
    const rank = ranks[open.pop() as number] as number
    const outer = open.at(-1)
    if (outer !== undefined) ranks[outer] = Math.max(ranks[outer] as number, rank + 1)
  }
  for (const i of sorted) {
    while (open.length > 0 && !isBeginning(bytesOf(open.at(-1) as number), bytesOf(i))) close()
    if (open.some((earlier) => earlier < i)) continue
    ranks[i] = 0
    open.push(i)
  }
  while (open.length > 0) close()
  return ranks
}

function isBeginning(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((byte, i) => byte === other[i])
}

/**
 * Whether one begins another: of two literals that can both be next, the first option would have to be taken. In ascending order, what begins
 * another stands right before one that it begins.
 */
function hasPrefix(literals: readonly LiteralPattern[]): boolean {
  const sorted = literals.map(({ bytes }) => bytes).sort(compareBytes)
  return sorted.some((bytes, i) => {
    const next = sorted[i + 1]
    return next !== undefined && isBeginning(bytes, next)
  })
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length)
  for (let i = 0; i < length; i++) {
    const difference = (one[i] as number) - (other[i] as number)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}
