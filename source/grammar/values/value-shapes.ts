// The shapes of the values of a grammar's rules, and what keeps a rule from giving values.

import type { ProblemDetails } from '../syntax/errors.ts'
import { type Expression, type Field, type Fold, namesIn, type Repeat, type Rule, walk } from '../syntax/expression.ts'
import type { Quotes } from './action.ts'
import { baseOf, roundOf } from './fold-form.ts'
import { findMeetingRecords } from './meeting-records.ts'
import { type FieldForm, findRecord, isOption, type RecordForm } from './record-form.ts'
import { findEntry } from './repeated-rule.ts'
import { applyKinds, type TextKinds } from './text-kinds.ts'
import { constantsOf, ValueRules } from './value-rules.ts'
import { type FieldValueShape, type RecordShape, unite, type ValueShape } from './value-shape.ts'

/** Whether records say what they are, and where they are. */
export interface ValueOptions {
  /** Whether each record of a rule has the name of the rule as its `type`; otherwise it has it where other records may stand in its place. */
  readonly type?: boolean | undefined
  /** Whether each record has `start` and `end`. */
  readonly positions?: boolean | undefined
  /** Whether a text that is not what its rule says gives null. */
  readonly lenient?: boolean | undefined
  /** Kinds that the grammar does not say. */
  readonly as?: TextKinds | undefined
}

/** No value at all. */
const NEVER: ValueShape = { kind: 'union', members: [] }
const NULL: ValueShape = { kind: 'null' }
/** Fields that records with positions have. */
const PLACES = ['start', 'end']

const QUOTES = new Set(['"', "'", '`'])

export class ValueShapes {
  readonly rules: ValueRules
  readonly options: ValueOptions
  readonly #shapes = new Map<string, ValueShape>()
  readonly #problems = new Map<string, ProblemDetails[]>()
  /** The rule whose shape is being worked out. */
  #rule = ''
  /** What that rule has made before a round. */
  #made: ValueShape = NEVER
  #typed: ReadonlySet<string> | undefined

  constructor(given: ReadonlyMap<string, Rule>, options: ValueOptions = {}) {
    const rules = options.as ? applyKinds(given, options.as) : given
    this.rules = new ValueRules(rules)
    this.options = options
    for (const { name, members } of rules.values()) {
      this.#rule = name
      this.#problems.set(name, [])
      this.#shapes.set(name, this.#shapeOfRule(name, members))
    }
  }

  /** What a rule gives. */
  shapeOf(rule: string): ValueShape {
    return this.#shapes.get(rule) as ValueShape
  }

  /** The `type` of the records that a rule gives; undefined for none. */
  typeOf(rule: string): string | undefined {
    if (this.options.type) return rule
    this.#typed ??= findMeetingRecords(this.#shapes)
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
    return [...(this.#problems.get(name) ?? []), ...this.#findReserved(name), ...this.#findNoKeys(name)]
  }

  /** The rules whose values the value of a rule is made of. */
  referencesOf(name: string): Iterable<string> {
    const { members } = this.rules.rule(name)
    const visible = [...walk(members)].filter(
      (expression) => expression.kind === 'reference' && this.rules.isVisible(expression),
    )
    return [...namesIn(visible)].filter((other) => this.rules.rules.has(other))
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
    const [fields] = (this.shapeOf(rule) as RecordShape).variants
    return (fields as readonly FieldValueShape[]).map(({ shape }) => shape) as [ValueShape, ValueShape]
  }

  /** The quotes of the text of a rule with a notation; undefined if it always or sometimes begins with something else. */
  quotesOf(name: string): Quotes | undefined {
    return findQuotes(this.rules.rule(name).members)
  }

  // Rules.

  #shapeOfRule(name: string, members: readonly Expression[]): ValueShape {
    const { textKind, notation } = this.rules.rule(name)
    const giving = this.rules.givingOf(name)
    if (this.rules.rule(name).isMap) return this.#map(name)
    if ((textKind ?? notation) !== undefined && giving !== 'text') this.#reportKind(name)
    switch (giving) {
      case 'nothing':
        return NULL
      case 'text':
        if (notation === 'sql-string' && !findQuotes(members)) this.#reportQuotes(name)
        if ((textKind ?? notation) === undefined) return this.#shapeOfText(members)
        return this.options.lenient ? unite([{ kind: 'text', textKind }, NULL]) : { kind: 'text', textKind }
      case 'record':
        return this.#record(findRecord(this.rules, members), name)
      case 'fold':
        return this.#fold(members)
      case 'parts':
        return this.#shapeOfItems(members)
    }
  }

  #map(name: string): ValueShape {
    const entry = findEntry(this.rules, name)
    return entry === undefined ? NEVER : { kind: 'map', entry }
  }

