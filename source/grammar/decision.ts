// Deciding between options by the next bytes.

import { ByteSet } from '../machine/byte-set.ts'
import { DEPTH, joinFirstBytes, type Prefix, type Prefixes } from './prefix.ts'

/** The options that the bytes looked at leave, by their numbers in ascending order; none, when all of them fail. */
export interface DecisionLeaf {
  readonly kind: 'leaf'
  readonly options: readonly number[]
  /**
   * Whether all of them will fail, because the second byte or a later one refuses them: these are the ones that the bytes before it
   * left. They are to be tried all the same, so that the failure is found where it is, and by those who expected something else.
   */
  readonly isRefused: boolean
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
/** Of more candidates only the first bytes are looked at: to tell them all apart would take long. */
const MOST_CANDIDATES = 50

interface Candidate {
  readonly number: number
  readonly option: number
  readonly prefix: Prefix
}

/** Bytes that the same candidates admit. */
interface ByteGroup {
  readonly left: readonly Candidate[]
  readonly bytes: ByteSet
}

/** How to decide between options that begin so; what comes behind an option is to be part of how it begins. */
export function decide(options: readonly Prefixes[]): Decision {
  const count = options.reduce((sum, { length }) => sum + length, 0)
  const known = count > MOST_CANDIDATES ? options.map(joinFirstBytes) : options
  const candidates = known
    .flatMap((prefixes, option) => prefixes.map((prefix) => ({ option, prefix })))
    .map((candidate, number) => ({ number, ...candidate }))
  return new Decider().decide(candidates, 0)
}

/** Whether one option at the most is left, whatever comes; but for input that all of them refuse. */
export function isDecisive(decision: Decision): boolean {
  return leavesOf(decision).every(({ options, isRefused }) => isRefused || options.length <= 1)
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
  /** Decisions by depth and by which candidates are left. */
  readonly #known = new Map<string, Decision>()
  #switches = 0

  decide(candidates: readonly Candidate[], depth: number): Decision {
    const options = optionsOf(candidates)
    const canLearn = candidates.some(({ prefix }) => prefix.sets.length > depth || prefix.tail === 'end')
    // One look is always worth it: it refuses what no option begins with.
    const isDecided = options.length <= 1 && (depth > 0 || candidates.length === 0)
    if (isDecided || !canLearn || depth === DEPTH || this.#switches >= MOST_SWITCHES) return this.#leaf(options)
    this.#switches++
    const refused = depth === 0 ? this.#leaf([]) : this.#leaf(options, true)
    const bytesByNext = new Map<Decision, ByteSet>()
    for (const { left, bytes } of groupBytes(candidates, depth)) {
      const next = left.length === 0 ? refused : this.#decideOnce(left, depth + 1)
      bytesByNext.set(next, bytesByNext.get(next)?.union(bytes) ?? bytes)
    }
    const atEnd = optionsOf(candidates.filter(({ prefix }) => prefix.sets.length <= depth))
    const end = atEnd.length > 0 ? this.#leaf(atEnd) : refused
    const ways = Array.from(bytesByNext, ([next, bytes]) => ({ bytes, next }))
    return ways.length === 1 && ways[0]?.next === end ? end : { kind: 'switch', depth, ways, end }
  }

  #decideOnce(left: readonly Candidate[], depth: number): Decision {
    const key = `${depth} ${left.map(({ number }) => number).join()}`
    const decision = this.#known.get(key) ?? this.decide(left, depth)
    this.#known.set(key, decision)
    return decision
  }

  #leaf(options: readonly number[], isRefused = false): DecisionLeaf {
    const key = `${options.join()} ${isRefused}`
    const leaf = this.#leaves.get(key) ?? { kind: 'leaf', options, isRefused }
    this.#leaves.set(key, leaf)
    return leaf
  }
}

function optionsOf(candidates: readonly Candidate[]): number[] {
  return [...new Set(candidates.map(({ option }) => option))]
}

/**
 * All bytes, by which candidates admit them. Behind a match that is known to its end nothing is known. Each candidate splits the groups so far
 * into the bytes that it admits and the others.
 */
function groupBytes(candidates: readonly Candidate[], depth: number): ByteGroup[] {
  const groupOf = new Array<number>(256).fill(0)
  const candidatesOf: (readonly Candidate[])[] = [[]]
  for (const candidate of candidates) {
    const { sets, tail } = candidate.prefix
    const admitted = sets[depth] ?? (tail === 'end' ? ByteSet.NONE : ByteSet.ALL)
    const split = new Map<number, number>()
    for (const byte of admitted.list) {
      const before = groupOf[byte] as number
      const group = split.get(before) ?? candidatesOf.push([...(candidatesOf[before] as Candidate[]), candidate]) - 1
      split.set(before, group)
      groupOf[byte] = group
    }
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
