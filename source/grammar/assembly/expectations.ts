// What could stand at a place of the input, by the grammar alone: so messages are the same whatever the program does there, and whichever
// nodes are wanted. It is asked for when a parse has failed.

import {
  type Continuation,
  END_OF_INPUT,
  type Expectation,
  type ExpectedLiteral,
  type LookId,
  type Place,
  type Rounds,
} from '../../machine/program/program.ts'
import { conditionOfNullable } from '../facts/nullable.ts'
import { type Condition, type Facts, findFacts } from '../facts/rule-facts.ts'
import { describe, describeAll } from '../pattern/describe.ts'
import type { Origin } from '../pattern/pattern.ts'
import {
  type CharacterClass,
  type Count,
  type Expression,
  type Look,
  operandsOf,
  partsOf,
  type Rule,
  walk,
} from '../syntax/expression.ts'

/** More than this a message would not list. */
const MOST_EXPECTATIONS = 40
/** Expressions that are gone through to find them: there may be many ways to come to the same few. */
const MOST_STEPS = 10_000

/** The rules that were come to, from the innermost out. */
interface Chain {
  readonly rule: string
  readonly outer: Chain | undefined
}

/** Where an expression stands: in another one, or in a rule. */
type Parent = Expression | Rule

/** What a grammar says of what comes next. */
export class Expectations {
  readonly #rules: ReadonlyMap<string, Rule>
  #parents: ReadonlyMap<Expression, Parent> | undefined
  /** What can match nothing, whatever comes. */
  #nullable: Facts | undefined

  constructor(rules: ReadonlyMap<string, Rule>) {
    this.#rules = rules
  }

  /** What a rule could begin with, where the input begins. */
  start(rule: string): Continuation {
    const expects = this.#firstOf(this.#membersOf(rule))
    if (this.#nullables.rules.has(rule)) return goOn(expects, 'caller', 0)
    return mustCome(expects, 0, [rule, ...findCommon(expects)])
  }

  /** The place of the grammar where a pattern comes from. `isCounting`: it is a terminal that counts rounds by itself. */
  placeOf(origin: Origin, isCounting: boolean): Place {
    return new GrammarPlace(this, origin, isCounting)
  }

  /** What could come after a match of a pattern that comes from there. */
  after(origin: Origin): Continuation {
    const { expression, share } = origin
    if (share === 'piece') return mustCome(this.#firstOf([expression]), 0)
    if (share === 'round' && isCounted(expression)) return goOn([], this.roundsOf(origin, 0), 0)
    const isLonger = expression.kind === 'class' && expression.count.max === Number.POSITIVE_INFINITY
    const expects = isLonger && !this.#isInName(origin) ? this.#again(expression, expression) : []
    return this.#following(origin, expects, 0)
  }

  /**
   * The rounds of a repetition, or of a class or not with a count, after one of them; `ended` rules have ended since a match of something in
   * it.
   */
  roundsOf(origin: Origin, ended: number): Rounds {
    const { expression } = origin
    const { min, max } = countOf(expression)
    const operand = expression.kind === 'repeat' ? expression.operand : expression
    return {
      min,
      max,
      again: this.#firstOf([operand]),
      reportsOptional: expression.kind !== 'not' && !this.#isInName(origin),
      after: this.#following(origin, [], ended),
    }
  }

  /** Whether it is a class in a rule with a label: that what is called a name could be longer goes without saying. */
  #isInName({ expression, rule }: Origin): boolean {
    return expression.kind === 'class' && this.#rules.get(rule)?.label !== undefined
  }

  /** What could come after an expression, besides what is known already; `ended` rules have ended before it. */
  #following(origin: Origin, expects: Expectation[], ended: number): Continuation {
    const { within } = origin
    let child = origin.expression
    let isName = this.#isInName(origin)
    for (;;) {
      const parent = this.#parentOf(child)
      const items = 'members' in parent ? parent.members : parent.kind === 'group' ? parent.items : [child]
      // What says where reading continues is no member of its rule.
      for (const item of items.includes(child) ? items.slice(items.indexOf(child) + 1) : []) {
        const first = this.#firstOf([item])
        const isOptional = this.#nullables.expressions.has(item)
        isName &&= item.kind === 'class' && isOptional
        if (!isName) expects.push(...first)
        if (!isOptional) return mustCome(expects, ended, findCommon(first))
      }
      isName = false
      if ('members' in parent)
        return within ? this.#following(within, expects, ended + 1) : goOn(expects, 'caller', ended)
      if (isCounted(parent)) return goOn(expects, this.roundsOf({ ...origin, expression: parent }, ended), ended)
      if (parent.kind === 'repeat' && parent.count.max > 1) {
        const { operand, separator } = parent
        const next =
          separator && child !== separator ? this.#firstOf([separator, operand]) : this.#again(parent, operand)
        if (child === separator && !this.#nullables.expressions.has(operand)) {
          return mustCome([...expects, ...next], ended, findCommon(next))
        }
        expects.push(...next)
      }
      child = parent
    }
  }