  #fold(members: readonly Expression[]): ValueShape {
    const round = roundOf(this.rules, members)
    const base = this.#shapeOfOne(baseOf(this.rules, members) ?? round)
    const { min, max } = round.count
    const whole: ValueShape = { kind: 'rule', name: this.#rule }
    // The first round finds the base, the later ones what was made before them.
    this.#made = max <= 1 ? base : min > 0 ? unite([base, whole]) : whole
    const record = this.#record(findRecord(this.rules, [round.operand]), this.#rule)
    return min > 0 ? record : unite([base, record])
  }

  // Expressions.

  #shapeOfOne(expression: Expression): ValueShape {
    const { rules } = this
    if (expression.kind === 'repeat') return this.#shapeOfRepeat(expression)
    if (!rules.isVisible(expression)) return expression.kind === 'failure' ? NEVER : NULL
    if (rules.hasFields(expression)) return this.#record(findRecord(rules, [expression]), undefined)
    switch (expression.kind) {
      case 'reference':
        return { kind: 'rule', name: expression.name }
      case 'choice':
        if (rules.isText(expression)) return this.#shapeOfText([expression])
        return unite(expression.options.map((option) => this.#shapeOfOne(option)))
      case 'group':
        return this.#shapeOfItems(expression.items)
      default:
        return this.#shapeOfText([expression])
    }
  }

  #shapeOfRepeat(expression: Repeat): ValueShape {
    const item = this.#shapeOfOne(expression.operand)
    if (isOption(expression)) return unite([item, NULL])
    return { kind: 'array', item, least: expression.count.min }
  }

  #shapeOfItems(items: readonly Expression[]): ValueShape {
    const { rules } = this
    const [only] = items
    if (items.length === 1 && only) return this.#shapeOfOne(only)
    if (items.every((item) => !rules.isVisible(item) || rules.isText(item))) return this.#shapeOfText(items)
    const parts = rules.partsOf(items)
    if (parts.length > 1) this.#reportParts(parts)
    return this.#shapeOfOne(parts[0] as Expression)
  }

  #shapeOfText(items: readonly Expression[]): ValueShape {
    const [only] = items
    const texts = items.length === 1 && only ? constantsOf(only) : undefined
    if (!texts) return { kind: 'text', textKind: undefined }
    return unite(texts.map((text) => ({ kind: 'constant', text })))
  }

  #record({ variants }: RecordForm, rule: string | undefined): RecordShape {
    return { kind: 'record', rule, variants: variants.map((fields) => fields.map((field) => this.#field(field))) }
  }

  #field({ name, sources, isList, least }: FieldForm): FieldValueShape {
    const shapes = sources.map((source) => this.#shapeOfSource(source, isList))
    if (isList) return { name, shape: { kind: 'array', item: unite(shapes), least }, isOptional: false }
    return { name, shape: unite(shapes), isOptional: least === 0 }
  }

  /** What a field gets: of a list, one of its items. */
  #shapeOfSource(source: Field | Fold, isItem: boolean): ValueShape {
    if (source.kind === 'fold') return this.#made
    const { operand, isFlag } = source
    if (isFlag) return { kind: 'flag' }
    if (operand.kind === 'repeat' && (isItem || isOption(operand))) return this.#shapeOfOne(operand.operand)
    return this.#shapeOfOne(operand)
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

  #report(problem: ProblemDetails): void {
    this.#problems.get(this.#rule)?.push(problem)
  }

  #reportParts(parts: readonly Expression[]): void {
    const [first, ...others] = parts as [Expression, ...Expression[]]
    this.#report({
      code: 'unnamed-parts',
      message: `${this.#rule} has ${parts.length} parts that give something here, and does not say which of them matter`,
      suggestion: 'name the parts (name:part), gather them (...( … )), or omit what does not matter (%part)',
      at: { start: first.at.start, end: (others.at(-1) ?? first).at.end },
    })
  }

  #reportKind(name: string): void {
    const { textKind, notation, nameAt } = this.rules.rule(name)
    this.#report({
      code: 'not-a-text',
      message: `${name} is @${textKind ?? notation}, but it does not give a text`,
      suggestion: 'gather its parts: ...( … )',
      at: nameAt,
    })
  }

  #reportQuotes(name: string): void {
    this.#report({
      code: 'not-a-text',
      message: `${name} is @sql-string, but does not begin with quotes`,
      suggestion: 'begin with a literal of one quotation mark, which may be omitted: %"\'"',
      at: this.rules.rule(name).nameAt,
    })
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

/** The quotation mark with which a text begins; undefined if it may begin with something else. */
function findQuotes(items: readonly Expression[], isOmitted = false): Quotes | undefined {
  const [first] = items
  switch (first?.kind) {
    case 'literal':
      return QUOTES.has(first.text) ? { mark: first.text, isOmitted } : undefined
    case 'omit':
      return findQuotes([first.operand], true)
    case 'gather':
      return findQuotes([first.operand], isOmitted)
    case 'group':
      return findQuotes(first.items, isOmitted)
    default:
      return undefined
  }
}
