// What a rule holds back when a stream of it is read. The library warns of it for the rule that a grammar begins with. So each rule is
// made the beginning of a grammar of its own, with the rules that it needs, where they were.

import { type Dialect, type Expression, Grammar, type Problem, type Rule } from 'xylem/grammar'

/** What is known about a rule. */
export interface Verdict {
  readonly rule: string
  /** Empty: nothing is held back longer than it takes to see four more bytes, or a round of a repetition. */
  readonly held: readonly HeldInput[]
}

/** A place of a grammar where input is held back. */
export interface HeldInput {
  /** The rule in which the place is. */
  readonly rule: string
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly line: number
}

/** A grammar that can be used, and its text. */
export interface ReadGrammar {
  readonly text: string
  readonly dialect: Dialect
  readonly grammar: Grammar
}

/** The verdict about each rule, one after the other. Each takes as long as to read the grammar. */
export function* judgeRules({ text, dialect, grammar }: ReadGrammar): Generator<Verdict, void, undefined> {
  const { rules } = grammar
  const byName = new Map(rules.map((rule) => [rule.name, rule]))
  for (const rule of rules) {
    const warnings = rule.name === 'program' ? grammar.warnings : warningsOf(rule, text, byName, dialect)
    yield { rule: rule.name, held: warnings.flatMap((warning) => heldInputOf(warning, rules)) }
  }
}

function warningsOf(rule: Rule, text: string, rules: ReadonlyMap<string, Rule>, dialect: Dialect): readonly Problem[] {
  const own = makeGrammar(rule, text, rules)
  return Grammar.from(own, { dialect }).warnings
}

/** The same text with blanks in place of the rules that a rule does not need, and with a `program` after it. */
function makeGrammar(beginning: Rule, text: string, rules: ReadonlyMap<string, Rule>): string {
  const needed = findNeeded(beginning, rules)
  // A name as long as `program`, so that nothing moves.
  const other = Array.from({ length: 1 + rules.size }, (_, number) => `p${String(number).padStart(6, '0')}`).find(
    (name) => !rules.has(name),
  )
  let [made, from] = ['', 0]
  for (const { name, at } of rules.values()) {
    made += blank(text.slice(from, at.start))
    made += needed.has(name)
      ? rename(needed.get(name) as Rule, text, other as string)
      : blank(text.slice(at.start, at.end))
    from = at.end
  }
  const start = beginning.name === 'program' ? other : beginning.name
  return `${made}${blank(text.slice(from))}\nprogram ::= ${start} ;`
}

/** The text of a rule, in which `program` has another name. */
function rename({ nameAt, at, members, name }: Rule, text: string, other: string): string {
  const places = name === 'program' ? [nameAt] : []
  for (const expression of expressionsOf(members)) {
    if (expression.kind === 'reference' && expression.name === 'program') places.push(expression.at)
  }
  let [made, from] = ['', at.start]
  for (const { start } of places.sort((one, next) => one.start - next.start)) {
    made += text.slice(from, start) + other
    from = start + 'program'.length
  }
  return made + text.slice(from, at.end)
}

/** Comments go too: what is in them would be read as rules. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function findNeeded(beginning: Rule, rules: ReadonlyMap<string, Rule>): ReadonlyMap<string, Rule> {
  const needed = new Map([[beginning.name, beginning]])
  // What is added while the loop runs is visited by it too.
  for (const { members } of needed.values()) {
    for (const expression of expressionsOf(members)) {
      const rule = expression.kind === 'reference' ? rules.get(expression.name) : undefined
      if (rule) needed.set(rule.name, rule)
    }
  }
  return needed
}

function* expressionsOf(members: readonly Expression[]): Generator<Expression, void, undefined> {
  const waiting = [...members]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    if ('operand' in next) waiting.push(next.operand)
    else if ('items' in next) waiting.push(...next.items)
    else if ('options' in next) waiting.push(...next.options)
  }
}

function heldInputOf({ code, start, end, line }: Problem, rules: readonly Rule[]): HeldInput[] {
  if (code !== 'held-input') return []
  const rule = rules.find(({ at }) => at.start <= start && end <= at.end)
  return rule ? [{ rule: rule.name, start, end, line }] : []
}
