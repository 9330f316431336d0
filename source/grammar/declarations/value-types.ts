// TypeScript declarations of a grammar's values: a type for each rule, if it is more than a word.

import { kindOf } from '../../record/kinds.ts'
import { findRepeated } from '../values/repeated-rule.ts'
import type { FieldValueShape, RecordShape, ValueShape } from '../values/value-shape.ts'
import type { ValueShapes } from '../values/value-shapes.ts'
import { quote } from './quote.ts'
import { findValueless, isShort, SettledShapes } from './settled-shapes.ts'

/** Items that tuples have at the most before their dots. */
const MOST_COUNTED = 4
/** Characters of an item that is written more than once. */
const LONGEST_REPEATED = 1000

/** Declares a type for each of some rules, and `Values`, which has them by the names of the rules. `taken`: names of other types. */
export function writeValueTypes(shapes: ValueShapes, rules: readonly string[], taken: Iterable<string>): string {
  return new ValueTypes(shapes, rules, taken).write()
}

class ValueTypes {
  readonly #shapes: ValueShapes
  readonly #settled: SettledShapes
  readonly #rules: readonly string[]
  readonly #valueless: ReadonlyMap<string, string>
  /** The names of types, by rules: of what they give, and of the records that they make. */
  readonly #names = new Map<string, string>()
  readonly #records = new Map<string, string>()

  constructor(shapes: ValueShapes, rules: readonly string[], taken: Iterable<string>) {
    this.#shapes = shapes
    this.#settled = new SettledShapes(shapes)
    this.#rules = rules
    this.#valueless = findValueless(shapes)
    const names = new TypeNames(taken)
    for (const rule of this.#giving) if (!isShort(this.#settled.shapeOf(rule))) this.#names.set(rule, names.make(rule))
    for (const rule of this.#giving) {
      const record = this.#recordOf(rule)
      if (!record) continue
      const isAll = this.#settled.shapeOf(rule) === record
      this.#records.set(rule, isAll ? (this.#names.get(rule) as string) : names.make(`${rule}Fold`))
    }
  }

  write(): string {
    const giving = this.#giving
    const values = this.#rules.map((rule) => {
      const problem = this.#valueless.get(rule)
      return problem === undefined
        ? `  ${rule}: ${this.#typeOf({ kind: 'rule', name: rule })}`
        : `  // ${rule}: ${problem}`
    })
    const repeated = giving.flatMap((rule) => {
      const item = findRepeated(this.#shapes.rules, rule)
      return item === undefined ? [] : [`${rule}: ${quote(item)}`]
    })
    return [
      ...giving.flatMap((rule) => this.#declare(rule)),
      '/** What rules give, by their names. */',
      ...block('export interface Values', values),
      '',
      '/** All types of the grammar. `repeated` names the rule that another rule repeats. */',
      ...block('export interface Types', [
        '  values: Values',
        '  trees: Trees',
        `  repeated: ${repeated.length === 0 ? 'object' : `{ ${repeated.join('; ')} }`}`,
        ...(this.#rules.includes('program') ? [] : [`  entry: ${quote(this.#rules[0] as string)}`]),
      ]),
      '',
    ].join('\n')
  }

  /** The rules that give values. */
  get #giving(): string[] {
    return this.#rules.filter((rule) => !this.#valueless.has(rule))
  }

  /** The record that a rule makes, and no other one. */
  #recordOf(rule: string): RecordShape | undefined {
    const shape = this.#shapes.shapeOf(rule)
    const all = shape.kind === 'union' ? shape.members : [shape]
    return all.find((one): one is RecordShape => one.kind === 'record' && one.rule === rule)
  }

  #declare(rule: string): string[] {
    const name = this.#names.get(rule)
    const record = this.#recordOf(rule)
    const recordName = this.#records.get(rule)
    const lines: string[] = []
    if (name !== undefined && name !== recordName) {
      const shape = this.#settled.shapeOf(rule)
      lines.push(
        `export type ${name} = ${this.#typeOf(shape.kind === 'rule' ? shape : this.#settled.simplify(shape))}`,
        '',
      )
    }
    if (record && recordName !== undefined) lines.push(...this.#declareRecord(recordName, record), '')
    return lines
  }

