// What each expression gives: the shape of its value, and the pattern that records exactly one such value.

import { kindOf } from '../../record/kinds.ts'
import type { Pattern } from '../pattern/pattern.ts'
import type { LowerSource, ValuePatterns } from '../pattern/value-patterns.ts'
import type { ProblemDetails } from '../syntax/errors.ts'
import {
  type Expression,
  type Field,
  type Fold,
  type Group,
  operandsOf,
  type Repeat,
  type Rule,
} from '../syntax/expression.ts'
import type { Quotes, TextAction, ValueAction } from './action.ts'
import { findRecord, isOption, type RecordForm } from './record-form.ts'
import { findEntry } from './repeated-rule.ts'
import type { TextKinds } from './text-kinds.ts'
import { constantsOf, isOmitted, mayLack, type ValueRules } from './value-rules.ts'
import { type FieldValueShape, unite, type ValueShape } from './value-shape.ts'

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
  /** The rules whose values functions get. */
  readonly mapped?: readonly string[] | undefined
}

/** Makes the pattern that records a value; `isEntry`: the fields of a record, which are not made a record, because a map has them. */
type LowerValue = (to: ValuePatterns, isEntry?: boolean) => Pattern

/** What an expression or a field gives. */
export interface Given<Lower = LowerValue> {
  readonly shape: ValueShape
  readonly lower: Lower
}

/** No value at all. */
const NEVER: ValueShape = { kind: 'union', members: [] }
const NULL: ValueShape = { kind: 'null' }
const TEXT: ValueShape = { kind: 'text', textKind: undefined }
const PLAIN: TextAction = { kind: 'text', textKind: undefined, notation: undefined, quotes: undefined, rule: '' }
const QUOTES = new Set(['"', "'", '`'])

export class ValueAnalysis {
  /** What rules give. */
  readonly given: ReadonlyMap<string, Given>
  /** The rules whose values the value of a rule is made of. */
  readonly references: ReadonlyMap<string, Set<string>>
  /** What keeps the values of rules from being made. */
  readonly problems: ReadonlyMap<string, ProblemDetails[]>
  readonly #rules: ValueRules
  readonly #options: ValueOptions
  readonly #typeOf: (rule: string) => string | undefined
  /** The rule that is being looked at. */
  #rule: Rule
  /** What that rule has made before a round. */
  #made: ValueShape = NEVER

