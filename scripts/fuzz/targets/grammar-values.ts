// Random grammars with fields and inputs: values are those that an evaluator by the book makes of what a naive matcher derives, on both engines, in a stream
// that is cut anywhere, and with all options; lines and columns have the same values. Trees are those of the grammar without its names.

import {
  Grammar,
  GrammarError,
  type GrammarOptions,
  type GrammarValue,
  ParseError,
  type ValueStreamOptions,
} from '../../../source/grammar/index.ts'
import type { Expression, Rule } from '../../../source/grammar/syntax/expression.ts'
import { findWriting } from '../../../source/grammar/values/written-values.ts'
import { valuesOf } from '../../../source/record/format/column.ts'
import type { FormatField } from '../../../source/record/format/format.ts'
import { kindOf } from '../../../source/record/kinds.ts'
import { formatJson } from '../../../source/text/json.ts'
import { Sampler } from '../../../test/support/grammar-sampler.ts'
import { type Derivation, deriveNaively } from '../../../test/support/naive-grammar.ts'
import { joinNaively, NaiveValues, NotOfItsKind } from '../../../test/support/naive-values.ts'
import { makeRandomFields, RULE_NAMES } from '../../../test/support/random-fields.ts'
import { cutAtRandom } from '../cuts.ts'
import type { FuzzCase, Target } from '../target.ts'

const ENGINES = ['wasm', 'plain'] as const
/** Ways to cut an input in which lines and columns are looked at. */
const WRITTEN = 4
const DIALECTS = ['xylem', 'bnf-parser'] as const

interface CaseSettings {
  readonly dialect: number
  readonly partial: boolean
  readonly type: boolean
  readonly positions: boolean
  readonly lenient: boolean
  readonly emit: readonly number[]
  readonly innermost: boolean
  readonly cuts: number
}

/** What happened in cases, for tests of how good these are. */
export const tally = { refused: 0, unmatched: 0, invalid: 0, matched: 0, streamed: 0 }

async function judge({ parts, settings }: FuzzCase): Promise<string | undefined> {
  const decoder = new TextDecoder()
  const [text = '', ...inputs] = parts.map((part) => decoder.decode(part))
  const { partial, type, positions, lenient, ...run } = settings as unknown as CaseSettings
  const options = { dialect: DIALECTS[run.dialect] as 'xylem' }
  const grammar = tryGrammar(text, options)
  if (!grammar?.rules.some(({ name }) => name === 'program')) return undefined
  const form = { type, positions, lenient }
  const rules = joinNaively(grammar.rules)
  for (const input of inputs) {
    const derivation = deriveNaively(rules, input, partial)
    if (derivation === 'too long') continue
    const failure =
      judgeTrees(grammar, text, input, options) ??
      judgeValue(grammar, rules, input, derivation, { partial, ...form }) ??
      (await judgeStream(grammar, rules, input, derivation, { partial, ...form }, run))
    if (failure !== undefined) return `${failure}, for ${JSON.stringify(input)}`
  }
  return undefined
}

function tryGrammar(text: string, options: GrammarOptions): Grammar | undefined {
  try {
    return Grammar.from(text, options)
  } catch (error) {
    if (error instanceof GrammarError) return undefined
    throw error
  }
}

// Trees.

function judgeTrees(grammar: Grammar, text: string, input: string, options: GrammarOptions): string | undefined {
  const bare = Grammar.from(withoutNames(grammar, text), options)
  const [with_, without] = [grammar, bare].map((one) => {
    return attempt(() =>
      JSON.stringify(one.parse(input, { partial: true }), ['type', 'start', 'end', 'count', 'value']),
    )
  })
  return with_ === without ? undefined : `trees change with fields: ${with_} / ${without}`
}

/** The text of a grammar without the names of fields: `name?:x` becomes `x?`, and `name:<` nothing. */
function withoutNames(grammar: Grammar, text: string): string {
  const edits: { at: number; end: number; text: string }[] = []
  const visit = (expressions: readonly Expression[]): void => {
    for (const expression of expressions) {
      const { at } = expression
      if (expression.kind === 'fold') edits.push({ at: at.start, end: at.end, text: '' })
      if (expression.kind === 'reference' && expression.isJoined)
        edits.push({ at: at.start, end: at.start + 1, text: '' })
      if (expression.kind === 'field') {
        const { operand, isFlag } = expression
        edits.push({ at: at.start, end: operand.at.start, text: '' })
        if (isFlag) edits.push({ at: at.end, end: at.end, text: '?' })
      }
      visit(belowOf(expression))
    }
  }
  visit(grammar.rules.flatMap(({ members }) => members))
  let bare = text
  for (const edit of edits.sort((one, other) => other.at - one.at || other.end - one.end))
    bare = bare.slice(0, edit.at) + edit.text + bare.slice(edit.end)
  return bare
}

