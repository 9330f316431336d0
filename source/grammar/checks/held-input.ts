// Which choices and repetitions will hold back input when it is streamed: where the machine may have to go back after something that
// can be of any length.

import { DependentFacts } from '../facts/dependent-facts.ts'
import { childrenOf, isTerminal, type Pattern, type Procedure } from '../pattern/pattern.ts'
import type { TextRange } from '../syntax/expression.ts'
import type { RewindCheck } from './check.ts'

/** Warns about choices that a parse comes to once: those in a repetition are over with the round they are in. */
export const findHeldInput: RewindCheck = (entry, rules) => {
  const once = findOnce(entry)
  const unbounded = new Unbounded()
  return ({ rule, options, tried }, at) => {
    if (!once.has(at) || unbounded.findIn(options[tried] as Pattern) !== 'unbounded') return undefined
    const written = rules.find((other) => other.at.start <= at.start && at.end <= other.at.end)
    return {
      code: 'held-input',
      message: `in ${written?.name ?? rule}, input is held back here: the first four bytes do not decide how to continue`,
      suggestion: 'let the alternatives begin with different bytes, or put a cut (^) after the part that decides',
    }
  }
}

/** Where the choices and options are that stand in no repetition. */
function findOnce(entry: Procedure): Set<TextRange> {
  const found = new Set<TextRange>()
  const entered = new Set<Procedure>([entry])
  const waiting: Pattern[] = [entry.body]
  // Without recursion: rules may refer to each other to any depth.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'repeat' && next.max > 1) continue
    if (next.kind === 'call' && !entered.has(next.procedure)) {
      entered.add(next.procedure)
      waiting.push(next.procedure.body)
    }
    if ((next.kind === 'repeat' || next.kind === 'choice') && next.at) found.add(next.at)
    waiting.push(...childrenOf(next))
  }
  return found
}

/** What a pattern comes to first. After a cut there is no way back to what is open around the pattern. */
type Reached = 'unbounded' | 'cut' | 'neither'

/** Patterns that hold a repetition of more than characters, or a recursion. */
class Unbounded {
  readonly #procedures = new DependentFacts<Procedure, boolean>(({ body }) => this.has(body), true)

  /** Whether input of any length is read before the pattern reaches a cut. */
  findIn(pattern: Pattern): Reached {
    if (pattern.kind === 'cut') return 'cut'
    const reached = pattern.kind === 'look' ? [] : childrenOf(pattern).map((child) => this.findIn(child))
    if (pattern.kind === 'sequence') return reached.find((one) => one !== 'neither') ?? 'neither'
    if (pattern.kind === 'choice') {
      return (['unbounded', 'neither'] as const).find((one) => reached.includes(one)) ?? 'cut'
    }
    // Each round reaches the cut, if there is a round.
    if (pattern.kind === 'repeat' && reached[0] === 'cut') return 'neither'
    return this.has(pattern) ? 'unbounded' : 'neither'
  }

  /** Cuts do not count: those of a rule that is called release nothing outside of it. */
  has(pattern: Pattern): boolean {
    if (pattern.kind === 'repeat') return pattern.max === Number.POSITIVE_INFINITY && !isTerminal(pattern.operand)
    if (pattern.kind === 'look') return false
    if (pattern.kind === 'call') return this.#procedures.get(pattern.procedure)
    return childrenOf(pattern).some((child) => this.has(child))
  }
}
