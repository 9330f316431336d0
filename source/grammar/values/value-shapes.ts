// The shapes of the values of a grammar's rules, and what keeps a rule from giving values.

import type { ProblemDetails } from '../syntax/errors.ts'
import { type Expression, type Field, type Fold, type Rule, walk } from '../syntax/expression.ts'
import { findMeetingRecords } from './meeting-records.ts'
import { findEntry } from './repeated-rule.ts'
import { applyKinds } from './text-kinds.ts'
import { type Given, ValueAnalysis, type ValueOptions } from './value-analysis.ts'
import { joinRules, ValueRules } from './value-rules.ts'
import { type FieldValueShape, type RecordShape, unite, type ValueShape } from './value-shape.ts'

/** Fields that records with positions have. */
const PLACES = ['start', 'end']

export class ValueShapes {
  readonly rules: ValueRules
  readonly options: ValueOptions
  readonly #analysis: ValueAnalysis
  #typed: ReadonlySet<string> | undefined

  constructor(given: ReadonlyMap<string, Rule>, options: ValueOptions = {}) {
    const joined = joinRules(given)
    this.rules = new ValueRules(options.as ? applyKinds(joined, options.as) : joined)
    this.options = options
    this.#analysis = new ValueAnalysis(this.rules, options, (rule) => this.typeOf(rule))
  }

  /** What a rule gives. */
  shapeOf(rule: string): ValueShape {
    return this.given(rule).shape
  }

  /** What a rule gives, and how it is recorded. */
  given(rule: string): Given {
    const given = this.#analysis.given.get(rule) as Given
    if (!this.options.mapped?.includes(rule)) return given
    return {
      shape: { kind: 'result' },
      lower: (to, isEntry) =>
        isEntry ? given.lower(to, isEntry) : to.enclose(given.lower(to), { kind: 'call', rule }),
    }
  }

  /** The `type` of the records that a rule gives; undefined for none. */
  typeOf(rule: string): string | undefined {
    if (this.options.type) return rule
    this.#typed ??= findMeetingRecords(new Map([...this.#analysis.given].map(([name, { shape }]) => [name, shape])))
    return this.#typed.has(rule) ? rule : undefined
  }

  /** What keeps the values of rules, and of all rules that these refer to, from being made. */
  findProblems(from: Iterable<string>): ProblemDetails[] {
    const reached = new Set(from)
    for (const name of reached) {
      for (const other of this.referencesOf(name)) reached.add(other)
    }
    return [...reached].flatMap((name) => this.problemsOf(name))
  }

  /** What keeps the values of a rule from being made, but for the rules that it refers to. */
  problemsOf(name: string): ProblemDetails[] {
    return [...(this.#analysis.problems.get(name) ?? []), ...this.#findReserved(name), ...this.#findNoKeys(name)]
  }

  /** The rules whose values the value of a rule is made of. */
  referencesOf(name: string): Iterable<string> {
    return this.#analysis.references.get(name) as Set<string>
  }

  /** What one value is, without rules and unions in it: these may refer to each other. */
  groundsOf(shape: ValueShape): ValueShape[] {
    const found = new Set<ValueShape>()
    const entered = new Set<string>()
    const waiting = [shape]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (next.kind === 'union') for (const member of next.members.toReversed()) waiting.push(member)
      else if (next.kind !== 'rule') found.add(next)
      else if (!entered.has(next.name)) {
        entered.add(next.name)
        waiting.push(this.shapeOf(next.name))
      }
    }
    const united = unite([...found])
    return united.kind === 'union' ? [...united.members] : [united]
  }

  /** What the entries of a map have for keys and for values, whose records are those of a rule. */
  fieldsOfEntry(rule: string): readonly [key: ValueShape, value: ValueShape] {
    const { shape: record } = this.#analysis.given.get(rule) as Given
    const [fields] = (record as RecordShape).variants
    return (fields as readonly FieldValueShape[]).map(({ shape }) => shape) as [ValueShape, ValueShape]
  }

  // Problems.

  /** Fields whose names records have for something else. */
  #findReserved(name: string): ProblemDetails[] {
    const { positions = false } = this.options
    const hasType = this.typeOf(name) !== undefined && ['record', 'fold'].includes(this.rules.givingOf(name))
    const problems: ProblemDetails[] = []
    for (const { expression, isOfRule } of fieldsIn(this.rules.rule(name).members)) {
      const { name: field, at } = expression
      const isType = hasType && isOfRule && field === 'type'
      if (!isType && !(positions && PLACES.includes(field))) continue
      const what = isType
        ? 'the record says what it is with "type"'
        : `with positions, records say where they are with "${field}"`
      problems.push({
        code: 'reserved-field',
        message: `in ${name}, ${what}`,
        suggestion: 'give the field another name',
        at,
      })
    }
    return problems
  }

  /** A map whose entries have no keys. */
  #findNoKeys(name: string): ProblemDetails[] {
    const { isMap, nameAt } = this.rules.rule(name)
    const entry = isMap ? findEntry(this.rules, name) : undefined
    const hasKeys =
      entry !== undefined && this.groundsOf(this.fieldsOfEntry(entry)[0]).every((key) => isKey(key, this.options))
    if (!isMap || hasKeys) return []
    return [
      {
        code: 'not-a-map',
        message: `${name} is @map, but does not repeat one rule with two fields, where the first is a text`,
        suggestion: `repeat such a rule: ${name} @map ::= entry{* %","} ; entry ::= key:[a-z]+ %"=" value:[0-9]+ ;`,
        at: nameAt,
      },
    ]
  }
}

/** Fields below expressions, and whether they belong to the rule, and not to brackets that have a name. */
function fieldsIn(members: readonly Expression[]): { expression: Field | Fold; isOfRule: boolean }[] {
  const found: { expression: Field | Fold; isOfRule: boolean }[] = []
  const inner = new Set<Expression>()
  for (const expression of walk(members)) {
    if (expression.kind !== 'field' && expression.kind !== 'fold') continue
    const isOfRule = !inner.has(expression)
    found.push({ expression, isOfRule })
    // What is in a field of a field was added with the outer one.
    if (expression.kind === 'field' && isOfRule) for (const below of walk([expression.operand])) inner.add(below)
  }
  return found
}

/** Whether values of a shape are texts that can be keys. */
function isKey(shape: ValueShape, { lenient = false }: ValueOptions): boolean {
  if (shape.kind === 'text') return shape.textKind === undefined
  return shape.kind === 'constant' || (lenient && shape.kind === 'null')
}
