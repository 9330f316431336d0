// Deciding between options by the next bytes.
//
// An option that the bytes refuse need not be tried, unless a message may be about it: about what it expects after a beginning of it that
// matches. So one whose beginning may match is tried all the same, unless another one matches more for sure.

import { ByteSet } from '../../machine/program/byte-set.ts'
import { asFollow, DEPTH, joinFirstBytes, leaveOpen, openOptions, type Prefix, type Prefixes } from './prefix.ts'

/** What the bytes looked at leave. Options by their numbers, in ascending order. */
export interface DecisionLeaf {
  readonly kind: 'leaf'
  /** Those that may match; none, when all fail. Where it is what comes after the last one that fails, it is that. */
  readonly options: readonly number[]
  /** Those that will fail after something that matches: to be tried first, so that messages can say what they expect there. */
  readonly doomed: readonly number[]
}

/** A look at the byte `depth` bytes on. */
export interface DecisionSwitch {
  readonly kind: 'switch'
  readonly depth: number
  /** Where which bytes lead: all 256 of them, each once. */
  readonly ways: readonly DecisionWay[]
  /** Where the end of the input leads. */
  readonly end: Decision
}

/** Bytes that lead to the same decision. */
export interface DecisionWay {
  readonly bytes: ByteSet
  readonly next: Decision
}

/** A tree of looks. Equal subtrees are the same object. */
export type Decision = DecisionLeaf | DecisionSwitch

/** More looks than this cost more than trying. */
const MOST_SWITCHES = 64
/** Of more candidates only the first bytes are looked at: to distinguish all of them would take long. */
const MOST_CANDIDATES = 50

interface Candidate {
  readonly number: number
  readonly option: number
  readonly prefix: Prefix
}

/** A candidate that was refused, after so many bytes that it may match; `isOutside`: by what comes after its option, which may match. */
interface Refused {
  readonly candidate: Candidate
  readonly after: number
  readonly isOutside: boolean
}

/** What became of candidates that are not left. */
interface Past {
  /** Those that are to be tried all the same. */
  readonly refused: readonly Refused[]
  /** Options, when one of them was refused by what comes after it: these may match. */
  readonly open: ReadonlySet<number>
}

/** Bytes that the same candidates admit. */
interface ByteGroup {
  readonly left: readonly Candidate[]
  readonly bytes: ByteSet
}

/** How to decide between options, and what follows them. */
export function decideOptions(all: readonly Prefixes[]): Decision {
  return decide(openOptions(all))
}

/** What the next bytes say of one more round (0) against what follows the repetition (1). */
export function decideRound([round, follow]: readonly [Prefixes, Prefixes]): Decision {
  return decide([leaveOpen(round), asFollow(follow)])
}

/** How to decide between options that begin so; what comes after an option is to be part of how it begins. */
export function decide(options: readonly Prefixes[]): Decision {
  const count = options.reduce((sum, { length }) => sum + length, 0)
  const known = count > MOST_CANDIDATES ? options.map(joinFirstBytes) : options
  const candidates = known
    .flatMap((prefixes, option) => prefixes.map((prefix) => ({ option, prefix })))
    .map((candidate, number) => ({ number, ...candidate }))
  return new Decider().decide(candidates, { refused: [], open: new Set() }, 0)
}

/** Whether one option at the most may match, whatever comes. */
export function isDecisive(decision: Decision): boolean {
  return leavesOf(decision).every(({ options }) => options.length <= 1)
}

/** All leaves of a decision, each once. */
export function leavesOf(decision: Decision): DecisionLeaf[] {
  const seen = new Set<Decision>([decision])
  for (const node of seen) {
    if (node.kind === 'leaf') continue
    for (const { next } of node.ways) seen.add(next)
    seen.add(node.end)
  }
  return [...seen].filter((node) => node.kind === 'leaf')
}

class Decider {
  readonly #leaves = new Map<string, DecisionLeaf>()
  /** Decisions by depth and by which candidates are left, and which were refused. */
  readonly #known = new Map<string, Decision>()
  #switches = 0

  decide(candidates: readonly Candidate[], past: Past, depth: number): Decision {
    if (candidates.length === 0) return this.#leaf([], past)
    const count = optionsOf(candidates).length + past.refused.length
    const canLearn = candidates.some(({ prefix }) => prefix.sets.length > depth || prefix.tail === 'end')
    // One look is always worth it: it refuses what no option begins with.
    const isDecided = count <= 1 && depth > 0
    if (isDecided || !canLearn || depth === DEPTH || this.#switches >= MOST_SWITCHES) {
      return this.#leaf(candidates, past)
    }
    this.#switches++
    const bytesByNext = new Map<Decision, ByteSet>()
    for (const { left, bytes } of groupBytes(candidates, depth)) {
      const next = this.#decideOnce(left, pass(candidates, left, past, depth), depth + 1)
      bytesByNext.set(next, bytesByNext.get(next)?.union(bytes) ?? bytes)
    }
    const atEnd = candidates.filter(({ prefix }) => prefix.sets.length <= depth)
    const end = this.#leaf(atEnd, pass(candidates, atEnd, past, depth))
    const ways = Array.from(bytesByNext, ([next, bytes]) => ({ bytes, next }))
    return ways.length === 1 && ways[0]?.next === end ? end : { kind: 'switch', depth, ways, end }
  }

