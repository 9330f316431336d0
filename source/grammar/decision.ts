// Deciding between options by the next bytes.

import { DEPTH, type Prefix, type Prefixes } from './prefix.ts'

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

/** A look at the byte `depth` bytes on: where each byte leads, and where the end of the input does. */
export interface DecisionSwitch {
  readonly kind: 'switch'
  readonly depth: number
  /** 256 of them. */
  readonly ways: readonly Decision[]
  readonly end: Decision
}

/** A tree of looks. Equal subtrees are the same object. */
export type Decision = DecisionLeaf | DecisionSwitch

/** More looks than this cost more than trying. */
const MOST_SWITCHES = 64

interface Candidate {
  readonly option: number
  readonly prefix: Prefix
}

/** How to decide between options that begin so; what comes behind an option is to be part of how it begins. */
export function decide(options: readonly Prefixes[]): Decision {
  return new Decider().decide(
    options.flatMap((prefixes, option) => prefixes.map((prefix) => ({ option, prefix }))),
    0,
  )
}

/** Whether one option at the most is left, whatever comes; but for input that all of them refuse. */
export function isDecisive(decision: Decision): boolean {
  return leavesOf(decision).every(({ options, isRefused }) => isRefused || options.length <= 1)
}

/** All leaves of a decision, each once. */
export function leavesOf(decision: Decision): DecisionLeaf[] {
  const seen = new Set<Decision>([decision])
  for (const node of seen) {
    if (node.kind === 'switch') for (const next of [...node.ways, node.end]) seen.add(next)
  }
  return [...seen].filter((node) => node.kind === 'leaf')
}

class Decider {
  readonly #leaves = new Map<string, DecisionLeaf>()
  readonly #known = new Map<string, Decision>()
  #switches = 0

  decide(candidates: readonly Candidate[], depth: number): Decision {
    const options = [...new Set(candidates.map(({ option }) => option))]
    const canLearn = candidates.some(({ prefix }) => prefix.sets.length > depth || prefix.tail === 'end')
    // One look is always worth it: it refuses what no option begins with.
    const isDecided = options.length <= 1 && (depth > 0 || candidates.length === 0)
    if (isDecided || !canLearn || depth === DEPTH || this.#switches >= MOST_SWITCHES) return this.#leaf(options)
    this.#switches++
    const refused = depth === 0 ? this.#leaf([]) : this.#leaf(options, true)
    const ways = Array.from({ length: 256 }, (_, byte) => {
      const left = candidates.filter(({ prefix }) => admits(prefix, depth, byte))
      return left.length > 0 ? this.#decideOnce(left, depth + 1) : refused
    })
    const atEnd = optionsOf(candidates.filter(({ prefix }) => admitsEnd(prefix, depth)))
    const end = atEnd.length > 0 ? this.#leaf(atEnd) : refused
    if (ways.every((way) => way === end)) return end
    return { kind: 'switch', depth, ways, end }
  }

  /** The same decision for the same candidates. */
  #decideOnce(candidates: readonly Candidate[], depth: number): Decision {
    const ids = candidates.map((candidate) => this.#identify(candidate))
    const key = `${depth} ${ids.join()}`
    const known = this.#known.get(key)
    if (known) return known
    const decision = this.decide(candidates, depth)
    this.#known.set(key, decision)
    return decision
  }

  readonly #ids = new Map<Candidate, number>()

  #identify(candidate: Candidate): number {
    const id = this.#ids.get(candidate) ?? this.#ids.size
    this.#ids.set(candidate, id)
    return id
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

/** Whether the byte can stand at the depth. Behind a match that is known to its end nothing is known. */
function admits({ sets, tail }: Prefix, depth: number, byte: number): boolean {
  const set = sets[depth]
  return set ? set.has(byte) : tail !== 'end'
}

function admitsEnd({ sets }: Prefix, depth: number): boolean {
  return sets.length <= depth
}