function belowOf(expression: Expression): readonly Expression[] {
  const {
    items = [],
    options = [],
    operand,
    separator,
  } = expression as Partial<{
    items: Expression[]
    options: Expression[]
    operand: Expression
    separator: Expression
  }>
  return [...items, ...options, ...(operand ? [operand] : []), ...(separator ? [separator] : [])]
}

// Values.

type Form = {
  readonly partial: boolean
  readonly type: boolean
  readonly positions: boolean
  readonly lenient: boolean
}

function judgeValue(
  grammar: Grammar,
  rules: readonly Rule[],
  input: string,
  derivation: Derivation | 'fails',
  form: Form,
): string | undefined {
  const bytes = new TextEncoder().encode(input)
  let expected: string | undefined
  for (const engine of ENGINES) {
    for (const given of [input, bytes]) {
      const found = attempt(() => show(grammar.value(given, { ...form, engine })))
      if (found.startsWith('refused')) {
        tally.refused++
        return undefined
      }
      expected ??=
        derivation === 'fails' ? 'unmatched' : attempt(() => show(new NaiveValues(rules, input, form).of(derivation)))
      if (found !== expected) return `value (${engine}) is not that of the book: ${found} / ${expected}`
    }
  }
  tally[expected === 'unmatched' ? 'unmatched' : expected?.startsWith('invalid') ? 'invalid' : 'matched']++
  return undefined
}

async function judgeStream(
  grammar: Grammar,
  rules: readonly Rule[],
  input: string,
  derivation: Derivation | 'fails',
  form: Form,
  { emit, innermost, cuts }: Pick<CaseSettings, 'emit' | 'innermost' | 'cuts'>,
): Promise<string | undefined> {
  const nested = innermost ? ('innermost' as const) : ('outermost' as const)
  const emitted = findEmittable(grammar, new Set(emit.map((number) => RULE_NAMES[number] as string)), nested)
  const naive = new NaiveValues(rules, input, form)
  // What is in a text is a part of it, and none of the innermost ones.
  if (emitted.length === 0 || (innermost && emitted.some((rule) => naive.mayBeInText(rule)))) return undefined
  const options = { ...form, emit: emitted, nested }
  try {
    grammar.values([], options)
  } catch (error) {
    if (error instanceof GrammarError) return undefined
    throw error
  }
  const expected = derivation === 'fails' ? undefined : expectAll(naive, derivation, new Set(emitted), nested)
  const bytes = new TextEncoder().encode(input)
  const ways = [
    [bytes],
    Array.from(bytes, (byte) => Uint8Array.of(byte)),
    cutAtRandom(bytes, cuts),
    ...Array.from({ length: bytes.length }, (_, at) => [bytes.slice(0, at), bytes.slice(at)]),
  ]
  let first: string | undefined
  for (const [i, chunks] of ways.entries()) {
    const found: string[] = []
    const engine = ENGINES[i % 2] as 'wasm'
    try {
      for await (const value of grammar.values(chunks, { ...options, engine })) found.push(show(value))
    } catch (error) {
      found.push(describe(error))
    }
    const all = found.join(' ')
    if (expected !== undefined && all !== expected)
      return `values of ${emitted} ${nested} (${engine}, way ${i}) are not those of the book: ${all} / ${expected}`
    first ??= all
    if (all !== first) return `values of ${emitted} ${nested} (${engine}, way ${i}) depend on cuts: ${all} / ${first}`
    // That takes as long as all the rest.
    const failure = i < WRITTEN ? await judgeWritten(grammar, chunks, { ...options, engine }) : undefined
    if (failure !== undefined) return `${failure}, of ${emitted} ${nested} (${engine}, way ${i})`
  }
  tally.streamed++
  return undefined
}

/** Whether lines and columns have the values. */
async function judgeWritten(
  grammar: Grammar,
  chunks: readonly Uint8Array[],
  options: ValueStreamOptions,
): Promise<string | undefined> {
  const decoder = new TextDecoder()
  const { fields, areRecords } = findWriting(grammar.ask(options).shapes, options.emit as string[], undefined)
  const cellsOf = (value: GrammarValue) =>
    show(fields.map((field) => cellOf(field, areRecords ? ownValue(value, field.name) : value)))
  const lineOf = (value: GrammarValue, absent?: null) => `${formatJson(value ?? null, absent)}\n`
  const values = await collect(grammar.values(chunks, options), (value) => [value])
  const ways = {
    lines: [
      await collect(grammar.lines(chunks, options), (bytes) => [decoder.decode(bytes)]),
      values.items.map((value) => lineOf(value)).join(''),
    ],
    'lines with null': [
      await collect(grammar.lines(chunks, { ...options, absent: 'null' }), (bytes) => [decoder.decode(bytes)]),
      values.items.map((value) => lineOf(value, null)).join(''),
    ],
    columns: [
      await collect(grammar.columns(chunks, { ...options, rows: 2 }), ({ columns, rows }) => {
        const read = columns.map(valuesOf)
        return Array.from({ length: rows }, (_, row) => show(read.map((column) => column[row])))
      }),
      values.items.map(cellsOf).join(''),
    ],
  } as const
  for (const [way, [{ items, end }, expected]] of Object.entries(ways)) {
    const found = items.join('')
    if (found !== expected) return `${way} are not the values: ${found} / ${expected}`
    if (end !== values.end) return `${way} end with ${end}, and not with ${values.end}`
  }
  return undefined
}