  /** What one more round of a repetition could begin with. Where a rule is nothing else, that is more of the rule. */
  #again(repetition: Expression, round: Expression): Expectation[] {
    const parent = this.#parentOf(repetition)
    const isAll = 'members' in parent && parent.members.length === 1
    return this.#firstOf([round], isAll ? { rule: parent.name, outer: undefined } : undefined)
  }

  /**
   * What expressions one after the other could begin with. Without recursion: rules may begin with each other to any depth.
   */
  #firstOf(items: readonly Expression[], chain?: Chain): Expectation[] {
    const found = new Map<string, Expectation>()
    const waiting: {
      readonly expression: Expression
      readonly chain: Chain | undefined
      readonly look: LookId | undefined
      readonly ahead: string | undefined
    }[] = []
    /** The look-ahead that is being gone through. */
    let look: LookId | undefined
    const add = (expressions: readonly Expression[], within: Chain | undefined, ahead?: string): void => {
      for (const expression of expressions.toReversed()) waiting.push({ expression, chain: within, ahead, look })
    }
    const tell = (text: string, within: Chain | undefined, literal?: ExpectedLiteral): void => {
      const rules = listRules(within)
      found.set([text, literal?.text, look, ...rules].join('\n'), { text, rules, literal, look })
    }
    add(this.#untilRequired(items), chain)
    let steps = 0
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (found.size >= MOST_EXPECTATIONS || ++steps > MOST_STEPS) break
      const { expression, chain: within, ahead } = next
      look = next.look
      const inside = (rule: string) => (ahead === undefined ? { rule, outer: within } : within)
      switch (expression.kind) {
        case 'literal':
        case 'class':
        case 'not':
          if (!this.#neverMatches(expression)) tell(ahead ?? describe(expression), within, literalOf(expression))
          break
        case 'reference':
          add(this.#untilRequired(this.#membersOf(expression.name)), inside(expression.name), ahead)
          break
        case 'group':
          add(this.#untilRequired(expression.items), within, ahead)
          break
        case 'repeat':
          add(this.#untilRequired(operandsOf(expression)), within, ahead)
          break
        case 'look': {
          const excluded = classExcludedBy(expression)
          look ??= expression.at.start
          if (!expression.isNegative) {
            const { operand } = expression
            const inner = operand.kind === 'reference' ? inside(operand.name) : within
            const ways = this.#waysOf(operand)
            // What several parts begin with may be there, and what is missing is farther on.
            if (ways === 'several') add([operand], inner, ahead ?? describeAll(operand))
            else add(ways?.map((way) => ({ ...expression, operand: way })) ?? [operand], inner, ahead)
          }
          if (!excluded) break
          if (excluded.ranges.length > 0) tell(describe({ ...excluded, isNegated: false }), within)
          tell(END_OF_INPUT.text, undefined)
          break
        }
        default:
          add(operandsOf(expression), within, ahead)
      }
    }
    return [...found.values()]
  }

  /** Of what is all of an expression, or of an option of it: `several` parts; undefined where it is a terminal. */
  #waysOf(expression: Expression): readonly Expression[] | 'several' | undefined {
    if (countOf(expression).min > 1) return 'several'
    if (expression.kind === 'not' || expression.kind === 'look') return undefined
    const inner = expression.kind === 'reference' ? this.#membersOf(expression.name) : operandsOf(expression)
    if (inner.length > 1 && expression.kind !== 'choice') return 'several'
    return inner.length === 0 ? undefined : inner
  }

  /** Items up to the first that cannot be left out. */
  #untilRequired(items: readonly Expression[]): readonly Expression[] {
    const required = items.findIndex((item) => !this.#nullables.expressions.has(item))
    return required === -1 ? items : items.slice(0, required + 1)
  }

  #neverMatches(expression: Expression): boolean {
    if (expression.kind === 'literal') return expression.text === ''
    if (expression.kind === 'not') return this.#nullables.expressions.has(expression.operand)
    return (
      expression.kind === 'class' && !expression.isNegated && expression.ranges.every(({ first, last }) => first > last)
    )
  }

  #membersOf(rule: string): readonly Expression[] {
    return this.#rules.get(rule)?.members ?? []
  }

  get #nullables(): Facts {
    this.#nullable ??= findFacts(this.#rules.values(), conditionOf, 'all')
    return this.#nullable
  }

  #parentOf(expression: Expression): Parent {
    this.#parents ??= findParents(this.#rules.values())
    return this.#parents.get(expression) as Parent
  }
}

