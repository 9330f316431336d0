// Values of grammars made at random are of their types, and the types say no more than what is seen: they are compiled with the values, and with values that are not of
// them. FC_SEED=1234 repeats a run.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { Grammar, GrammarError, makeSchema, type ValueFormOptions, writeTypes } from '../../../source/grammar/index.ts'
import { ValueShapes } from '../../../source/grammar/values/value-shapes.ts'
import { extent, isThorough } from '../../support/extent.ts'
import { Random } from '../../support/random.ts'
import { ShapeCoverage } from '../../support/shape-coverage.ts'
import { checkTypes } from '../../support/type-check.ts'
import { makeValueGrammar } from '../../support/value-grammars.ts'

const FIRST = process.env.FC_SEED ? Number(process.env.FC_SEED) : Math.floor(Math.random() * 2 ** 31)
const GRAMMARS = extent(3, 100, 100)
/** Values of each grammar that are compiled, and of each of them changes that are. */
const COMPILED = 12
const CHANGED = 4
/** Inputs until all that there is must have been seen. */
const INPUTS = 50_000
const LONGEST = 1500
const FORMS: readonly ValueFormOptions[] = [{}, {}, { type: true }, { positions: true }]
/** What the declarations need of xylem/grammar: without the rest, it takes a tenth of the time. */
const LIBRARY = `
  export interface Term<Type extends string, Value> { readonly type: Type; readonly value: Value }
  export interface GrammarTypes<Types> { hash: string; type?: boolean; positions?: boolean; lenient?: boolean; of?: Types }`

interface Case {
  readonly seed: number
  readonly source: string
  readonly form: ValueFormOptions
  readonly grammar: Grammar
  readonly coverage: ShapeCoverage
  /** Values by what makes one. */
  readonly values: { readonly rule: string; readonly value: unknown; readonly expression: string }[]
  readonly random: Random
}

function* makeCases(): Generator<Case> {
  let made = 0
  for (let seed = FIRST; made < GRAMMARS; seed++) {
    const random = new Random(seed)
    const { source, rules, sample } = makeValueGrammar(random)
    const form = random.pick(FORMS)
    try {
      const grammar = Grammar.from(source, { dialect: 'xylem' })
      const shapes = new ValueShapes(new Map(grammar.rules.map((rule) => [rule.name, rule])), form)
      const giving = rules.filter((rule) => shapes.findProblems([rule]).length === 0)
      const coverage = new ShapeCoverage(shapes, giving)
      const values = seeValues(grammar, form, giving, sample, coverage, random)
      made++
      yield { seed, source, form, grammar, coverage, values, random }
    } catch (error) {
      // Not all that is made is a grammar.
      if (!(error instanceof GrammarError)) throw new Error(`seed ${seed}\n${source}`, { cause: error })
    }
  }
}

function seeValues(
  grammar: Grammar,
  form: ValueFormOptions,
  rules: readonly string[],
  sample: (rule: string) => string,
  coverage: ShapeCoverage,
  random: Random,
): Case['values'] {
  const values: Case['values'] = []
  const known = new Set<string>()
  for (let i = 0; i < INPUTS && (i % 100 > 0 || i === 0 || coverage.missing.length > 0); i++) {
    const rule = rules[i % rules.length]
    if (rule === undefined) break
    const input = sample(rule)
    if (input.length > LONGEST) continue
    const value = grammar.value(input, { entry: rule, ...form })
    if (!coverage.fits(value, { kind: 'rule', name: rule })) {
      throw new Error(`${rule} gives for ${JSON.stringify(input)} what its shape does not say: ${write(value)}`)
    }
    coverage.see(value, rule)
    const expression = write(value)
    if (known.has(`${rule} ${expression}`) || expression.length > LONGEST) continue
    known.add(`${rule} ${expression}`)
    values.push({ rule, value, expression })
  }
  return Array.from({ length: Math.min(COMPILED, values.length) }, () => random.pick(values))
}

