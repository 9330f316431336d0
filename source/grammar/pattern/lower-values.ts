// What rules have to match and record when values are asked for: no brackets, no repetitions but as arrays, no punctuation, and nothing inside a text.

import { kindOf } from '../../record/kinds.ts'
import type { Choice, Expression, Field, Fold, Repeat } from '../syntax/expression.ts'
import type { ValueAction } from '../values/action.ts'
import { baseOf, roundOf } from '../values/fold-form.ts'
import { findRecord, isOption, type RecordForm } from '../values/record-form.ts'
import { constantsOf, type ValueRules } from '../values/value-rules.ts'
import type { ValueShapes } from '../values/value-shapes.ts'
import { EMPTY, itemsOf, type Pattern, sequence } from './pattern.ts'

/** What is needed of how expressions are lowered that record no values. */
export interface PlainLowering {
  /** Matches an expression and records nothing, or with `gather` only what is left out of its text. */
  lower(expression: Expression, mode: 'silent' | 'gather'): Pattern
  /** Whether something is left out of the text of expressions. */
  omits(expressions: readonly Expression[]): boolean
  /** Rounds of what the operand of a repetition became. */
  repeat(expression: Repeat, round: Pattern): Pattern
  /** A choice of what an expression became. */
  choose(expression: Expression, options: readonly Pattern[]): Pattern
  /** A call of a rule that records one value, or as an entry of a map those of its fields. */
  callValue(expression: Extract<Expression, { kind: 'reference' }>, mode: 'value' | 'entry'): Pattern
}

/** Lowers rules so that each records exactly one value, and the types of nodes say what becomes of them (values/action.ts). */
export class ValueLowering {
  readonly #shapes: ValueShapes
  readonly #rules: ValueRules
  readonly #plain: PlainLowering
  /** By the names of types. */
  readonly actions = new Map<string, ValueAction>()
  /** Names of the types of equal actions. */
  readonly #types = new Map<string, string>()
  /** The rule that is being lowered. */
  #rule = ''
  #isMap = false

  constructor(shapes: ValueShapes, plain: PlainLowering) {
    this.#shapes = shapes
    this.#rules = shapes.rules
    this.#plain = plain
  }

