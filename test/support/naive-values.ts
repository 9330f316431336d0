// Values by the book: of what a naive matcher derived, by the rules of docs/grammar.md, and nothing clever. It knows nothing of how values are recorded.

import {
  type Choice,
  type Expression,
  type Field,
  type Fold,
  mapOperands,
  namesIn,
  type Rule,
} from '../../source/grammar/syntax/expression.ts'
import { type Derivation, offsetsOf } from './naive-grammar.ts'

export interface NaiveValueOptions {
  readonly type?: boolean
  readonly positions?: boolean
  readonly lenient?: boolean
}

/** A text is not of its kind. */
export class NotOfItsKind extends Error {
  readonly byteOffset: number

  constructor(byteOffset: number) {
    super(`not of its kind, at ${byteOffset}`)
    this.byteOffset = byteOffset
  }
}

/** The rules with what `:rule` matches in the place of it. */
export function joinNaively(rules: readonly Rule[]): Rule[] {
  const join = (expression: Expression): Expression => {
    const rule =
      expression.kind === 'reference' && expression.isJoined
        ? rules.find(({ name }) => name === expression.name)
        : undefined
    if (rule)
      return { kind: 'group', items: structuredClone(rule.members).map(join), isBracketed: false, at: expression.at }
    return mapOperands(expression, join)
  }
  return rules.map((rule) => ({ ...rule, members: rule.members.map(join) }))
}

type Source = Field | Fold
type Properties = Record<string, unknown>

/** What makes a record: a rule, or brackets that have a name. */
type Maker = string | Expression

export class NaiveValues {
  readonly #rules: ReadonlyMap<string, Rule>
  readonly #options: NaiveValueOptions
  readonly #points: readonly string[]
  readonly #offsets: readonly number[]
  readonly #typed: ReadonlySet<string>

