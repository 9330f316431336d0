// Which choices and repetitions will hold back input when it is streamed: where the machine may have to go back after something that
// can be of any length.

import type { RewindPoint } from './assembly/assemble.ts'
import type { Compilable } from './assembly/compile.ts'
import { DependentFacts } from './facts/dependent-facts.ts'
import { childrenOf, isTerminal, type Pattern, type Procedure } from './pattern/pattern.ts'
import type { ProblemDetails } from './syntax/errors.ts'
import type { TextRange } from './syntax/expression.ts'

/**
 * Warnings about a grammar's text, for parses that begin with `program`; none where there is no such rule. They are about choices that a
 * parse comes to once: those in a repetition are over with the round they are in.
 */
export function findHeldInput(grammar: Compilable): ProblemDetails[] {
  if (!grammar.rules.some(({ name }) => name === 'program')) return []
  const { rewindPoints, entry } = grammar.compile({ entry: 'program', parts: new Set() })
  const once = findOnce(entry)
  const unbounded = new Unbounded()
  const told = new Set<number>()
  return rewindPoints.flatMap((point) => {
    const { at, options, tried } = point
    if (!at || told.has(at.start) || !once.has(at)) return []
    if (unbounded.findIn(options[tried] as Pattern) !== 'unbounded') return []
    told.add(at.start)
    return describe(point, at, grammar)
  })
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

function describe(point: RewindPoint, at: TextRange, grammar: Compilable): ProblemDetails {
  const written = grammar.rules.find((rule) => rule.at.start <= at.start && at.end <= rule.at.end)
  const rule = written?.name ?? point.rule
  return {
    code: 'held-input',
    severity: 'warning',
    message: `in ${rule}, input is held back here: the first four bytes do not decide how to continue`,
    suggestion: 'let the alternatives begin with different bytes, or put a cut (^) after the part that decides',
    at,
  }
}

/** What a pattern comes to first. After a cut there is no way back to what is open around the pattern. */
type Reached = 'unbounded' | 'cut' | 'neither'

/** Patterns that hold a repetition of more than characters, or a recursion. */
class Unbounded {
  readonly #procedures = new DependentFacts<Procedure, boolean>(({ body }) => this.has(body), true)

  /** Whether input of any length is read before the pattern reaches a cut. */
  findIn(pattern: Pattern): Reached {
    if (pattern.kind === 'cut') return 'cut'
    if (pattern.kind === 'sequence') {
      for (const item of pattern.items) {
        const reached = this.findIn(item)
        if (reached !== 'neither') return reached
      }
      return 'neither'
    }
    if (pattern.kind === 'choice') {
      const reached = new Set(pattern.options.map((option) => this.findIn(option)))
      if (reached.has('unbounded')) return 'unbounded'
      return reached.has('neither') ? 'neither' : 'cut'
    }
    // Each round reaches the cut, if there is a round.
    if (pattern.kind === 'repeat' && this.findIn(pattern.operand) === 'cut') return 'neither'
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
