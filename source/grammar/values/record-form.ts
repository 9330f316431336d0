// What fields a record has, by the expressions of which it is made.

import { addTo } from '../facts/multimap.ts'
import type { Choice, Count, Expression, Field, Fold } from '../syntax/expression.ts'
import { mayLack, type ValueRules } from './value-rules.ts'

/** One field of a record. */
interface FieldForm {
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

/** How often a field is filled, where, and the least number of values that it gets then. */
interface Filled extends Count {
  readonly least: number
  readonly sources: readonly (Field | Fold)[]
}

/** What expressions fill. */
interface Filling {
  readonly fields: ReadonlyMap<string, Filled>
  /** Whether each of the fields is filled once, and in this order, however the input is. */
  readonly isFixed: boolean
}

export function findRecord(rules: ValueRules, body: readonly Expression[]): RecordForm {
  const choices = findDiffering(rules, body)
  const [choice] = choices.length === 1 && !hasAllFields(rules, choices[0] as Choice) ? choices : []
  const ways = (choice?.options ?? [undefined]).map((option) => fillAll(rules, body, { choice, option }))
  // A field that is a list in one variant is a list in all of them.
  const lists = new Set(ways.flatMap(({ fields }) => [...fields].flatMap(([name, { max }]) => (max > 1 ? [name] : []))))
  const variants = ways.map(({ fields }) =>
    [...fields].map(([name, { min, least, sources }]): FieldForm => {
      const isList = lists.has(name)
      return { name, sources, isList, least: isList ? least : Number(min > 0 && !sources.some(isOptional)) }
    }),
  )
  const isEndOfBody = choice === undefined || isAll(body, choice)
  return { body, variants, choice, isFixed: isEndOfBody && ways.every(({ isFixed }) => isFixed) }
}

/** The choices whose options have different fields, outside of repetitions and of other choices: one option of each matches, whatever the input is. */
function findDiffering(rules: ValueRules, items: readonly Expression[]): Choice[] {
  return items.flatMap((item): Choice[] => {
    if (item.kind === 'group') return findDiffering(rules, item.items)
    if (item.kind !== 'choice' || !rules.hasFields(item)) return []
    return new Set(item.options.map((option) => namesIn(rules, option).sort().join())).size > 1 ? [item] : []
  })
}

function namesIn(rules: ValueRules, option: Expression): string[] {
  return [...fill(rules, option).fields.keys()]
}

/** Whether one of the options has the fields of all: then what others lack is optional. */
function hasAllFields(rules: ValueRules, { options }: Choice): boolean {
  const names = options.map((option) => namesIn(rules, option))
  const { size } = new Set(names.flat())
  return names.some(({ length }) => length === size)
}

/** Whether a choice is all of what matches, but for brackets round it. */
function isAll(body: readonly Expression[], choice: Choice): boolean {
  const [only] = body
  if (body.length !== 1 || !only) return false
  return only === choice || (only.kind === 'group' && isAll(only.items, choice))
}

/** Whether a source may give nothing: `name:x?`. */
function isOptional(source: Field | Fold): boolean {
  return source.kind === 'field' && !source.isFlag && isOption(source.operand)
}

/** Whether an expression is `x?`. */
export function isOption(expression: Expression): boolean {
  return expression.kind === 'repeat' && expression.count.min === 0 && expression.count.max === 1
}

/** A choice of which one option is chosen. */
interface Chosen {
  readonly choice?: Choice | undefined
  readonly option?: Expression | undefined
}

function fill(rules: ValueRules, item: Expression, chosen: Chosen = {}): Filling {
  if (!rules.hasFields(item)) return { fields: new Map(), isFixed: true }
  switch (item.kind) {
    case 'fold':
    case 'field':
      return { fields: new Map([[item.name, { ...ONCE, least: leastOf(item), sources: [item] }]]), isFixed: true }
    case 'group':
      return fillAll(rules, item.items, chosen)
    case 'choice':
      return item === chosen.choice ? fill(rules, chosen.option as Expression) : fillOne(rules, item.options)
    case 'repeat': {
      const { min, max } = item.count
      const times = ([name, one]: [string, Filled]): [string, Filled] => [
        name,
        { min: one.min * min, max: one.max * max, least: one.least * min, sources: one.sources },
      ]
      return { fields: new Map([...fill(rules, item.operand).fields].map(times)), isFixed: false }
    }
    default:
      return { fields: new Map(), isFixed: false }
  }
}

/** What items fill one after the other. */
function fillAll(rules: ValueRules, items: readonly Expression[], chosen?: Chosen): Filling {
  const parts = items.map((item) => fill(rules, item, chosen))
  const add = (one: number, other: number) => one + other
  const fields = join(parts, add, add)
  const isOnce = fields.size === parts.reduce((sum, part) => sum + part.fields.size, 0)
  return { fields, isFixed: isOnce && parts.every(({ isFixed }) => isFixed) }
}

/** What one of several options fills. */
function fillOne(rules: ValueRules, options: readonly Expression[]): Filling {
  const parts = options.map((option) => fill(rules, option))
  const orders = new Set(parts.map(({ fields, isFixed }) => (isFixed ? [...fields.keys()].join() : undefined)))
  const isFixed = orders.size === 1 && !orders.has(undefined)
  return { fields: join(parts, Math.min, Math.max), isFixed }
}

type Join = (one: number, other: number) => number

/** The fields of several fillings. What one of them lacks is filled never in it. */
function join(parts: readonly Filling[], lower: Join, upper: Join): Map<string, Filled> {
  const byName = new Map<string, Filled[]>()
  for (const { fields } of parts) for (const [name, filled] of fields) addTo(byName, name, filled)
  const fields = new Map<string, Filled>()
  for (const [name, all] of byName) {
    const counts: readonly (Count & { readonly least: number })[] = all.length < parts.length ? [...all, NEVER] : all
    const { min, max, least } = counts.reduce((one, other) => ({
      min: lower(one.min, other.min),
      max: upper(one.max, other.max),
      least: lower(one.least, other.least),
    }))
    fields.set(name, { min, max, least, sources: all.flatMap(({ sources }) => sources) })
  }
  return fields
}

const ONCE: Count = { min: 1, max: 1 }
const NEVER = { min: 0, max: 0, least: 0 }

/** The least number of values that a source gives. */
function leastOf(source: Field | Fold): number {
  if (source.kind === 'fold' || source.isFlag || source.operand.kind !== 'repeat') return 1
  return mayLack(source.operand.operand) && !isOption(source.operand) ? 0 : source.operand.count.min
}