  #decideOnce(left: readonly Candidate[], past: Past, depth: number): Decision {
    const refused = past.refused.map(({ candidate }) => candidate.number)
    const key = [depth, left.map(({ number }) => number), refused, [...past.open].sort()].join(' ')
    const decision = this.#known.get(key) ?? this.decide(left, past, depth)
    this.#known.set(key, decision)
    return decision
  }

  #leaf(candidates: readonly Candidate[], { refused, open }: Past): DecisionLeaf {
    const left = candidates.length > 0 ? candidates : candidatesOf(refused, true)
    const options = optionsOf(left)
    const doomed = optionsOf(candidatesOf(refused, false)).filter(
      (option) => !options.includes(option) && !open.has(option),
    )
    const key = `${options.join()} ${doomed.join()}`
    const leaf = this.#leaves.get(key) ?? { kind: 'leaf', options, doomed }
    this.#leaves.set(key, leaf)
    return leaf
  }
}

/** The result for candidates when a byte leaves only some of them. */
function pass(candidates: readonly Candidate[], left: readonly Candidate[], past: Past, depth: number): Past {
  const isLeft = new Set(left)
  const open = candidates.filter((candidate) => !isLeft.has(candidate) && depth >= candidate.prefix.own)
  return { refused: refuse(candidates, left, past.refused, depth), open: new Set([...past.open, ...optionsOf(open)]) }
}

/**
 * Those that were refused and are to be tried all the same, when a byte leaves only some candidates: those that may match as much as is matched
 * for sure, or more.
 */
function refuse(
  candidates: readonly Candidate[],
  left: readonly Candidate[],
  refused: readonly Refused[],
  depth: number,
): Refused[] {
  if (depth === 0) return []
  const isLeft = new Set(left)
  const all = [...refused]
  for (const candidate of candidates) {
    const { ends, own } = candidate.prefix
    const after = highestBit(ends, depth)
    if (after > 0 && !isLeft.has(candidate)) all.push({ candidate, after, isOutside: depth >= own })
  }
  // Of those that are left, the first is tried first. Where it surely matches, none after it is tried.
  const [first] = left
  const tried = left.filter(({ option }) => option === first?.option)
  const isMatch = tried.some(({ prefix }) => prefix.passes && prefix.sets.length <= depth + 1)
  const last = first && isMatch ? first.option : Number.POSITIVE_INFINITY
  const sure = Math.max(
    1,
    ...tried.map(({ prefix }) => highestBit(prefix.sure, depth + 1)),
    ...all.map(({ candidate, after }) => highestBit(candidate.prefix.sure, after)),
  )
  const options = new Set(left.map(({ option }) => option))
  return all.filter(({ candidate: { option }, after }) => after >= sure && option < last && !options.has(option))
}

/** The number of the highest bit, of those up to a number; 0 where there is none. */
function highestBit(bits: number, most: number): number {
  return 31 - Math.clz32((bits & (2 ** (most + 1) - 1)) | 1)
}

function candidatesOf(refused: readonly Refused[], isOutside: boolean): Candidate[] {
  return refused.filter((one) => one.isOutside === isOutside).map(({ candidate }) => candidate)
}

function optionsOf(candidates: readonly Candidate[]): number[] {
  return [...new Set(candidates.map(({ option }) => option))].sort((one, other) => one - other)
}

/**
 * All bytes, by which candidates admit them. After a match that is known to its end nothing is known. Each candidate splits the groups so far
 * into the bytes that it admits and the others.
 */
function groupBytes(candidates: readonly Candidate[], depth: number): ByteGroup[] {
  const groupOf = new Array<number>(256).fill(0)
  const sizes = [256]
  const candidatesOf: Candidate[][] = [[]]
  for (const candidate of candidates) {
    const { sets, tail } = candidate.prefix
    const admitted = sets[depth] ?? (tail === 'end' ? ByteSet.NONE : ByteSet.ALL)
    const counts = new Map<number, number>()
    for (const byte of admitted.list)
      counts.set(groupOf[byte] as number, (counts.get(groupOf[byte] as number) ?? 0) + 1)
    const split = new Map<number, number>()
    for (const [group, count] of counts) {
      if (count === sizes[group]) {
        candidatesOf[group]?.push(candidate)
        continue
      }
      split.set(group, sizes.length)
      sizes[group] = (sizes[group] as number) - count
      sizes.push(count)
      candidatesOf.push([...(candidatesOf[group] as Candidate[]), candidate])
    }
    for (const byte of admitted.list) groupOf[byte] = split.get(groupOf[byte] as number) ?? (groupOf[byte] as number)
  }
  const bytesOf = new Map<number, number[]>()
  groupOf.forEach((group, byte) => {
    const bytes = bytesOf.get(group)
    if (bytes) bytes.push(byte)
    else bytesOf.set(group, [byte])
  })
  return Array.from(bytesOf, ([group, bytes]) => ({
    left: candidatesOf[group] as readonly Candidate[],
    bytes: ByteSet.from(bytes),
  }))
}
