// Options for limits. Their defaults are those of the library; they stand here as words, so that help loads nothing of it.

import type { XmlLimits } from '../../xml/options.ts'
import type { OptionEntry } from './option.ts'
import { parseCount, parsePositive, parseSize, parseSizeOrNone } from './option-values.ts'

/** How large the complete input may be. */
export const MAX_INPUT = [
  '--max-input <bytes>',
  'read at most N bytes of each input, decompressed, such as 500M or 2Gi (default: no limit)',
  parseSize,
] as const satisfies OptionEntry
/** How large a revision may be, or anything else that is held complete. */
export const MAX_RETAINED = [
  '--max-retained <bytes>',
  'keep at most N bytes of input in memory (default: 256 MiB)',
  parseSize,
] as const satisfies OptionEntry

/** The limits that documents can exceed where nothing outside of them is read. */
export const XML_LIMITS = {
  maxDepth: ['--max-depth <n>', 'allow at most N elements inside each other (default: 1,000,000)', parsePositive],
  maxInput: MAX_INPUT,
  maxRetained: MAX_RETAINED,
  maxNames: [
    '--max-names <n>',
    'allow at most N different names of elements and attributes (default: 1,000,000)',
    parsePositive,
  ],
  maxNodes: [
    '--max-nodes <n>',
    'allow at most N names, values and references in one start tag or text (default: 67,108,864)',
    parsePositive,
  ],
  maxAmplification: [
    '--max-amplification <n>',
    'allow entities and attribute defaults to produce N times the size of the input (default: 100)',
    parseCount,
  ],
  freeExpansion: [
    '--free-expansion <units>',
    'always allow them to produce N UTF-16 units of text (default: 8,388,608)',
    parseSizeOrNone,
  ],
} as const satisfies Partial<Record<keyof XmlLimits, OptionEntry>>

/** The limits that parses by a grammar can exceed. */
export const PARSE_LIMITS = {
  maxInput: MAX_INPUT,
  maxRetained: MAX_RETAINED,
  maxDepth: [
    '--max-depth <n>',
    'allow at most N open rules, brackets and rewind points (default: 1,000,000)',
    parsePositive,
  ],
  maxNodes: ['--max-nodes <n>', 'keep at most N nodes in memory (default: 67,108,864)', parsePositive],
  maxRewound: [
    '--max-rewound <n>',
    'read again at most N times the length of the input (default: 1,000)',
    parsePositive,
  ],
  freeRewound: ['--free-rewound <bytes>', 'always allow N bytes to be read again (default: 16 MiB)', parseSizeOrNone],
} as const satisfies Partial<Record<keyof XmlLimits, OptionEntry>>
