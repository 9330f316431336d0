// What is asked for when values are: which rules are delivered, and the shapes of what they give.

import { resolvePath, ruleOf } from '../facts/part-paths.ts'
import { GrammarError, ProblemList } from '../syntax/errors.ts'
import type { Rule } from '../syntax/expression.ts'
import type { SourceText } from '../syntax/source-text.ts'
import { findRepeated } from './repeated-rule.ts'
import type { ValueOptions } from './value-analysis.ts'
import { ValueShapes } from './value-shapes.ts'

/** The rules whose values are delivered, the paths to them, and the shapes of all. */
export interface ValueQuestion {
  readonly emitted: readonly string[]
  readonly emittedRules: readonly string[]
  readonly shapes: ValueShapes
}

/** Questions for the values of one grammar. Each is answered once: short inputs take less time than the answer. */
export class ValueQuestions {
  readonly #rules: ReadonlyMap<string, Rule>
  readonly #source: SourceText
  readonly #asked = new Map<string, ValueQuestion>()
  readonly #mapped: readonly string[]
  readonly #shapes = new Map<string, ValueShapes>()

  /** `mapped`: the rules whose values functions get. */
  constructor(rules: ReadonlyMap<string, Rule>, source: SourceText, mapped: readonly string[]) {
    this.#rules = rules
    this.#source = source
    this.#mapped = mapped
  }

  /**
   * Asks for the values of some rules; if none is given, of the rule of which the entry is a repetition, or else of the entry. Throws a `RangeError` with the code `unknown-rule`
   * for a rule that there is not, and a `GrammarError` if one of them, or a rule that it refers to, does not say what it gives.
   */
  ask(entry: string, emit: readonly string[] | undefined, options: ValueOptions): ValueQuestion {
    const { type, positions, lenient, as } = options
    const key = JSON.stringify([entry, emit, type, positions, lenient, as])
    const question = this.#asked.get(key) ?? this.#answer(entry, emit, options)
    this.#asked.set(key, question)
    return question
  }

  #answer(entry: string, emit: readonly string[] | undefined, options: ValueOptions): ValueQuestion {
    const shapes = this.shapesOf(options)
    const emitted = emit ?? [findRepeated(shapes.rules, entry) ?? entry]
    const emittedRules = [...new Set(emitted.map((path) => ruleOf(resolvePath(this.#rules, path))))]
    const found = new ProblemList(this.#source)
    for (const problem of shapes.findProblems(emittedRules)) found.report(problem)
    if (found.errorCount > 0) throw new GrammarError(found)
    return { emitted, emittedRules, shapes }
  }

  shapesOf({ type = false, positions = false, lenient = false, as }: ValueOptions): ValueShapes {
    const key = JSON.stringify([type, positions, lenient, as])
    const options = { type, positions, lenient, as, mapped: this.#mapped }
    const shapes = this.#shapes.get(key) ?? new ValueShapes(this.#rules, options)
    this.#shapes.set(key, shapes)
    return shapes
  }
}
