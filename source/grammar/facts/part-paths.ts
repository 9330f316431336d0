// Which parts are delivered: those of rules, or of rules at the end of paths of rules and fields, such as `object.items.element`.

import { withCode } from '../../stream/errors.ts'
import { type Expression, type Field, operandsOf, type Reference, type Rule, walk } from '../syntax/expression.ts'

type Rules = ReadonlyMap<string, Rule>

/** How far paths have come, as bits: one before each segment, and one after each path. Where none is set, no part is looked for. */
export type Place = bigint

/** Between two segments of a path, rules may be left out, and fields may not. Before the first one may be anything. */
export class PartPaths {
  /** Before all paths. */
  readonly start: Place
  readonly #paths: readonly string[]
  /** The bits before segments, by their names. */
  readonly #segments = new Map<string, Place>()
  /** The bits after paths. */
  readonly #ends: readonly Place[]
  /** Those after which there is a part. */
  #reached: Place = 0n

  constructor(paths: Iterable<string>) {
    this.#paths = [...paths]
    let bit = 1n
    let start = 0n
    this.#ends = this.#paths.map((path) => {
      start |= bit
      for (const name of path.split('.')) {
        this.#segments.set(name, (this.#segments.get(name) ?? 0n) | bit)
        bit <<= 1n
      }
      bit <<= 1n
      return bit >> 1n
    })
    this.start = start
  }

  /** A path that no part was found at; undefined if there is none. */
  get missing(): string | undefined {
    return this.#paths.find((_, i) => ((this.#ends[i] as Place) & this.#reached) === 0n)
  }

  /** The place in a rule, and the paths that end with it, as bits. */
  enterRule(place: Place, name: string): { readonly place: Place; readonly ended: Place } {
    const next = this.#pass(place, name)
    const ended = this.#ends.reduce((all, end) => all | (end & next), 0n)
    return { place: place | (next ^ ended), ended }
  }

  /** Notes that there is a part at the end of paths. */
  reach(ended: Place): void {
    this.#reached |= ended
  }

  enterField(place: Place, name: string): Place {
    return place === 0n ? place : this.start | this.#pass(place, name)
  }

  #pass(place: Place, name: string): Place {
    return (place & (this.#segments.get(name) ?? 0n)) << 1n
  }
}

/** The rule that a path ends with. */
export function ruleOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** A path that ends with a rule: for a field at its end, with the rule of its value. Throws a `RangeError` with the code `unknown-rule`. */
export function resolvePath(rules: Rules, path: string): string {
  const last = ruleOf(path)
  if (rules.has(last)) return path
  const all = [...rules.values()].flatMap(({ members }) => [...walk(members)])
  const fields = all.filter((one) => one.kind === 'field' && one.name === last)
  const held = [...new Set(namedIn(fields.flatMap(operandsOf)).map(({ name }) => name))]
  if (held.length === 0) throw unknownRule(rules, last)
  if (held.length === 1) return resolvePath(rules, `${path}.${held[0]}`)
  throw unknown(`write one of the rules of the field ${last} at the end of ${path}`, held)
}

/** The error for a rule that a grammar has not. */
export function unknownRule(rules: Rules, name: string): RangeError {
  return unknown(`the grammar has no rule ${name}`, rules.keys())
}

/** The error for a path that no part is at. `given`: the rules before fields were joined. */
export function unreachedPart(rules: Rules, entry: string, path: string, given: Rules): RangeError {
  const names = path.split('.')
  let found: readonly Named[] = [{ kind: 'reference', name: entry, at: { start: 0, end: 0 } }]
  for (const [i, name] of names.entries()) {
    // Before the first segment may be anything. After it, rules may be left out.
    const below = new Set(i === 0 ? found : found.flatMap((one) => inside(rules, one)))
    for (const one of below) {
      if (i === 0 || one.kind === 'reference') for (const inner of inside(rules, one)) below.add(inner)
    }
    found = [...below].filter((one) => one.name === name)
    if (found.length > 0) continue
    const where = names.slice(0, i).join('.') || entry
    const isJoin = (one: Expression) => one.kind === 'reference' && one.isJoined === true && one.name === name
    const isJoined = [...given.values()].some(({ members }) => [...walk(members)].some(isJoin))
    const how = isJoined ? `:${name} joins its fields to another record` : 'its nodes are omitted or gathered'
    const known = new Set([...below].map((one) => one.name))
    return unknown(`there is no ${name} in ${where}, or only where ${how}`, known)
  }
  const message = `${path} is only in other parts that are delivered, which are complete; deliver it without these, or the innermost parts`
  return withCode(new RangeError(message), 'unknown-rule')
}

type Named = Field | Reference

function inside(rules: Rules, named: Named): Named[] {
  return namedIn(named.kind === 'field' ? [named.operand] : (rules.get(named.name)?.members ?? []))
}

/** The references and the outermost fields in what gives nodes. */
function namedIn(expressions: readonly Expression[]): Named[] {
  return expressions.flatMap((expression): Named[] => {
    switch (expression.kind) {
      case 'field':
      case 'reference':
        return [expression]
      case 'repeat':
        return namedIn([expression.operand])
      case 'group':
      case 'choice':
        return namedIn(operandsOf(expression))
      default:
        return []
    }
  })
}

/** The error for a name that is not among those there are. */
function unknown(message: string, known: Iterable<string>): RangeError {
  return withCode(new RangeError(`${message}; it has ${[...known].join(', ') || 'none'}`), 'unknown-rule')
}
