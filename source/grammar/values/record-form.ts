// What fields a record has, by the expressions of which it is made.

import type { Choice, Count, Expression, Field, Fold } from '../syntax/expression.ts'
import type { ValueRules } from './value-rules.ts'

/** One field of a record. */
export interface FieldForm {
  readonly name: string
  /** Where it is filled: once, or in several options, or one after the other. */
  readonly sources: readonly (Field | Fold)[]
  /** Whether it is an array of what its sources give, in the order of the input. */
  readonly isList: boolean
  /** The least number of values of a list; for any other field 1, or 0 if it may be absent. */
  readonly least: number
}

/** Fields that are together in a record, in the order of the text. */
type Variant = readonly FieldForm[]

/** A record: of a rule, or of brackets that have a name. */
export interface RecordForm {
  /** What matches, one after the other. */
  readonly body: readonly Expression[]
  /** One, or one for each option of the choice. */
  readonly variants: readonly Variant[]
  /** The choice that decides which variant it is; undefined if there is one. */
  readonly choice: Choice | undefined
  /** Whether each of the fields is filled exactly once and in the same order, however the input is: then they need no marks. */
  readonly isFixed: boolean
}

/** How often fields are filled, and the least number of values that they get then. */
type Counts = Map<string, Filled>
interface Filled extends Count {
  readonly least: number
}

export function findRecord(rules: ValueRules, body: readonly Expression[]): RecordForm {
  const choices = findDiffering(rules, body)
  const [choice] = choices.length === 1 && !hasAllFields(rules, choices[0] as Choice) ? choices : []
  const filling = body.filter((item) => rules.hasFields(item))
  const outside = sourcesIn(rules, filling, choice)
  const chosen = choice ? choice.options : [undefined]
  const ways = chosen.map((option) => new Chosen(rules, choice, option))
  const counts = ways.map((way) => way.count(filling))
  // A field that is a list in one variant is a list in all of them.
  const lists = new Set(counts.flatMap((one) => [...one].flatMap(([name, { max }]) => (max > 1 ? [name] : []))))
  const variants = counts.map((one, i) => {
    const option = chosen[i]
    return makeVariant(one, option ? [...outside, ...sourcesIn(rules, [option])] : outside, lists)
  })
  const isEndOfBody = choice === undefined || isAll(body, choice)
  const isFixed = isEndOfBody && ways.every((way) => way.orderOf(filling) !== undefined)
  return { body, variants, choice, isFixed }
}

/** All places where fields of a record are filled, in the order of the text; without those in `except`. */
function sourcesIn(rules: ValueRules, items: readonly Expression[], except?: Expression): (Field | Fold)[] {
  return items.flatMap((item): (Field | Fold)[] => {
    if (item.kind === 'field' || item.kind === 'fold') return [item]
    return rules.hasFields(item) && item !== except ? sourcesIn(rules, partsWithFields(item), except) : []
  })
}

function partsWithFields(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'group':
      return expression.items
    case 'choice':
      return expression.options
    case 'repeat':
      return [expression.operand]
    default:
      return []
  }
}

/** The choices whose options have different fields, outside of repetitions and of other choices: one option of each matches, whatever the input is. */
function findDiffering(rules: ValueRules, items: readonly Expression[]): Choice[] {
  return items.flatMap((item): Choice[] => {
    if (item.kind === 'group') return findDiffering(rules, item.items)
    if (item.kind !== 'choice' || !rules.hasFields(item)) return []
    const names = item.options.map((option) => namesIn(rules, option).sort().join())
    return names.some((some) => some !== names[0]) ? [item] : []
  })
}

function namesIn(rules: ValueRules, option: Expression): string[] {
  return [...new Set(sourcesIn(rules, [option]).map(({ name }) => name))]
}

/** Whether one of the options has the fields of all: then what others lack is optional. */
function hasAllFields(rules: ValueRules, { options }: Choice): boolean {
  const counts = options.map((option) => namesIn(rules, option).length)
  return counts.includes(new Set(options.flatMap((option) => namesIn(rules, option))).size)
}

/** Whether a choice is all of what matches, but for brackets round it. */
function isAll(body: readonly Expression[], choice: Choice): boolean {
  const [only] = body
  if (body.length !== 1 || !only) return false
  return only === choice || (only.kind === 'group' && isAll(only.items, choice))
}

