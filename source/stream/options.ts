// Checking what callers pass as options, in the same way in all layers.

import { describeValue, withCode } from './errors.ts'
import { findNearest } from './nearest.ts'

const KINDS = {
  boolean: { words: 'true or false', test: (value: unknown) => typeof value === 'boolean' },
  string: { words: 'a string', test: (value: unknown) => typeof value === 'string' },
  function: { words: 'a function', test: (value: unknown) => typeof value === 'function' },
  strings: { words: 'an array of strings', test: areStrings },
  object: { words: 'an object', test: isObject },
  signal: {
    words: 'an AbortSignal',
    test: (value: unknown) => typeof (value as AbortSignal | undefined)?.throwIfAborted === 'function',
  },
  /** Other code checks it, and says more than its kind. */
  any: { words: 'anything', test: () => true },
} as const

/** What an option must be: of a kind, or one of several words. */
export type OptionKind = keyof typeof KINDS | readonly string[]

/** Of each option what it must be. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind>>

/**
 * Throws a `TypeError` with the code `invalid-option` for what is not an object, for an option that does not exist, and for one of the wrong
 * kind. Options that are undefined are those that are left out.
 */
export function requireOptions<Options extends object>(options: unknown, kinds: OptionKinds<Options>): void {
  if (!isObject(options)) throw invalidOption(`options must be an object, not ${describeValue(options)}`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) throw unknownName('option', name, Object.keys(kinds))
    const kind = kinds[name as keyof Options]
    if (value === undefined || isOfKind(value, kind)) continue
    throw invalidOption(`${name} must be ${wordsOf(kind)}, not ${describeValue(value)}`)
  }
}

/** What to do at an error in the input: stop, or skip what it is in. A function is called with each error, and what it is in is skipped; to stop, it throws. */
export type ErrorPolicyFor<Found> = 'stop' | 'skip' | ((error: Found) => void)

/** What errors are given to, after which reading continues; undefined where reading stops. Throws a `TypeError` with the code `invalid-option`. */
export function readErrorPolicy<Found>(onError: ErrorPolicyFor<Found> = 'stop'): ((error: Found) => void) | undefined {
  if (onError === 'stop') return undefined
  if (onError === 'skip') return () => {}
  if (typeof onError === 'function') return onError
  throw invalidOption(`onError must be stop, skip or a function, not ${describeValue(onError)}`)
}

/** Limits as options have them: any of them may be left out or undefined, and then has its default. */
export type LimitOptions<Limits> = { readonly [Name in keyof Limits]?: Limits[Name] | undefined }

/**
 * Limits with the defaults of those that are left out. Throws a `TypeError` with the code `invalid-option` for a limit that does not exist or
 * is not a number, and a `RangeError` with this code for a negative number. Limits count something, so fractions are dropped, except for those that are `factors`.
 */
export function readLimits<Limits extends { readonly [Name in keyof Limits]: number }>(
  given: unknown,
  defaults: Limits,
  factors: readonly (keyof Limits)[] = [],
): Limits {
  if (given === undefined) return defaults
  if (!isObject(given)) throw invalidOption(`limits must be an object, not ${describeValue(given)}`)
  const limits: Record<string, number> = { ...defaults }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) throw unknownName('limit', name, Object.keys(defaults))
    if (value === undefined) continue
    const limit = requireNumber(name, value, 0)
    limits[name] = factors.includes(name as keyof Limits) ? limit : Math.floor(limit)
  }
  return limits as unknown as Limits
}

/** The number. Throws a `TypeError` or a `RangeError` with the code `invalid-option` for what is not a number from `least` on. */
export function requireNumber(name: string, value: unknown, least: number): number {
  const message = `${name} must be a number of at least ${least}, not ${describeValue(value)}`
  if (typeof value !== 'number') throw invalidOption(message)
  if (!(value >= least)) throw withCode(new RangeError(message), 'invalid-option')
  return value
}

/**
 * A filter of a user as one that answers true or false. What it returns counts as it does for `Array.filter`, so undefined refuses. A promise would
 * accept everything: for that, the filter throws a `TypeError` with the code `invalid-option`.
 * What is not a function is refused in the same way.
 */
export function decider<Item>(name: string, filter: (item: Item) => unknown): (item: Item) => boolean {
  if (typeof filter !== 'function') throw invalidOption(`${name} must be a function, not ${describeValue(filter)}`)
  return (item) => {
    const answer = filter(item)
    if (typeof answer !== 'object' || answer === null || !('then' in answer)) return Boolean(answer)
    // Nobody waits for it: if it rejects, that must not end the process.
    Promise.resolve(answer).catch(() => {})
    throw invalidOption(`${name} must return true or false, not a promise`)
  }
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfKind(value: unknown, kind: OptionKind): boolean {
  return typeof kind === 'string' ? KINDS[kind].test(value) : kind.includes(value as string)
}

function wordsOf(kind: OptionKind): string {
  return typeof kind === 'string' ? KINDS[kind].words : kind.join(' or ')
}

/** The error for a name that is none of those that exist. */
export function unknownName(what: string, name: string, names: readonly string[]): TypeError {
  const nearest = findNearest(name, names)
  const advice = nearest === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${nearest}?`
  return invalidOption(`unknown ${what} ${name}: ${advice}`)
}

function invalidOption(message: string): TypeError {
  return withCode(new TypeError(message), 'invalid-option')
}
