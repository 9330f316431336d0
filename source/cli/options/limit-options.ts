// Options for limits. Their defaults are those of the library; they stand here as words, so that help loads nothing of it.

import { type Command, Option } from 'commander'
import type { XmlLimits } from '../../xml/options.ts'
import { parseCount, parsePositive, parseSize, parseSizeOrNone } from './option-values.ts'

/** What a limit is of: an option of the command line for each option of the library. */
interface LimitOption {
  readonly flags: string
  readonly description: string
  /** The default, as people write it. */
  readonly default: string
  /** How it is read. */
  readonly parse: (text: string) => number
}

/** The limits that all commands have. */
const MAX_INPUT: LimitOption = {
  flags: '--max-input <bytes>',
  description: 'read at most N bytes of each input, decompressed, such as 500M or 2Gi',
  default: 'no limit',
  parse: parseSize,
}
const MAX_RETAINED: LimitOption = {
  flags: '--max-retained <bytes>',
  description: 'keep at most N bytes of input in memory',
  default: '256 MiB',
  parse: parseSize,
}

/** The limits that documents can exceed where nothing outside of them is read. */
export const XML_LIMITS = {
  maxDepth: {
    flags: '--max-depth <n>',
    description: 'allow at most N elements inside each other',
    default: '1,000,000',
    parse: parsePositive,
  },
  maxInput: MAX_INPUT,
  maxRetained: MAX_RETAINED,
  maxNames: {
    flags: '--max-names <n>',
    description: 'allow at most N different names of elements and attributes',
    default: '1,000,000',
    parse: parsePositive,
  },
  maxNodes: {
    flags: '--max-nodes <n>',
    description: 'allow at most N names, values and references in one start tag or text',
    default: '67,108,864',
    parse: parsePositive,
  },
  maxAmplification: {
    flags: '--max-amplification <n>',
    description: 'allow entities and attribute defaults to produce N times the size of the input',
    default: '100',
    parse: parseCount,
  },
  freeExpansion: {
    flags: '--free-expansion <units>',
    description: 'always allow them to produce N UTF-16 units of text',
    default: '8,388,608',
    parse: parseSizeOrNone,
  },
} as const satisfies Partial<Record<keyof XmlLimits, LimitOption>>

/** The limits that parses by a grammar can exceed. */
export const PARSE_LIMITS = {
  maxInput: MAX_INPUT,
  maxRetained: MAX_RETAINED,
  maxDepth: {
    flags: '--max-depth <n>',
    description: 'allow at most N open rules, brackets and rewind points',
    default: '1,000,000',
    parse: parsePositive,
  },
  maxNodes: {
    flags: '--max-nodes <n>',
    description: 'keep at most N nodes in memory',
    default: '67,108,864',
    parse: parsePositive,
  },
  maxRewound: {
    flags: '--max-rewound <n>',
    description: 'read again at most N times the length of the input',
    default: '1,000',
    parse: parsePositive,
  },
  freeRewound: {
    flags: '--free-rewound <bytes>',
    description: 'always allow N bytes to be read again',
    default: '16 MiB',
    parse: parseSizeOrNone,
  },
} as const satisfies Partial<Record<keyof XmlLimits, LimitOption>>

type Limits = typeof XML_LIMITS | typeof PARSE_LIMITS

/** What the options of some limits are read as. */
export type LimitValues<Some extends Limits> = { [Name in keyof Some]?: number }

/** Adds options for limits. */
export function addLimits(command: Command, limits: Limits): Command {
  for (const limit of Object.values(limits)) command.addOption(makeLimit(limit))
  return command
}

/** How large the complete input may be. */
export function makeMaxInput(): Option {
  return makeLimit(MAX_INPUT)
}

/** How large a revision may be, or whatever else is held as a whole. */
export function makeMaxRetained(): Option {
  return makeLimit(MAX_RETAINED)
}

function makeLimit(limit: LimitOption): Option {
  const option = new Option(limit.flags, `${limit.description} (default: ${limit.default})`)
  return option.argParser(limit.parse)
}
