// How much a machine may take, and the errors for what takes more.

import { LimitError } from '../../stream/errors.ts'
import type { Program } from '../program/program.ts'
import { ENTRY_SIZE, NAME_SIZE, RECORD_SIZE, SYMBOL_SIZE } from '../program/registers.ts'
import type { RegionName } from './memory.ts'

/** Limits for a parse; Infinity for no limit. Exceeding one throws a `LimitError` with a code of its own. */
export interface MachineLimits {
  /** Bytes of the complete input (after decompression, where the source decompresses it); by default there is no limit. */
  readonly maxInput: number
  /** Bytes of input that may be retained at once: the largest part, or the largest span that might be read again. Never more than 2 GiB. */
  readonly maxRetained: number
  /** Rules, brackets and rewind points that may be open at once; in XML, elements. */
  readonly maxDepth: number
  /** Nodes that may be recorded at once: of the largest tree, or of the parts that are not yet delivered. Never more than 2^27. */
  readonly maxNodes: number
  /** Different names that may be known. */
  readonly maxNames: number
  /**
   * How many times the length of the input may be read again, when options fail and others are tried. Each time counts as 8 bytes more
   * than what is read again.
   */
  readonly maxRewound: number
  /** Bytes that may always be read again, however short the input is. */
  readonly freeRewound: number
}

export const DEFAULT_LIMITS: MachineLimits = {
  maxInput: Number.POSITIVE_INFINITY,
  maxRetained: 256 * 1024 * 1024,
  maxDepth: 1_000_000,
  maxNodes: 64 * 1024 * 1024,
  maxNames: 1_000_000,
  maxRewound: 1000,
  freeRewound: 16 * 1024 * 1024,
}

/** Limits that are factors of something, and so need not be whole numbers. */
export const LIMIT_FACTORS: readonly (keyof MachineLimits)[] = ['maxRewound']

/** Bytes of the largest region: distances in it are signed numbers of 32 bits. */
export const LARGEST_REGION = 2 ** 31 - 2 ** 16

/** More rules than this a message does not name. */
const MOST_NAMED = 5

/** What there can be too much of. */
export interface Excess {
  readonly code: LimitError['code']
  /** The option that bounds it. */
  readonly option: keyof MachineLimits
  /** Where it is kept, and bytes that each takes there. */
  readonly region: RegionName
  readonly size: number
  /** What a message says there is more of than may be. */
  readonly message: (limit: number) => string
}

export const EXCESS = {
  rules: {
    code: 'depth-limit',
    option: 'maxDepth',
    region: 'stack',
    size: ENTRY_SIZE,
    message: (limit) => `more than ${limit} rules, brackets and rewind points are open`,
  },
  names: {
    code: 'depth-limit',
    option: 'maxDepth',
    region: 'symbols',
    size: SYMBOL_SIZE,
    message: (limit) => `more than ${limit} names are open`,
  },
  nodes: {
    code: 'node-limit',
    option: 'maxNodes',
    region: 'tape',
    size: RECORD_SIZE,
    message: (limit) => `more than ${limit} nodes are recorded`,
  },
  symbols: {
    code: 'name-limit',
    option: 'maxNames',
    region: 'names',
    size: NAME_SIZE,
    message: (limit) => `there are more than ${limit} different names`,
  },
} as const satisfies Record<string, Excess>

/** The error for too much of something. `limit` is what may be: less than the option says where there can be no more. */
export function makeExcessError(excess: Excess, limit: number, byteOffset: number, limits: MachineLimits): LimitError {
  const { code, option, message } = excess
  const advice = limit < limits[option] ? 'the limit cannot be raised further' : `${option} raises the limit`
  return new LimitError(`${message(limit)} at byte ${byteOffset}: ${advice}`, { code, byteOffset, limit })
}

/** The error for input that is read again too often, from an offset on; `rules` are those that read it, the worst first. */
export function makeRewoundError(byteOffset: number, rules: readonly string[], limits: MachineLimits): LimitError {
  const { maxRewound, freeRewound } = limits
  const message =
    `the input from byte ${byteOffset} is read again too often, by ${list(rules)}: in total more than ${maxRewound} times the input ` +
    `(maxRewound) and ${freeRewound} bytes (freeRewound); factor out what their options have in common`
  return new LimitError(message, { code: 'rewind-limit', byteOffset, limit: maxRewound, rules })
}

/** The rules that may still go back to one of these instructions, those that may most often first. */
export function findRewindingRules({ notes, code }: Program, rewindTargets: readonly number[]): string[] {
  const targets = new Map<number, number>()
  for (const target of rewindTargets) targets.set(target, (targets.get(target) ?? 0) + 1)
  const counts = new Map<string, number>()
  for (const [target, count] of targets) {
    // What is tried next says in which rule that is: the first instruction from there on that has a note.
    let at = target
    while (at < code.length && !notes.get(at)?.rules.length) at++
    const rule = notes.get(at)?.rules.at(-1)
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + count)
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([rule]) => rule)
}

function list(rules: readonly string[]): string {
  const shown = rules.length > MOST_NAMED ? [...rules.slice(0, MOST_NAMED), 'others'] : rules
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** How much input is retained, and why. */
export interface Retention {
  readonly byteOffset: number
  /** Offset from which on it is retained, and how much that is. */
  readonly retainedFrom: number
  readonly retained: number
  readonly requested: number
  /** What is open there, as a message would say it. */
  readonly holder: string
}

/** The error for too much input that is retained. */
export function makeRetainedError({ holder, ...details }: Retention, { maxRetained }: MachineLimits): LimitError {
  const limit = Math.min(maxRetained, LARGEST_REGION)
  const advice = limit < maxRetained ? 'the limit cannot be raised further' : 'maxRetained raises the limit'
  const message =
    `${details.retained} bytes are retained from byte ${details.retainedFrom}, for ${holder} there: ` +
    `the limit of ${limit} bytes (maxRetained) is reached; ${advice}`
  return new LimitError(message, { code: 'retained-limit', limit, ...details })
}