  lowerRule(name: string): Pattern {
    this.#rule = name
    const { members, isMap } = this.#rules.rule(name)
    this.#isMap = isMap
    switch (this.#rules.givingOf(name)) {
      case 'nothing':
        return sequence([...members.map((member) => this.#silent(member)), this.#constant(null)])
      case 'text':
        return this.#textOfRule(name, members)
      case 'record':
        return this.#record(findRecord(this.#rules, members), this.#shapes.typeOf(name))
      case 'fold':
        return this.#fold(members)
      case 'parts':
        return this.#valueOfItems(members)
    }
  }

  /** A rule of two fields, which are not made a record: a map has them. */
  lowerEntry(name: string): Pattern {
    this.#rule = name
    this.#isMap = false
    const fill = (source: Field | Fold): Pattern => this.#valueOfSource(source)
    return sequence(this.#rules.rule(name).members.map((member) => this.#fill(member, fill)))
  }

  // Values: each of these records exactly one.

  #valueOf(expression: Expression): Pattern {
    const rules = this.#rules
    if (expression.kind !== 'repeat') {
      if (!rules.isVisible(expression)) return sequence([this.#silent(expression), this.#constant(null)])
      if (rules.hasFields(expression)) return this.#record(findRecord(rules, [expression]), undefined)
    }
    const texts = constantsOf(expression)
    if (texts) return this.#constants(expression, texts)
    switch (expression.kind) {
      case 'reference':
        return this.#plain.callValue(expression, this.#isMap ? 'entry' : 'value')
      case 'repeat':
        if (isOption(expression)) return this.#optional(expression, this.#valueOf(expression.operand), null)
        return this.#enclose(
          this.#plain.repeat(expression, this.#valueOf(expression.operand)),
          this.#isMap ? { kind: 'map', rule: this.#rule } : { kind: 'array' },
        )
      case 'choice':
        if (!rules.isText(expression)) return this.#chooseEach(expression, (option) => this.#valueOf(option))
        return this.#text([expression])
      case 'group':
        return this.#valueOfItems(expression.items)
      default:
        return this.#text([expression])
    }
  }

  /** Of what stands one after the other, the value of the only part that gives one; a text, if it is nothing else. */
  #valueOfItems(items: readonly Expression[]): Pattern {
    const [only] = items
    if (items.length === 1 && only) return this.#valueOf(only)
    if (items.every((item) => !this.#rules.isVisible(item) || this.#rules.isText(item))) return this.#text(items)
    const [part] = this.#rules.partsOf(items)
    return sequence(items.map((item) => (item === part ? this.#valueOf(item) : this.#silent(item))))
  }

  /** What is omitted before and after a text lies outside of it; what is omitted in it is recorded. */
  #text(items: readonly Expression[], action?: ValueAction): Pattern {
    const isKept = ({ kind }: Expression): boolean => kind !== 'omit'
    const [from, to] = [items.findIndex(isKept), items.findLastIndex(isKept) + 1]
    const inner = items.slice(from, to)
    const mode = this.#plain.omits(inner) ? 'gather' : 'silent'
    const plain: ValueAction = { kind: 'text', textKind: undefined, notation: undefined, quotes: undefined, rule: '' }
    return sequence([
      ...items.slice(0, from).map((item) => this.#silent(item)),
      this.#enclose(sequence(inner.map((item) => this.#plain.lower(item, mode))), action ?? plain),
      ...items.slice(to).map((item) => this.#silent(item)),
    ])
  }

  #textOfRule(name: string, members: readonly Expression[]): Pattern {
    const { textKind, notation } = this.#rules.rule(name)
    if (textKind === undefined && notation === undefined) {
      const [only] = members
      const texts = members.length === 1 && only ? constantsOf(only) : undefined
      return only && texts ? this.#constants(only, texts) : this.#text(members)
    }
    const quotes = this.#shapes.quotesOf(name)
    return this.#text(members, { kind: 'text', textKind: textKind && kindOf(textKind), notation, quotes, rule: name })
  }

  /** One of some texts, each of which is a constant. */
  #constants(expression: Expression, texts: readonly string[]): Pattern {
    if (expression.kind === 'group') return this.#constants(expression.items[0] as Expression, texts)
    if (expression.kind === 'choice') {
      return this.#chooseEach(expression, (option) => this.#constants(option, constantsOf(option) ?? []))
    }
    return this.#enclose(this.#silent(expression), { kind: 'constant', value: texts[0] })
  }

  // Records.

  #record(form: RecordForm, type: string | undefined, isFold = false): Pattern {
    return form.isFixed ? this.#fixed(form, type, isFold) : this.#loose(form, type, isFold)
  }

  #fixed({ body, variants, choice }: RecordForm, type: string | undefined, isFold: boolean): Pattern {
    const closes = variants.map((fields) => {
      const names = fields.map(({ name }) => name)
      return { kind: 'close', type: this.#type({ kind: 'fixed', names, type, isFold }) } as const
    })
    const fill = (source: Field | Fold): Pattern => this.#valueOfSource(source)
    const [close] = closes as [Pattern]
    if (!choice) return sequence([{ kind: 'open' }, ...body.map((item) => this.#fill(item, fill)), close])
    const options = choice.options.map((option, i) =>
      sequence([{ kind: 'open' }, this.#fill(option, fill), closes[i] as Pattern]),
    )
    return this.#plain.choose(choice, options)
  }

  #loose({ body, variants, choice }: RecordForm, type: string | undefined, isFold: boolean): Pattern {
    const names = [...new Set(variants.flatMap((fields) => fields.map(({ name }) => name)))]
    const slots = new Map(names.map((name, slot) => [name, slot]))
    const options = new Map(choice?.options.map((option, i) => [option, i]))
    const lists = new Set(variants.flatMap((fields) => fields.filter(({ isList }) => isList).map(({ name }) => name)))
    const action: ValueAction = {
      kind: 'loose',
      names,
      isList: names.map((name) => lists.has(name)),
      variants: variants.map((fields) => fields.map(({ name }) => slots.get(name) as number)),
      type,
      isFold,
    }
    const fill = (source: Field | Fold): Pattern => {
      const put = (value: Pattern) =>
        sequence([value, ...this.#mark({ kind: 'slot', slot: slots.get(source.name) as number })])
      if (source.kind === 'fold') return EMPTY
      const { isFlag, operand } = source
      if (isFlag || operand.kind !== 'repeat' || !(lists.has(source.name) || isOption(operand)))
        return put(this.#valueOfSource(source))
      return this.#plain.repeat(operand, put(this.#valueOf(operand.operand)))
    }
    const mark = (option: Expression): Pattern => {
      const variant = options.get(option)
      const filled = this.#fill(option, fill, mark)
      return variant === undefined ? filled : sequence([...this.#mark({ kind: 'variant', variant }), filled])
    }
    return this.#enclose(sequence(body.map((item) => this.#fill(item, fill, mark))), action)
  }

  /** An expression whose fields are filled, and nothing else of it recorded. `ofOption` lowers the options of choices. */
  #fill(
    expression: Expression,
    fill: (source: Field | Fold) => Pattern,
    ofOption = (option: Expression): Pattern => this.#fill(option, fill),
  ): Pattern {
    if (expression.kind === 'field' || expression.kind === 'fold') return fill(expression)
    if (!this.#rules.hasFields(expression)) return this.#silent(expression)
    switch (expression.kind) {
      case 'group':
        return sequence(expression.items.map((item) => this.#fill(item, fill, ofOption)))
      case 'choice':
        return this.#chooseEach(expression, ofOption)
      case 'repeat':
        return this.#plain.repeat(expression, this.#fill(expression.operand, fill, ofOption))
      default:
        return this.#silent(expression)
    }
  }

  /** One value, or nothing for what the rule has made so far. */
  #valueOfSource(source: Field | Fold): Pattern {
    if (source.kind === 'fold') return EMPTY
    const { operand, isFlag } = source
    if (isFlag) {
      const options = [sequence([this.#silent(operand), this.#constant(true)]), this.#constant(false)]
      return this.#plain.choose(source, options)
    }
    if (isOption(operand)) return this.#optional(operand, this.#valueOf((operand as Repeat).operand), undefined)
    return this.#valueOf(operand)
  }

  /** What the rule begins with; then each round makes a record of that and of its own fields. */
  #fold(members: readonly Expression[]): Pattern {
    const round = roundOf(this.#rules, members)
    const base = baseOf(this.#rules, members)
    const type = this.#shapes.typeOf(this.#rule)
    const made = members.map((member) => {
      if (member === base) return this.#valueOf(member)
      if (member !== round) return this.#silent(member)
      return this.#plain.repeat(round, this.#record(findRecord(this.#rules, [round.operand]), type, true))
    })
    if (!this.#shapes.options.positions) return sequence(made)
    const rounds = members.indexOf(round)
    return sequence([this.#enclose(sequence(made.slice(0, rounds)), { kind: 'begin' }), ...made.slice(rounds)])
  }

  // Nodes.

  #silent(expression: Expression): Pattern {
    return this.#plain.lower(expression, 'silent')
  }

  #chooseEach(expression: Choice, lower: (option: Expression) => Pattern): Pattern {
    return this.#plain.choose(expression, expression.options.map(lower))
  }

  #optional(expression: Expression, value: Pattern, absent: null | undefined): Pattern {
    return this.#plain.choose(expression, [value, this.#constant(absent)])
  }

  #constant(value: string | boolean | null | undefined): Pattern {
    return sequence(this.#mark({ kind: 'constant', value }))
  }

  /** A node of nothing. */
  #mark(action: ValueAction): Pattern[] {
    return [{ kind: 'open' }, { kind: 'close', type: this.#type(action) }]
  }

  #enclose(pattern: Pattern, action: ValueAction): Pattern {
    return sequence([{ kind: 'open' }, ...itemsOf(pattern), { kind: 'close', type: this.#type(action) }])
  }

  /** The name of the type of nodes of an action. No rule can have such a name. */
  #type(action: ValueAction): string {
    const key = `${JSON.stringify(action)}${action.kind === 'constant' ? String(action.value) : ''}`
    const known = this.#types.get(key)
    if (known !== undefined) return known
    const type = `#value ${this.#types.size}`
    this.#types.set(key, type)
    this.actions.set(type, action)
    return type
  }
}
