// Conditions on records, as `--where` says them: conditions of the library.

import { kindOf } from '../../record/kinds.ts'
import { type FieldPlan, findFields, type RecordPlan, unknownName } from '../../xml/question/plan.ts'
import type { FieldShape, XmlShape } from '../../xml/question/shape.ts'
import { type FieldCondition, planWhere, splitNames, type WhereConditions } from '../../xml/question/where.ts'
import { UsageError } from '../errors/errors.ts'

/** `name` may be a path with predicates, which have signs of their own. A value in quotes is the text between them. */
const CONDITION =
  /^(?<not>!)?\s*(?<name>(?:\[[^\]]*\]|\{[^}]*\}|[^[\]{}<>=!~])+?)\s*(?:(?<sign>[<>]=?|!=|==?|~)\s*(?:(?<quote>["'])(?<quoted>.*)\k<quote>|(?<value>.*?))\s*)?$/su

/** What each sign asks for. */
const SIGNS: Readonly<Record<string, keyof FieldCondition>> = {
  '=': 'in',
  '==': 'in',
  '!=': 'notIn',
  '<': 'below',
  '<=': 'to',
  '>': 'above',
  '>=': 'from',
  '~': 'matches',
}
const SIGNS_WORDS = 'the signs are =, !=, <, <=, >, >= and ~ for a regular expression'
const EXPECTED = `expected a field, a sign and a value, such as size>10000 (${SIGNS_WORDS}), or a field alone, which must be there, or !field, which must not`

/**
 * All of some conditions; in an array, those for each of some paths, where a condition begins with one of these and a colon (`item: price>10`). Throws like
 * `parseConditions`.
 */
export function parseWhere(
  texts: readonly string[],
  plan: RecordPlan,
  paths: readonly string[],
): WhereConditions | WhereConditions[] {
  const split = texts.map((text) => splitPath(text, paths))
  const ofPath = (one?: string) => split.filter(({ path = one }) => path === one).map(({ condition }) => condition)
  const isOfAll = split.every(({ path }) => path === undefined)
  return isOfAll ? parseConditions(texts, plan) : paths.map((path) => parseConditions(ofPath(path), plan))
}

/** A condition, and the path before it; undefined where it is for all paths. */
function splitPath(text: string, paths: readonly string[]): { path: string | undefined; condition: string } {
  const path = paths.find((one) => text.trimStart().startsWith(`${one}: `))
  return { path, condition: path === undefined ? text : text.trimStart().slice(path.length + 2) }
}

/** All of some conditions. Throws a `UsageError` for one that is not valid, or about a field that there is not. */
export function parseConditions(texts: readonly string[], plan: RecordPlan): WhereConditions {
  const conditions = new Map<string, FieldCondition[]>()
  for (const text of texts) {
    const fail = (what: string) => new UsageError(`--where '${text}': ${what}`)
    const [name, condition] = parseCondition(text, plan, fail)
    try {
      planWhere({ [name]: condition }, plan)
    } catch (error) {
      throw fail((error as Error).message.replace(/^where: /, ''))
    }
    conditions.set(name, [...(conditions.get(name) ?? []), condition])
  }
  return Object.fromEntries(conditions)
}

function parseCondition(
  text: string,
  plan: RecordPlan,
  fail: (what: string) => UsageError,
): [name: string, condition: FieldCondition] {
  const { not, name, sign, quoted, value = '' } = CONDITION.exec(text.trim())?.groups ?? {}
  if (name === undefined || (not && sign)) throw fail(EXPECTED)
  const [{ kind, values }] = splitNames(name, plan).map((one) => {
    return findFields(plan, one, (known) => fail(describeUnknown(one, known))).at(-1)
  }) as [FieldPlan]
  if (sign === undefined) return [name, { present: !not }]
  // Only a comparison for equality can mean the empty text.
  if (quoted === undefined && value === '' && /^[<>~]/.test(sign)) throw fail(EXPECTED)
  // Other languages have signs such as <> and =~, which would compare with a text that begins with the rest of them.
  if (sign !== '~' && /^[<>=~]/.test(value))
    throw fail(
      `unknown sign ${sign}${value.replace(/[^<>=~].*/su, '')}: ${SIGNS_WORDS}; quote a value that begins so: ${name}${sign}"${value}"`,
    )
  if (!values.compared || kind === 'present')
    throw fail(`the values of ${name} cannot be compared; ${name} or !${name} asks whether there is one`)
  const given = quoted ?? value
  const isNumber = kindOf('number').parse(given) !== undefined
  if (kind === 'string' && /^[<>]/.test(sign) && quoted === undefined && isNumber)
    throw fail(`${name} is a text; ask for a number (${name}:number=…), or compare texts (${name}${sign}"${given}")`)
  const asked = SIGNS[sign] as keyof FieldCondition
  if (asked === 'matches') return [name, { matches: given }]
  // Lengths and places are whole numbers, whatever they are made of.
  const { parse, words } = values.of === 'texts' || kind === 'xml' ? values : kindOf('integer')
  const parsed = parse(given)
  if (parsed === undefined) throw fail(`${JSON.stringify(given)} is not ${words}`)
  // The text of a day stands for all of it.
  const compared = parsed instanceof Date ? given : parsed
  return [name, { [asked]: asked === 'in' || asked === 'notIn' ? [compared] : compared }]
}

/** A shape with a hidden field for each path that conditions on elements name. They are compared as numbers or dates if what is greater or less is one. */
export function shapeOfConditions(texts: readonly string[], paths: readonly string[]): XmlShape {
  const shape: Record<string, FieldShape[]> = {}
  for (const text of texts) {
    const { name = '', sign = '', value = '' } = CONDITION.exec(splitPath(text, paths).condition.trim())?.groups ?? {}
    const isOrder = /^[<>]/.test(sign)
    const as = (['number', 'date'] as const).find((kind) => isOrder && kindOf(kind).parse(value) !== undefined)
    for (const path of name.split('|')) if (as || !shape[path]) shape[path] = [{ path, as, hidden: true }]
  }
  return shape
}

/** Fields are named without the brackets of lists. */
function describeUnknown(name: string, known: readonly string[]): string {
  return unknownName('field', name, name.includes('[].') ? [name.replaceAll('[]', '')] : known)
}