  /** `typeOf`: the `type` of the records that a rule gives, which is asked for when values are lowered. */
  constructor(rules: ValueRules, options: ValueOptions, typeOf: (rule: string) => string | undefined) {
    this.#rules = rules
    this.#options = options
    this.#typeOf = typeOf
    const all = [...rules.rules.values()]
    this.problems = new Map(all.map(({ name }) => [name, []]))
    this.references = new Map(all.map(({ name }) => [name, new Set()]))
    this.#rule = all[0] as Rule
    this.given = new Map(
      all.map((rule) => {
        this.#rule = rule
        return [rule.name, this.#ofRule(rule)]
      }),
    )
  }

  #ofRule(rule: Rule): Given {
    const { name, members, textKind, notation, isMap } = rule
    const giving = this.#rules.givingOf(name)
    if (isMap) {
      const entry = findEntry(this.#rules, name)
      if (entry === undefined) return give(NEVER, (to) => to.nothing([]))
      return { ...this.#ofItems(members), shape: { kind: 'map', entry } }
    }
    if ((textKind ?? notation) !== undefined && giving !== 'text')
      this.#reportText(`is @${textKind ?? notation}, but it does not give a text`, 'gather its parts: ...( … )')
    switch (giving) {
      case 'nothing':
        return give(NULL, (to) => to.nothing(members))
      case 'text':
        return this.#textOfRule(rule)
      case 'record':
        return this.#record(findRecord(this.#rules, members), name)
      case 'fold':
        return this.#fold(members)
      case 'parts':
        return this.#ofItems(members)
    }
  }

  #textOfRule({ name, label, members, textKind, notation, escapes }: Rule): Given {
    const [only] = members
    if ((textKind ?? notation) === undefined)
      return members.length === 1 && only && constantsOf(only) ? this.#of(only) : giveText(members)
    const quotes = findQuotes(members)
    if (notation === 'sql-string' && !quotes)
      this.#reportText(
        'is @sql-string, but does not begin with quotes',
        'begin with a literal of one quotation mark, which may be omitted: %"\'"',
      )
    const shape: ValueShape = unite([{ kind: 'text', textKind }, ...(this.#options.lenient ? [NULL] : [])])
    const action: TextAction = {
      kind: 'text',
      textKind: textKind && kindOf(textKind),
      notation,
      escapes,
      quotes,
      rule: name,
      label,
    }
    return give(shape, (to) => to.text(members, action))
  }

  /** What the rule begins with; then each round makes a record of that and of its own fields. */
  #fold(members: readonly Expression[]): Given {
    const round = members.find((member) => this.#rules.hasFold(member)) as Repeat
    const [first] = this.#rules.partsOf(members) as [Expression]
    const base = this.#of(first)
    const { name } = this.#rule
    const { min, max } = round.count
    const whole: ValueShape = { kind: 'rule', name }
    // The first round finds the base, the later ones what was made before them.
    this.#made = max <= 1 ? base.shape : min > 0 ? unite([base.shape, whole]) : whole
    const record = this.#record(findRecord(this.#rules, [round.operand]), name, true)
    return give(min > 0 ? record.shape : unite([base.shape, record.shape]), (to) => {
      const rounds = to.plain.repeat(round, record.lower(to))
      return to.fold(
        members,
        new Map([
          [first, base.lower(to)],
          [round, rounds],
        ]),
        this.#options.positions ?? false,
      )
    })
  }

  #of(expression: Expression): Given {
    const rules = this.#rules
    const { name, isMap } = this.#rule
    if (expression.kind === 'repeat') {
      const { operand, count } = expression
      if (isOption(expression)) {
        const { shape, lower } = this.#of(operand)
        return give(unite([shape, NULL]), (to) => to.optional(expression, lower(to), null))
      }
      const { shape, lower } = this.#round(operand)
      const action: ValueAction = isMap ? { kind: 'map', rule: name } : { kind: 'array' }
      return give({ kind: 'array', item: shape, least: mayLack(operand) ? 0 : count.min }, (to) =>
        to.enclose(to.plain.repeat(expression, lower(to, asItIs)), action),
      )
    }
    if (!rules.isVisible(expression))
      return give(expression.kind === 'failure' ? NEVER : NULL, (to) => to.nothing([expression]))
    if (rules.hasFields(expression)) return this.#record(findRecord(rules, [expression]), undefined)
    const [text] = constantsOf(expression) ?? []
    switch (expression.kind) {
      case 'reference':
        this.references.get(name)?.add(expression.name)
        return give({ kind: 'rule', name: expression.name }, (to) =>
          to.plain.callValue(expression, isMap ? 'entry' : 'value'),
        )
      case 'choice': {
        if (rules.isText(expression) && text === undefined) return giveText([expression])
        const options = expression.options.map((option) => this.#of(option))
        const shape = unite(options.map((option) => option.shape))
        return give(shape, (to) =>
          to.plain.choose(
            expression,
            options.map((option) => option.lower(to)),
          ),
        )
      }
      case 'group':
        return this.#ofItems(expression.items)
      default:
        if (text === undefined) return giveText([expression])
        return give({ kind: 'constant', text }, (to) =>
          to.enclose(to.silent(expression), { kind: 'constant', value: text }),
        )
    }
  }

  /** What a round of a repetition gives: nothing for an option that is omitted. */
  #round(expression: Expression): Given<LowerSource> {
    const rules = this.#rules
    const isTextOfGroup = expression.kind === 'group' && rules.isText(expression)
    if (!mayLack(expression) || rules.hasFields(expression) || isTextOfGroup) {
      const { shape, lower } = this.#of(expression)
      return give(shape, (to, put) => put(lower(to)))
    }
    if (expression.kind === 'choice') {
      const options = expression.options.map((option) => (isOmitted(option) ? undefined : this.#round(option)))
      return give(unite(options.flatMap((option) => option?.shape ?? [])), (to, put) =>
        to.plain.choose(
          expression,
          expression.options.map((option, i) => options[i]?.lower(to, put) ?? to.silent(option)),
        ),
      )
    }
    const { items } = expression as Group
    const parts = rules.partsOf(items)
    if (parts.length > 1) this.#reportParts(parts)
    const [part] = parts as [Expression]
    const { shape, lower } = this.#round(part)
    return give(shape, (to, put) => to.part(items, part, lower(to, put)))
  }

  /** Of what stands one after the other, the value of the only part that gives one; a text, if it is nothing else. */
  #ofItems(items: readonly Expression[]): Given {
    const rules = this.#rules
    const [only] = items
    if (items.length === 1 && only) return this.#of(only)
    if (items.every((item) => !rules.isVisible(item) || rules.isText(item))) return giveText(items)
    const parts = rules.partsOf(items)
    if (parts.length > 1) this.#reportParts(parts)
    const [part] = parts as [Expression]
    const { shape, lower } = this.#of(part)
    return give(shape, (to) => to.part(items, part, lower(to)))
  }

  #record(form: RecordForm, rule: string | undefined, isFold = false): Given {
    this.#reportUnnamed(form.body)
    const sources = new Map<Field, LowerSource>()
    const shapeOf = (source: Field | Fold, isItem: boolean): ValueShape => {
      if (source.kind === 'fold') return this.#made
      const { shape, lower } = this.#source(source, isItem, form.isFixed)
      sources.set(source, lower)
      return shape
    }
    const variants = form.variants.map((fields) =>
      fields.map(({ name, isList, least, sources: own }): FieldValueShape => {
        const shape = unite(own.map((source) => shapeOf(source, isList)))
        if (isList) return { name, shape: { kind: 'array', item: shape, least }, isOptional: false }
        return { name, shape, isOptional: least === 0 }
      }),
    )
    return give({ kind: 'record', rule, variants }, (to, isEntry = false) => {
      const type = rule === undefined ? undefined : this.#typeOf(rule)
      return to.record({ ...form, rules: this.#rules, sources, type, isFold }, isEntry)
    })
  }

  /** What a field gets: of a list, one of its items. */
  #source(source: Field, isItem: boolean, isFixed: boolean): Given<LowerSource> {
    const { operand, isFlag } = source
    if (isFlag) return give({ kind: 'flag' }, (to, put) => put(to.flag(source)))
    const isEach = operand.kind === 'repeat' && (isItem || isOption(operand))
    if (!isEach || isOption(operand)) {
      const { shape, lower } = this.#of(isEach ? operand.operand : operand)
      return give(shape, (to, put) => {
        if (!isEach) return put(lower(to))
        return isFixed ? to.optional(operand, lower(to), undefined) : to.plain.repeat(operand, put(lower(to)))
      })
    }
    const { shape, lower } = this.#round(operand.operand)
    return give(shape, (to, put) => to.plain.repeat(operand, lower(to, put)))
  }

  #report(problem: ProblemDetails): void {
    this.problems.get(this.#rule.name)?.push(problem)
  }

  #reportParts(parts: readonly Expression[]): void {
    const [first, ...others] = parts as [Expression, ...Expression[]]
    this.#report({
      code: 'unnamed-parts',
      message: `${this.#rule.name} has ${parts.length} parts that give something here, and does not say which of them matter`,
      suggestion: 'name the parts (name:part), gather them (...( … )), or omit what does not matter (%part)',
      at: { start: first.at.start, end: (others.at(-1) ?? first).at.end },
    })
  }

  /** Records that a rule with fields would drop without a word. */
  #reportUnnamed(items: readonly Expression[]): void {
    for (const item of items) {
      if (item.kind === 'group' || item.kind === 'choice') this.#reportUnnamed(operandsOf(item))
      if (item.kind === 'repeat') this.#reportUnnamed([item.operand])
      if (item.kind !== 'reference' || !this.#rules.reachesFields(item.name)) continue
      const { name } = item
      this.#report({
        code: 'unnamed-parts',
        message: `in ${this.#rule.name}, which has fields, no field holds what ${name} gives`,
        suggestion: `name it (${name}:${name})${this.#rules.givingOf(name) === 'record' ? `, join its fields (:${name}),` : ''} or omit it (%${name})`,
        at: item.at,
      })
    }
  }

  #reportText(what: string, suggestion: string): void {
    const { name, nameAt } = this.#rule
    this.#report({ code: 'not-a-text', message: `${name} ${what}`, suggestion, at: nameAt })
  }
}

const asItIs = (pattern: Pattern) => pattern

function give<Lower>(shape: ValueShape, lower: Lower): Given<Lower> {
  return { shape, lower }
}

function giveText(items: readonly Expression[]): Given {
  return give(TEXT, (to) => to.text(items, PLAIN))
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
