// What records values: patterns in which the types of nodes say what becomes of them (values/action.ts).

import { type Choice, type Expression, type Field, type Reference, type Repeat, walk } from '../syntax/expression.ts'
import type { ValueAction } from '../values/action.ts'
import type { RecordForm } from '../values/record-form.ts'
import type { ValueRules } from '../values/value-rules.ts'
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
  callValue(expression: Reference, mode: 'value' | 'entry'): Pattern
  /** What is lowered in a field. */
  within(field: Field, lower: () => Pattern): Pattern
}

/** Makes the pattern of what fills a field, in which each value is what `put` makes of it. */
export type LowerSource = (to: ValuePatterns, put: (value: Pattern) => Pattern) => Pattern

/** How a record is made. */
interface RecordLowering extends RecordForm {
  readonly rules: ValueRules
  /** What fills its fields. */
  readonly sources: ReadonlyMap<Field, LowerSource>
  /** The first value of the record; undefined if it says not what it is. */
  readonly type: string | undefined
  readonly isFold: boolean
}

export class ValuePatterns {
  readonly plain: PlainLowering
  /** By the names of types. */
  readonly actions = new Map<string, ValueAction>()
  /** Names of the types of equal actions. */
  readonly #types = new Map<string, string>()

  constructor(plain: PlainLowering) {
    this.plain = plain
  }

  silent(expression: Expression): Pattern {
    return this.plain.lower(expression, 'silent')
  }

  /** Null for what gives no value. */
  nothing(items: readonly Expression[]): Pattern {
    return sequence([...items.map((item) => this.silent(item)), this.constant(null)])
  }

  /** Of what stands one after the other, the value of one part. */
  part(items: readonly Expression[], part: Expression, value: Pattern): Pattern {
    return sequence(items.map((item) => (item === part ? value : this.silent(item))))
  }

  /** Whether something matched. */
  flag(field: Field): Pattern {
    const matched = sequence([this.silent(field.operand), this.constant(true)])
    return this.plain.choose(field, [matched, this.constant(false)])
  }

  /** What a rule begins with, and the records that its rounds make of that. `hasPositions`: it says where it begins. */
  fold(members: readonly Expression[], values: ReadonlyMap<Expression, Pattern>, hasPositions: boolean): Pattern {
    const made = members.map((member) => values.get(member) ?? this.silent(member))
    if (!hasPositions) return sequence(made)
    const rounds = members.findLastIndex((member) => values.has(member))
    return sequence([this.enclose(sequence(made.slice(0, rounds)), { kind: 'begin' }), ...made.slice(rounds)])
  }

  /** A value, or one that is there always. */
  optional(expression: Expression, value: Pattern, absent: null | undefined): Pattern {
    return this.plain.choose(expression, [value, this.constant(absent)])
  }

  constant(value: string | boolean | null | undefined): Pattern {
    return this.mark({ kind: 'constant', value })
  }

  /** What is omitted before and after a text lies outside of it; what is omitted in it is recorded. */
  text(given: readonly Expression[], action: ValueAction): Pattern {
    const items = itemsOfText(given)
    const isKept = ({ kind }: Expression): boolean => kind !== 'omit'
    const to = items.findLastIndex(isKept) + 1
    const from = to === 0 ? 0 : items.findIndex(isKept)
    const inner = items.slice(from, to)
    // Parts may stand in what no value is made of, but not in what is gathered.
    const isGathered = [...walk(given)].some(({ kind }) => kind === 'gather')
    const mode = isGathered || this.plain.omits(inner) ? 'gather' : 'silent'
    return sequence([
      ...items.slice(0, from).map((item) => this.silent(item)),
      this.enclose(sequence(inner.map((item) => this.plain.lower(item, mode))), action),
      ...items.slice(to).map((item) => this.silent(item)),
    ])
  }

  /** A node of nothing. */
  mark(action: ValueAction): Pattern {
    return this.enclose(EMPTY, action)
  }

  enclose(pattern: Pattern, action: ValueAction): Pattern {
    return sequence([{ kind: 'open' }, ...itemsOf(pattern), { kind: 'close', type: this.#type(action) }])
  }

  record(record: RecordLowering, isEntry: boolean): Pattern {
    const { body, isFixed } = record
    if (isEntry) return this.#fill(body, record)
    return isFixed ? this.#fixed(record) : this.#loose(record)
  }

  /** The fields are the values on the top of a stack. */
  #fixed(record: RecordLowering): Pattern {
    const { body, variants, choice, type, isFold } = record
    const ways = choice?.options.map((option) => [option]) ?? [body]
    const records = variants.map((fields, i) => {
      const names = fields.map(({ name }) => name)
      return this.enclose(this.#fill(ways[i] as typeof body, record), { kind: 'fixed', names, type, isFold })
    })
    return choice ? this.plain.choose(choice, records) : (records[0] as Pattern)
  }

  /** An entry after each value says its slot. */
  #loose(record: RecordLowering): Pattern {
    const { body, variants, choice, type, isFold } = record
    const lists = new Map(variants.flat().map(({ name, isList }) => [name, isList]))
    const slots = new Map([...lists.keys()].map((name, slot) => [name, slot]))
    const slotOf = (name: string) => slots.get(name) as number
    const put = (value: Pattern, { name }: Field) => this.#putIn(value, slotOf(name))
    return this.enclose(this.#fill(body, record, put, choice), {
      kind: 'loose',
      names: [...lists.keys()],
      isList: [...lists.values()],
      variants: variants.map((fields) => fields.map(({ name }) => slotOf(name))),
      type,
      isFold,
    })
  }

  /** A value that says its slot: in its own node, if that is made here. */
  #putIn(value: Pattern, slot: number): Pattern {
    if (value.kind === 'choice') return { ...value, options: value.options.map((option) => this.#putIn(option, slot)) }
    const items = itemsOf(value)
    const last = items.at(-1)
    const action = last?.kind === 'close' ? this.actions.get(last.type) : undefined
    if (action === undefined) return sequence([value, this.mark({ kind: 'mark', slot })])
    return sequence([...items.slice(0, -1), { kind: 'close', type: this.#type({ ...action, slot }) }])
  }

  /** Expressions whose fields are filled, and nothing else of them recorded. The options of a choice say which variant they are. */
  #fill(
    items: readonly Expression[],
    { rules, sources }: RecordLowering,
    put = (value: Pattern, _field: Field): Pattern => value,
    choice?: Choice,
  ): Pattern {
    const fill = (expression: Expression): Pattern => {
      if (expression.kind === 'fold') return EMPTY
      if (expression.kind === 'field') {
        const lower = sources.get(expression) as LowerSource
        return this.plain.within(expression, () => lower(this, (value) => put(value, expression)))
      }
      if (!rules.hasFields(expression)) return this.silent(expression)
      switch (expression.kind) {
        case 'group':
          return sequence(expression.items.map(fill))
        case 'choice':
          return this.plain.choose(expression, expression.options.map(expression === choice ? fillVariant : fill))
        case 'repeat':
          return this.plain.repeat(expression, fill(expression.operand))
        default:
          return this.silent(expression)
      }
    }
    const fillVariant = (option: Expression, variant: number) =>
      sequence([this.mark({ kind: 'variant', variant }), fill(option)])
    return sequence(items.map(fill))
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

/** What a text is made of, without brackets and gathering around it. */
function itemsOfText(items: readonly Expression[]): readonly Expression[] {
  return items.flatMap((item) => {
    if (item.kind === 'gather') return itemsOfText([item.operand])
    return item.kind === 'group' ? itemsOfText(item.items) : [item]
  })
}