/** A value as an expression. */
function write(value: unknown): string {
  if (value instanceof Date) return 'new Date(0)'
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, one]) => `["${name}"]: ${write(one)}`)
    .join(', ')} }`
}

const OTHERS = ['zz', 7, true, null, undefined, [], ['zz'], {}, new Date(0)]

/** A value with one change in it, somewhere: a field that is removed or added, or something else in its place. */
function change(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date || random.oneIn(4))
    return random.pick(OTHERS)
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1)
    return at === value.length ? [...value, random.pick(OTHERS)] : value.with(at, change(value[at], random))
  }
  const entries = Object.entries(value)
  const at = random.below(entries.length + 1)
  const [name, inner] = entries[at] ?? [random.pick(['zz', 'a', 'b', 'left', 'type', 'start']), random.pick(OTHERS)]
  if (at === entries.length && Object.hasOwn(value, name)) return random.pick(OTHERS)
  if (at < entries.length && random.oneIn(3)) return Object.fromEntries(entries.toSpliced(at, 1))
  return Object.fromEntries(entries.toSpliced(at, 1, [name, at < entries.length ? change(inner, random) : inner]))
}

const cases = [...makeCases()]
const what = ({ seed, source, form }: Case) => `FC_SEED=${seed}, ${JSON.stringify(form)}\n${source}`

describe(`of grammars made at random (FC_SEED=${FIRST})`, () => {
  test('all that shapes say is seen: both of optional fields, each member of a union, each variant, the shortest lists', () => {
    for (const one of cases) expect(one.coverage.missing, what(one)).toEqual([])
    expect(cases.flatMap(({ values }) => values).length).toBeGreaterThan(isThorough ? GRAMMARS * 5 : 0)
  })

  // The compiler takes longer than all else here.
  test.runIf(isThorough)('values are of their types, and what is changed in them is not', () => {
    const files = new Map<string, string>()
    const wrong = new Set<string>()
    const sources = new Map<string, string>()
    for (const one of cases) {
      const name = `seed-${one.seed}.ts`
      const lines = [...writeTypes(one.grammar, one.form).split('\n'), ' // Made by hand.']
      sources.set(name, what(one))
      for (const { rule, value, expression } of one.values) {
        lines.push(`export const v${lines.length}: Values['${rule}'] = ${expression}`)
        // That fields of these names are not there cannot be said: all objects have them.
        if (/__proto__|constructor/.test(expression)) continue
        for (let i = 0; i < CHANGED; i++) {
          const changed = change(value, one.random)
          if (one.coverage.fitsInAnyOrder(changed, { kind: 'rule', name: rule })) continue
          lines.push(`export const w${lines.length}: Values['${rule}'] = ${write(changed)}`)
          wrong.add(`${name}:${lines.length}`)
        }
      }
      files.set(name, lines.join('\n'))
    }
    const found = checkTypes(files, LIBRARY)
    const unexpected = found.filter((problem) => !wrong.has(problem.replace(/ .*/s, '')))
    const places = new Set(found.map((problem) => problem.replace(/ .*/s, '')))
    const accepted = [...wrong].filter((place) => !places.has(place))
    const show = (place: string) => {
      const [name = '', line = ''] = place.split(/[: ]/)
      return `${place}\n${files.get(name)?.split('\n')[Number(line) - 1]}\n${sources.get(name)}\n${files.get(name)?.split('\n// Trees')[0]}`
    }
    expect(unexpected.slice(0, 1).map(show)).toEqual([])
    expect(accepted.slice(0, 1).map(show)).toEqual([])
    expect(wrong.size).toBeGreaterThan(isThorough ? GRAMMARS * 10 : 0)
  })

  test('values in JSON are as their schemas say, and what is changed in them is not', () => {
    let refused = 0
    for (const one of cases) {
      const ajv = new Ajv2020({ ownProperties: true, formats: { 'date-time': true }, strict: true, strictTypes: false })
      const schemas = new Map(
        [...new Set(one.values.map(({ rule }) => rule))].map((rule) => [
          rule,
          ajv.compile(makeSchema(one.grammar, rule, one.form)),
        ]),
      )
      for (const { rule, value, expression } of one.values) {
        // Ajv knows no property of this name.
        if (expression.includes('__proto__')) continue
        const validate = schemas.get(rule)
        const toJson = (given: unknown) => JSON.parse(JSON.stringify(given) ?? 'null')
        expect(
          validate?.(toJson(value)),
          `${what(one)}\n${rule}: ${write(value)}\n${JSON.stringify(validate?.errors)}`,
        ).toBe(true)
        if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) continue
        expect(validate?.({ ...toJson(value), zz: 1 }), what(one)).toBe(false)
        refused++
      }
    }
    // Of few grammars, it may be that nearly none gives objects.
    expect(refused).toBeGreaterThan(isThorough ? GRAMMARS : 0)
  })
})