function makeVariant(counts: Counts, sources: readonly (Field | Fold)[], lists: ReadonlySet<string>): FieldForm[] {
  const byName = new Map<string, (Field | Fold)[]>([...counts.keys()].map((name) => [name, []]))
  for (const source of sources) byName.get(source.name)?.push(source)
  return [...counts].map(([name, { min, least }]) => {
    const own = byName.get(name) as (Field | Fold)[]
    const isList = lists.has(name)
    return { name, sources: own, isList, least: isList ? least : Number(min > 0 && !own.some(isOptional)) }
  })
}

/** Whether a source may give nothing: `name:x?`. */
function isOptional(source: Field | Fold): boolean {
  return source.kind === 'field' && !source.isFlag && isOption(source.operand)
}

/** Whether an expression is `x?`. */
export function isOption(expression: Expression): boolean {
  return expression.kind === 'repeat' && expression.count.min === 0 && expression.count.max === 1
}

/** Counts fields where one option of a choice is chosen. */
class Chosen {
  readonly #rules: ValueRules
  readonly #choice: Choice | undefined
  readonly #option: Expression | undefined

  constructor(rules: ValueRules, choice: Choice | undefined, option: Expression | undefined) {
    this.#rules = rules
    this.#choice = choice
    this.#option = option
  }

  count(items: readonly Expression[]): Counts {
    const sum: Counts = new Map()
    for (const item of items) {
      for (const [name, { min, max, least }] of this.#countIn(item)) {
        const before = sum.get(name) ?? NEVER
        sum.set(name, { min: before.min + min, max: before.max + max, least: before.least + least })
      }
    }
    return sum
  }

  #countIn(item: Expression): Counts {
    if (!this.#rules.hasFields(item)) return new Map()
    switch (item.kind) {
      case 'fold':
      case 'field':
        return new Map([[item.name, { min: 1, max: 1, least: leastOf(item) }]])
      case 'group':
        return this.count(item.items)
      case 'choice':
        return item === this.#choice ? this.count([this.#option as Expression]) : this.#countOptions(item.options)
      case 'repeat': {
        const { min, max } = item.count
        const times = ([name, count]: [string, Filled]): [string, Filled] => [
          name,
          { min: count.min * min, max: count.max * max, least: count.least * min },
        ]
        return new Map([...this.#countIn(item.operand)].map(times))
      }
      default:
        return new Map()
    }
  }

  #countOptions(options: readonly Expression[]): Counts {
    const all: Counts = new Map()
    const seen = new Map<string, number>()
    for (const option of options) {
      for (const [name, { min, max, least }] of this.#countIn(option)) {
        const before = all.get(name) ?? { min, max, least }
        all.set(name, {
          min: Math.min(before.min, min),
          max: Math.max(before.max, max),
          least: Math.min(before.least, least),
        })
        seen.set(name, (seen.get(name) ?? 0) + 1)
      }
    }
    for (const [name, filled] of all)
      if (seen.get(name) !== options.length) all.set(name, { ...filled, min: 0, least: 0 })
    return all
  }

  /** The fields in the order in which they are filled, however the input is; undefined if that is not always the same. */
  orderOf(items: readonly Expression[]): readonly string[] | undefined {
    const order: string[] = []
    for (const item of items) {
      const names = this.#orderIn(item)
      if (!names) return undefined
      order.push(...names)
    }
    return new Set(order).size === order.length ? order : undefined
  }

  #orderIn(item: Expression): readonly string[] | undefined {
    if (!this.#rules.hasFields(item)) return []
    switch (item.kind) {
      case 'fold':
      case 'field':
        return [item.name]
      case 'group':
        return this.orderOf(item.items)
      case 'choice': {
        if (item === this.#choice) return this.orderOf([this.#option as Expression])
        const [first, ...others] = item.options.map((option) => this.#orderIn(option))
        return first && others.every((other) => other?.join() === first.join()) ? first : undefined
      }
      default:
        return undefined
    }
  }
}

const NEVER: Filled = { min: 0, max: 0, least: 0 }

/** The least number of values that a source gives. */
function leastOf(source: Field | Fold): number {
  if (source.kind === 'fold' || source.isFlag || source.operand.kind !== 'repeat') return 1
  return source.operand.count.min
}