  #declareRecord(name: string, record: RecordShape): string[] {
    const [only, ...others] = record.variants
    if (only && others.length === 0) {
      const properties = this.#propertiesOf(record, only)
      return block(
        `export type ${name} =`,
        properties.map((property) => `  ${property}`),
      )
    }
    const names = namesOf(record.variants)
    return [`export type ${name} =`, ...record.variants.map((fields) => `  | ${this.#literal(record, fields, names)}`)]
  }

  #typeOf(given: ValueShape): string {
    const shape = this.#settled.simplify(given)
    switch (shape.kind) {
      case 'text':
        return kindOf(shape.textKind ?? '').type
      case 'constant':
        return quote(shape.text)
      case 'null':
        return 'null'
      case 'result':
        return 'unknown'
      case 'flag':
        return 'boolean'
      case 'array':
        return arrayOf(this.#typeOf(shape.item), this.#isUnion(shape.item), shape.least)
      case 'map':
        return `{ [key: string]: ${this.#typeOf(this.#shapes.fieldsOfEntry(shape.entry)[1])} }`
      case 'union':
        return this.#union(shape, shape.members)
      case 'rule':
        return this.#names.get(shape.name) ?? 'never'
      case 'record':
        return (shape.rule === undefined ? undefined : this.#records.get(shape.rule)) ?? this.#union(shape, [shape])
    }
  }

  #isUnion(given: ValueShape): boolean {
    const shape = this.#settled.simplify(given)
    if (shape.kind === 'record') return shape.rule === undefined && shape.variants.length > 1
    return shape.kind === 'union' && shape.members.length > 1
  }

  /** Records that have no name say what they do not have and others do: so TypeScript tells them apart. */
  #union(shape: ValueShape, members: readonly ValueShape[]): string {
    const hasUnnamed = members.some((member) => member.kind === 'record' && member.rule === undefined)
    const grounds = hasUnnamed ? this.#shapes.groundsOf(shape).filter((ground) => ground.kind === 'record') : []
    const isTyped = grounds.some(({ rule }) => rule !== undefined && this.#shapes.typeOf(rule) !== undefined)
    const names = [...(isTyped ? ['type'] : []), ...namesOf(grounds.flatMap(({ variants }) => variants))]
    const types = members.flatMap((member) => {
      const isNamed = member.kind !== 'record' || member.rule !== undefined
      return isNamed ? [this.#typeOf(member)] : member.variants.map((fields) => this.#literal(member, fields, names))
    })
    return [...new Set(types)].join(' | ') || 'never'
  }

  /** An object type. `names`: fields that it may have or lack. */
  #literal(record: RecordShape, fields: readonly FieldValueShape[], names: readonly string[]): string {
    const properties = this.#propertiesOf(record, fields)
    const has = (name: string) => properties.some((property) => property.startsWith(`${name}:`))
    // Every object has what the prototype of objects has, such as `constructor`.
    const lacking = [...new Set(names)].filter((name) => !(has(name) || name in Object.prototype))
    const all = [...properties, ...lacking.map((name) => `${name}?: never`)]
    return all.length === 0 ? 'Record<string, never>' : `{ ${all.join('; ')} }`
  }

  #propertiesOf({ rule }: RecordShape, fields: readonly FieldValueShape[]): string[] {
    const type = rule === undefined ? undefined : this.#shapes.typeOf(rule)
    return [
      ...(type === undefined ? [] : [`type: ${quote(type)}`]),
      ...fields.map(
        ({ name, shape, isOptional }) => `${name}: ${this.#typeOf(shape)}${isOptional ? ' | undefined' : ''}`,
      ),
      ...(this.#shapes.options.positions ? ['start: number', 'end: number'] : []),
    ]
  }
}

function namesOf(variants: readonly (readonly FieldValueShape[])[]): string[] {
  return variants.flatMap((fields) => fields.map(({ name }) => name))
}

function arrayOf(item: string, isUnion: boolean, least: number): string {
  const list = isUnion ? `(${item})[]` : `${item}[]`
  // Repetitions within repetitions must not make the text grow without bound.
  if (least === 0 || item.length > LONGEST_REPEATED) return list
  return `[${`${item}, `.repeat(Math.min(least, MOST_COUNTED))}...${list}]`
}

function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines, '}']
}

/** Types that everybody has: ECMAScript's own, and TypeScript's. A type with such a name would hide them. */
const GLOBAL =
  'AggregateError Array ArrayBuffer ArrayLike AsyncGenerator AsyncIterable AsyncIterator Atomics Awaited BigInt Boolean Capitalize ConstructorParameters ' +
  'DataView Date Error EvalError Exclude Extract FinalizationRegistry Function Generator Infinity InstanceType Intl Iterable Iterator JSON Lowercase Map Math ' +
  'NaN NoInfer NonNullable Number Object Omit Parameters Partial Pick Promise PromiseLike PropertyKey Proxy RangeError Readonly ReadonlyArray ReadonlyMap ' +
  'ReadonlySet Record ReferenceError Reflect RegExp Required ReturnType Set SharedArrayBuffer String Symbol SyntaxError ThisType TypeError URIError Uncapitalize ' +
  'Uppercase WeakMap WeakRef WeakSet'

class TypeNames {
  readonly #taken: Set<string>

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...GLOBAL.split(' '), ...taken])
  }

  /** A name for what is called so in the grammar: with a capital; with more after it if a type has this name. */
  make(name: string): string {
    const capital = name.slice(0, 1).toUpperCase() + name.slice(1)
    let made = capital
    for (let i = 1; this.#taken.has(made); i++) made = i === 1 ? `${capital}Value` : `${capital}Value${i}`
    this.#taken.add(made)
    return made
  }
}