/** What some items are, and the error after them. */
async function collect<Item, Part>(
  items: AsyncIterable<Item>,
  partsOf: (item: Item) => Part[],
): Promise<{ items: Part[]; end: string | undefined }> {
  const found: Part[] = []
  try {
    for await (const item of items) found.push(...partsOf(item))
  } catch (error) {
    return { items: found, end: describe(error) }
  }
  return { items: found, end: undefined }
}

/** A value as a column has it. */
function cellOf(field: FormatField, value: GrammarValue): unknown {
  if (value === undefined || value === null) return null
  const { kind, isList, record } = field
  if (isList) return (value as GrammarValue[]).map((one) => cellOf({ ...field, isList: false }, one))
  if (kind === 'record')
    return Object.fromEntries(record?.fields.map((one) => [one.name, cellOf(one, ownValue(value, one.name))]) ?? [])
  const { column } = kindOf(kind)
  if (column === 'int64') return BigInt(value as number)
  return column === 'utf8' && typeof value !== 'string' ? formatJson(value) : value
}

function ownValue(value: GrammarValue, name: string): GrammarValue {
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

/** The rules that can be delivered together. */
function findEmittable(grammar: Grammar, rules: ReadonlySet<string>, nested: 'outermost' | 'innermost'): string[] {
  const emit: string[] = []
  for (const rule of rules) {
    try {
      grammar.stream([], { emit: [...emit, rule], nested })
      emit.push(rule)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return emit
}

function expectAll(
  naive: NaiveValues,
  derivation: Derivation,
  emit: ReadonlySet<string>,
  nested: 'outermost' | 'innermost',
): string {
  const all: string[] = []
  for (const part of findParts(derivation, emit, nested)) {
    const value = attempt(() => show(naive.of(part)))
    all.push(value)
    if (value.startsWith('invalid')) break
  }
  return all.join(' ')
}

function findParts(derivation: Derivation, emit: ReadonlySet<string>, nested: 'outermost' | 'innermost'): Derivation[] {
  const { expression, below } = derivation
  if (['omit', 'gather'].includes(expression.kind)) return []
  const isPart = expression.kind === 'reference' && emit.has(expression.name)
  if (isPart && nested === 'outermost') return [derivation]
  const inner = below.flatMap((one) => findParts(one, emit, nested))
  return isPart && inner.length === 0 ? [derivation] : inner
}

// Comparing.

/** A value with its keys in their order; undefined is a value. */
function show(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'bigint') return `${value}n`
  // Texts in columns.
  if (value instanceof Uint8Array) return JSON.stringify(new TextDecoder().decode(value))
  if (Array.isArray(value)) return `[${value.map(show).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${name}:${show(one)}`)
    .join()}}`
}

function attempt(act: () => string): string {
  try {
    return act()
  } catch (error) {
    return describe(error)
  }
}

function describe(error: unknown): string {
  if (error instanceof NotOfItsKind) return `invalid at ${error.byteOffset}`
  if (error instanceof GrammarError) return 'refused'
  if (!(error instanceof ParseError)) throw error
  return error.code === 'invalid-value' ? `invalid at ${error.byteOffset}` : 'unmatched'
}

export const grammarValues: Target = {
  name: 'grammar-values',
  open: async () => 'an evaluator by the book',
  make(random) {
    const encoder = new TextEncoder()
    const dialect = random.below(2)
    const text = makeRandomFields(random, DIALECTS[dialect] as 'xylem')
    const grammar = tryGrammar(text, { dialect: DIALECTS[dialect] as 'xylem' })
    const inputs = random.many(2, 5, () => {
      return grammar ? new Sampler(grammar.rules, random.below(2 ** 30)).input('program') : ''
    })
    const settings = {
      dialect,
      partial: random.oneIn(2),
      type: random.oneIn(4),
      positions: random.oneIn(3),
      lenient: random.oneIn(3),
      emit: random.many(1, 3, () => random.below(RULE_NAMES.length)),
      innermost: random.oneIn(2),
      cuts: random.below(2 ** 31),
    }
    return { parts: [text, ...inputs].map((part) => encoder.encode(part)), settings }
  },
  judge,
}
