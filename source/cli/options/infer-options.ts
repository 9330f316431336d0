// How shapes are inferred from inputs.

import type { OptionEntry } from './option.ts'
import { parseRepeated, parseSize } from './option-values.ts'
import type { XmlCommandOptions } from './xml-options.ts'

export interface InferOptions extends XmlCommandOptions {
  each?: string[]
  sample?: number
  all?: true
  jobs: number
}

export const INFER_OPTIONS: readonly OptionEntry[] = [
  ['--each <path>', 'the elements that are records, instead of those that repeat; repeatable', parseRepeated],
  ['--sample <size>', 'look at so much of all documents together, decompressed (default: 4Mi)', parseSize],
  ['--all', 'look at all of the documents'],
]