  constructor(rules: readonly Rule[], input: string, options: NaiveValueOptions = {}) {
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]))
    this.#options = options
    this.#points = Array.from(input)
    this.#offsets = offsetsOf(input)
    this.#typed = options.type ? new Set(this.#rules.keys()) : this.#findTyped()
  }

  /** The value of what a reference to a rule matched. */
  of(derivation: Derivation): unknown {
    const { name } = derivation.expression as Expression & { kind: 'reference' }
    const { members, textKind, notation, isMap } = this.#rules.get(name) as Rule
    const { below } = derivation
    if (isMap) return this.#map(below)
    if (hasFold(members)) return this.#fold(name, derivation)
    if (fieldsIn(members).length > 0) return this.#record(members, derivation, name)
    if (!this.#isVisibleRule(name)) return null
    if (!this.#isTextRule(name)) return this.#valueOfAll(below)
    const text = this.#textOf(below)
    if (textKind === undefined && notation === undefined) return text
    const value = readText(text, textKind, notation, members)
    if (value !== undefined) return value
    if (this.#options.lenient) return null
    // The text begins after what is omitted before it.
    const first = below.find(({ expression }) => expression.kind !== 'omit') ?? derivation
    throw new NotOfItsKind(this.#offsets[first.start] as number)
  }

  /** Whether texts may have a rule in them: one that refers to itself, or gives nothing. */
  mayBeInText(name: string): boolean {
    const { members } = this.#rules.get(name) as Rule
    return !this.#isVisibleRule(name) || [...namesIn(members)].includes(name)
  }

  // Values.

  #valueOf(derivation: Derivation): unknown {
    const { expression, below } = derivation
    if (expression.kind !== 'repeat') {
      if (!this.#isVisible(expression)) return null
      if (fieldsIn([expression]).length > 0) return this.#record([expression], derivation)
    }
    switch (expression.kind) {
      case 'reference':
        return this.of(derivation)
      case 'repeat': {
        const rounds = below.filter((one) => one.expression === expression.operand)
        if (!isOption(expression)) return rounds.flatMap((round) => this.#valuesOfRound(round))
        return rounds[0] ? this.#valueOf(rounds[0]) : null
      }
      case 'choice':
        return this.#reaches([expression]) ? this.#valueOf(below[0] as Derivation) : this.#textOf(below)
      case 'group':
        return this.#valueOfAll(below)
      default:
        return this.#textOf([derivation])
    }
  }

  /** The value of a round, or none: of an option that is omitted. */
  #valuesOfRound(round: Derivation): unknown[] {
    const { expression, below } = round
    if (fieldsIn([expression]).length > 0) return [this.#valueOf(round)]
    if (expression.kind === 'choice' && mayLack(expression)) {
      return below.flatMap((option) => (isOmitted(option.expression) ? [] : this.#valuesOfRound(option)))
    }
    if (expression.kind !== 'group' || !mayLack(expression) || !this.#reaches([expression]))
      return [this.#valueOf(round)]
    const parts = below.filter((one) => this.#isVisible(one.expression) && !isPunctuation(one.expression))
    return parts.flatMap((part) => this.#valuesOfRound(part))
  }

  #valueOfAll(derivations: readonly Derivation[]): unknown {
    const [only] = derivations
    if (derivations.length === 1 && only) return this.#valueOf(only)
    if (!this.#reaches(derivations.map(({ expression }) => expression))) return this.#textOf(derivations)
    const parts = derivations.filter(({ expression }) => this.#isVisible(expression) && !isPunctuation(expression))
    if (parts.length !== 1) throw new Error(`${parts.length} parts, which the grammar should have been refused for`)
    return this.#valueOf(parts[0] as Derivation)
  }

  #textOf(derivations: readonly Derivation[]): string {
    return derivations.map((one) => this.#textOfOne(one)).join('')
  }

  #textOfOne({ expression, start, end, below }: Derivation): string {
    switch (expression.kind) {
      case 'literal':
      case 'class':
      case 'not':
        return this.#points.slice(start, end).join('')
      case 'omit':
      case 'look':
        return ''
      default:
        return this.#textOf(below)
    }
  }

  #map(below: readonly Derivation[]): Properties {
    const records = this.#valueOfAll(below) as Properties[]
    // Before its fields, a record may say what it is.
    const fields = records.map((record) => Object.entries(record).filter(([name]) => name !== 'type'))
    return Object.fromEntries(fields.map(([key, value]) => [key?.[1] as string, value?.[1]]))
  }

  // Records.

  #record(body: readonly Expression[], derivation: Derivation, rule?: string): Properties {
    const below = rule === undefined ? [derivation] : derivation.below
    return this.#makeRecord(body, below, this.#placeOf(derivation), rule)
  }

  #makeRecord(
    body: readonly Expression[],
    derivations: readonly Derivation[],
    place: readonly [start: number, end: number],
    rule?: string,
    before?: unknown,
  ): Properties {
    // In the order of the text: of several texts that are not of their kinds, the first is the error.
    const fills = derivations.flatMap(fillsIn).map((fill) => ({
      name: (fill.expression as Source).name,
      ...this.#valuesOfFill(fill, before),
    }))
    const counts = countAll(body)
    const choice = findVariants(body)
    const chosen = choice && derivations.flatMap((one) => optionsChosen(one, choice))[0]
    const elsewhere = new Set(choice?.options.flatMap((option) => (option === chosen ? [] : fieldsIn([option]))))
    const names = fieldsIn(body).filter((source) => !elsewhere.has(source))
    const entries: [string, unknown][] = []
    for (const name of new Set(names.map((source) => source.name))) {
      const own = fills.filter((fill) => fill.name === name)
      const isList = (counts.get(name) as number) > 1
      entries.push([name, isList ? own.flatMap(({ items }) => items) : own.at(-1)?.value])
    }
    if (rule !== undefined && this.#typed.has(rule)) entries.unshift(['type', rule])
    if (this.#options.positions) entries.push(['start', place[0]], ['end', place[1]])
    return Object.fromEntries(entries)
  }

  /** What a field gets, and what it adds to a list. */
  #valuesOfFill({ expression, below }: Derivation, before: unknown): { value: unknown; items: readonly unknown[] } {
    const one = (value: unknown) => ({ value, items: [value] })
    if (expression.kind === 'fold') return one(before)
    const { isFlag, operand } = expression as Field
    if (isFlag) return one(below.length > 0)
    const [filled] = below as [Derivation]
    if (operand.kind !== 'repeat') return one(this.#valueOf(filled))
    const rounds = filled.below.filter((inner) => inner.expression === operand.operand)
    const items = isOption(operand)
      ? rounds.map((round) => this.#valueOf(round))
      : rounds.flatMap((round) => this.#valuesOfRound(round))
    return { value: isOption(operand) ? items[0] : items, items }
  }

  #fold(rule: string, derivation: Derivation): unknown {
    const [start] = this.#placeOf(derivation)
    const { below } = derivation
    const repeat = below.find(({ expression }) => hasFold([expression])) as Derivation
    const base = below.find(({ expression }) => this.#isVisible(expression) && !isPunctuation(expression)) as Derivation
    let value = this.#valueOf(base)
    for (const round of repeat.below) {
      const place = [start, this.#placeOf(round)[1]] as const
      value = this.#makeRecord([round.expression], [round], place, rule, value)
    }
    return value
  }

  #placeOf({ start, end }: Derivation): readonly [start: number, end: number] {
    return [this.#offsets[start] as number, this.#offsets[end] as number]
  }

  // What is known of the grammar.

  #isVisibleRule(name: string, entered: ReadonlySet<string> = new Set()): boolean {
    if (entered.has(name)) return false
    const { members } = this.#rules.get(name) as Rule
    return members.some((member) => this.#isVisible(member, new Set([...entered, name])))
  }

  #isVisible(expression: Expression, entered?: ReadonlySet<string>): boolean {
    switch (expression.kind) {
      case 'literal':
      case 'class':
      case 'not':
      case 'gather':
      case 'field':
      case 'fold':
        return true
      case 'reference':
        return this.#isVisibleRule(expression.name, entered)
      default:
        return partsOf(expression).some((part) => this.#isVisible(part, entered))
    }
  }

  /** Whether a rule gives a text: it reaches no other rule that is visible. */
  #isTextRule(name: string): boolean {
    return !this.#reaches((this.#rules.get(name) as Rule).members, name)
  }

  #reaches(expressions: readonly Expression[], self?: string): boolean {
    return expressions.some((expression) => {
      if (expression.kind === 'reference') return expression.name !== self && this.#isVisibleRule(expression.name)
      return this.#reaches(partsOf(expression), self)
    })
  }

  // Records that meet others.

  #findTyped(): ReadonlySet<string> {
    const typed = new Set<string>()
    const visit = (expressions: readonly Expression[]): void => {
      const makers = new Set(expressions.flatMap((expression) => [...this.#makersOf(expression)]))
      if (makers.size > 1) for (const maker of makers) if (typeof maker === 'string') typed.add(maker)
    }
    for (const [name, { members }] of this.#rules) {
      const round = members.find((member) => hasFold([member])) as (Expression & { kind: 'repeat' }) | undefined
      const bodies = round ? [[round.operand]] : fieldsIn(members).length > 0 ? [members] : []
      if (round) {
        const base = members.find((member) => this.#isVisible(member) && !isPunctuation(member)) as Expression
        const makers = this.#makersOf(base)
        const areOthers = round.count.min === 0 || round.count.max > 1
        if (areOthers && [...makers].some((maker) => maker !== name))
          for (const maker of [...makers, name]) addName(typed, maker)
        bodies.push(...recordsIn([base]))
        for (const value of valuesIn([base])) visit([value])
      }
      if (bodies.length === 0 && !this.#isTextRule(name)) {
        bodies.push(...recordsIn(members))
        for (const value of valuesIn(members)) visit([value])
      }
      for (const body of bodies) {
        const fields = fieldsIn(body).filter(({ kind }) => kind === 'field') as Field[]
        for (const field of new Set(fields.map((one) => one.name))) {
          visit(fields.filter((one) => one.name === field && !one.isFlag).map(({ operand }) => operand))
        }
        for (const { operand, isFlag } of fields) {
          if (isFlag) continue
          for (const value of valuesIn([operand])) visit([value])
          bodies.push(...recordsIn([operand]))
        }
      }
    }
    return typed
  }

  /** What makes the records that the value of an expression may be, or the items of it. */
  #makersOf(expression: Expression, entered: Set<string> = new Set()): Set<Maker> {
    if (!this.#isVisible(expression)) return new Set()
    if (expression.kind !== 'repeat' && fieldsIn([expression]).length > 0) return new Set([expression])
    switch (expression.kind) {
      case 'reference': {
        const { name } = expression
        if (entered.has(name)) return new Set()
        entered.add(name)
        const { members, isMap } = this.#rules.get(name) as Rule
        if (isMap) return new Set()
        if (hasFold(members)) {
          const base = members.find((member) => this.#isVisible(member) && !isPunctuation(member)) as Expression
          return new Set([name, ...this.#makersOf(base, entered)])
        }
        if (fieldsIn(members).length > 0) return new Set([name])
        return this.#isTextRule(name) ? new Set() : this.#makersOfAll(members, entered)
      }
      case 'choice':
        return new Set(expression.options.flatMap((option) => [...this.#makersOf(option, entered)]))
      case 'group':
        return this.#makersOfAll(expression.items, entered)
      case 'repeat':
        return this.#makersOf(expression.operand, entered)
      default:
        return new Set()
    }
  }

  #makersOfAll(items: readonly Expression[], entered: Set<string>): Set<Maker> {
    const parts = items.filter((item) => this.#isVisible(item) && !isPunctuation(item))
    return parts.length === 1 ? this.#makersOf(parts[0] as Expression, entered) : new Set()
  }
}

function addName(names: Set<string>, maker: Maker): void {
  if (typeof maker === 'string') names.add(maker)
}

/** What of an expression's parts is in the tree as they are; what is gathered is a text. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'group':
      return expression.items
    case 'choice':
      return expression.options
    case 'repeat':
      return expression.separator ? [expression.operand, expression.separator] : [expression.operand]
    case 'field':
      return [expression.operand]
    default:
      return []
  }
}

/** Expressions that may have values of their own where these do, with what is in them. */
function valuesIn(expressions: readonly Expression[]): Expression[] {
  return expressions.flatMap((one) => {
    return fieldsIn([one]).length > 0 && one.kind !== 'repeat'
      ? []
      : [one, ...valuesIn(one.kind === 'field' ? [] : partsOf(one))]
  })
}

/** The bodies of records that brackets in expressions make. */
function recordsIn(expressions: readonly Expression[]): (readonly Expression[])[] {
  return expressions.flatMap((one) => {
    if (fieldsIn([one]).length === 0) return []
    return one.kind === 'repeat' ? recordsIn([one.operand]) : [[one]]
  })
}

/** The fields of a record, in the order of the text: not those in the brackets that a field holds. */
function fieldsIn(expressions: readonly Expression[]): Source[] {
  return expressions.flatMap((one) => (one.kind === 'field' || one.kind === 'fold' ? [one] : fieldsIn(partsOf(one))))
}

function hasFold(expressions: readonly Expression[]): boolean {
  return fieldsIn(expressions).some(({ kind }) => kind === 'fold')
}

function fillsIn(derivation: Derivation): Derivation[] {
  const { kind } = derivation.expression
  if (kind === 'field' || kind === 'fold') return [derivation]
  return ['group', 'choice', 'repeat'].includes(kind) ? derivation.below.flatMap(fillsIn) : []
}

function isOption(expression: Expression): boolean {
  return expression.kind === 'repeat' && expression.count.min === 0 && expression.count.max === 1
}

/** What gives nothing at all where it is an option of a round. */
function isOmitted(expression: Expression): boolean {
  if (expression.kind === 'group') return expression.items.every(isOmitted)
  return ['omit', 'look', 'cut'].includes(expression.kind)
}

function mayLack(expression: Expression): boolean {
  if (expression.kind === 'group') return expression.items.some(mayLack)
  return expression.kind === 'choice' && expression.options.some((option) => isOmitted(option) || mayLack(option))
}

/** Literals, and brackets round them. */
function isPunctuation(expression: Expression): boolean {
  if (expression.kind === 'group') return expression.items.every((item) => item.kind === 'omit' || isPunctuation(item))
  return expression.kind === 'literal'
}

/** How often fields are filled at most. */
function countAll(expressions: readonly Expression[]): Map<string, number> {
  const sum = new Map<string, number>()
  for (const expression of expressions)
    for (const [name, count] of countIn(expression)) sum.set(name, (sum.get(name) ?? 0) + count)
  return sum
}

function countIn(expression: Expression): Map<string, number> {
  switch (expression.kind) {
    case 'field':
    case 'fold':
      return new Map([[expression.name, 1]])
    case 'group':
      return countAll(expression.items)
    case 'repeat': {
      const inner = [...countIn(expression.operand)]
      return new Map(inner.map(([name, count]) => [name, count * expression.count.max]))
    }
    case 'choice': {
      const most = new Map<string, number>()
      for (const option of expression.options)
        for (const [name, count] of countIn(option)) most.set(name, Math.max(most.get(name) ?? 0, count))
      return most
    }
    default:
      return new Map()
  }
}

/**
 * The choice whose options have different fields, so that there is a record for each option; undefined if there is none or more than one, it is repeated or in another choice, or one
 * option has the fields of all.
 */
function findVariants(body: readonly Expression[]): Choice | undefined {
  const differing = (expressions: readonly Expression[]): Choice[] =>
    expressions.flatMap((one) => {
      if (one.kind === 'group') return differing(one.items)
      if (one.kind !== 'choice') return []
      const lists = one.options.map((option) => [...namesOf([option])].sort().join())
      return new Set(lists).size > 1 ? [one] : []
    })
  const [choice, ...others] = differing(body)
  if (!choice || others.length > 0) return undefined
  const all = namesOf(choice.options)
  return choice.options.some((option) => namesOf([option]).size === all.size) ? undefined : choice
}

function namesOf(expressions: readonly Expression[]): Set<string> {
  return new Set(fieldsIn(expressions).map(({ name }) => name))
}

/** The option of a choice that matched. */
function optionsChosen({ expression, below }: Derivation, choice: Choice): Expression[] {
  if (expression === choice) return below.map((option) => option.expression)
  return expression.kind === 'group' || expression.kind === 'choice'
    ? below.flatMap((one) => optionsChosen(one, choice))
    : []
}

// Texts.

/** What a text is; undefined if it is not of its kind. Only what tests need. */
function readText(
  text: string,
  textKind: Rule['textKind'],
  notation: Rule['notation'],
  members: readonly Expression[],
): unknown {
  const plain = notation === undefined ? text : readNotation(text, notation, members)
  if (plain === undefined || textKind === undefined) return plain
  if (textKind === 'boolean') return { true: true, 1: true, false: false, 0: false }[plain]
  if (textKind === 'int64') {
    const digits = /^-?\d+$/.test(plain) ? BigInt(plain) : undefined
    return digits !== undefined && -(2n ** 63n) <= digits && digits < 2n ** 63n ? digits : undefined
  }
  const number = /^[+-]?\d+(\.\d*)?$/.test(plain) ? Number(plain) : Number.NaN
  const isGood = textKind === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
  return isGood ? number + 0 : undefined
}

function readNotation(text: string, notation: string, [first]: readonly Expression[]): string | undefined {
  if (notation === 'percent') {
    try {
      return decodeURIComponent(text)
    } catch {
      return undefined
    }
  }
  const quotes = first?.kind === 'omit' ? first.operand : first
  const mark = (quotes as Expression & { kind: 'literal' }).text
  const isEnclosed = text.length > 1 && text.startsWith(mark) && text.endsWith(mark)
  if (first?.kind !== 'omit' && !isEnclosed) return undefined
  const inner = first?.kind === 'omit' ? text : text.slice(1, -1)
  if (notation === 'sql-string') {
    const hasSingle = inner.replaceAll(mark + mark, '').includes(mark)
    return hasSingle ? undefined : inner.replaceAll(mark + mark, mark)
  }
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return undefined
  }
}