/** A place that is worked out when it is asked for. A program has very many of them, so it is small. */
class GrammarPlace implements Place {
  readonly #expectations: Expectations
  readonly #origin: Origin
  readonly #isCounting: boolean

  constructor(expectations: Expectations, origin: Origin, isCounting: boolean) {
    this.#expectations = expectations
    this.#origin = origin
    this.#isCounting = isCounting
  }

  get rules(): readonly string[] {
    return rulesOf(this.#origin)
  }

  get next(): Continuation {
    return this.#expectations.after(this.#origin)
  }

  get rounds(): Rounds | undefined {
    return this.#isCounting ? this.#expectations.roundsOf(this.#origin, 0) : undefined
  }
}

/** Where a look-ahead says what comes, nothing else is expected there. */
function conditionOf(expression: Expression): Condition {
  const isReported = expression.kind === 'look' && (!expression.isNegative || classExcludedBy(expression) !== undefined)
  return isReported ? 'never' : conditionOfNullable(expression)
}

/** What `&![^a]` and `&![^]` say of what comes: a character that is listed, if any is, or the end of the input. */
function classExcludedBy({ operand, isNegative }: Look): CharacterClass | undefined {
  return isNegative && operand.kind === 'class' && operand.isNegated && operand.count.min > 0 ? operand : undefined
}

function findParents(rules: Iterable<Rule>): Map<Expression, Parent> {
  const parents = new Map<Expression, Parent>()
  for (const rule of rules) {
    for (const part of partsOf(rule)) parents.set(part, rule)
    for (const expression of walk(partsOf(rule))) {
      for (const operand of operandsOf(expression)) parents.set(operand, expression)
    }
  }
  return parents
}

/** The rules that an origin is in, from the one that is called in. */
export function rulesOf(origin: Origin | undefined): string[] {
  const rules: string[] = []
  for (let next = origin; next; next = next.within) rules.push(next.rule)
  return rules.reverse()
}

function goOn(expects: readonly Expectation[], beyond: Continuation['beyond'], ended: number): Continuation {
  return { expects, beyond, ended, begins: [] }
}

function mustCome(expects: readonly Expectation[], ended: number, begins: readonly string[] = []): Continuation {
  return { expects, beyond: undefined, ended, begins }
}

/** How often an expression may match in a row. */
function countOf(expression: Expression): Count {
  return 'count' in expression ? expression.count : { min: 1, max: 1 }
}

/** Whether a program counts rounds of it, unless a terminal does. */
function isCounted(expression: Expression): boolean {
  const { min, max } = countOf(expression)
  if (max === Number.POSITIVE_INFINITY) return min > 1
  return max > 1 || (expression.kind === 'repeat' && min === 1)
}

/** The text of a literal of more than one character. */
function literalOf(expression: Expression): ExpectedLiteral | undefined {
  if (expression.kind !== 'literal' || expression.text.length < 2) return undefined
  const { text, ignoresCase } = expression
  return { text, ignoresCase }
}

/** From the outermost in. */
function listRules(chain: Chain | undefined): string[] {
  const rules: string[] = []
  for (let next = chain; next; next = next.outer) rules.push(next.rule)
  return rules.reverse()
}

/** The rules with which all of what is expected begins. */
function findCommon(expects: readonly Expectation[]): readonly string[] {
  const [first, ...others] = expects
  if (!first) return []
  const end = first.rules.findIndex((rule, i) => others.some(({ rules }) => rules[i] !== rule))
  return end === -1 ? first.rules : first.rules.slice(0, end)
}
