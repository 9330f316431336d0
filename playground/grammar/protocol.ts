// What the page and the worker of this view say to each other. All of it is plain data.

import type { Dialect, Problem, Rule } from 'xylem/grammar'
import type { Verdict } from './rules/streaming-verdict.ts'
import type { FlatTree } from './tree/flat-tree.ts'

/** From the page to the worker: read the grammar, and parse the input with it. A later request replaces it. */
export interface GrammarRequest {
  /** Answers have the same number. */
  readonly number: number
  readonly grammar: string
  readonly dialect: Dialect
  readonly entry: string
  readonly input: string
}

/** Why an input gives no tree. */
export interface ParseFailure {
  /** What kind of failure: the input does not match; a limit was passed; anything else. */
  readonly kind: 'input' | 'limit' | 'other'
  readonly message: string
  /** Indices in UTF-16 units; undefined where the failure has no place. */
  readonly index: number | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  readonly byteOffset: number | undefined
  readonly excerpt: string | undefined
  readonly expected: readonly string[]
  /** The innermost of the rules that were open there, the outermost of them first. */
  readonly rules: readonly string[]
  /** How many more were open around them. */
  readonly rulesAround: number
}

/** From the worker to the page. */
export type GrammarAnswer =
  /** The grammar cannot be used. */
  | {
      readonly type: 'problems'
      readonly number: number
      readonly problems: readonly Problem[]
      readonly errorCount: number
    }
  /** The grammar can be used. The entry is the one that was asked for, or, if there is none of this name, `program` or the first rule. */
  | { readonly type: 'rules'; readonly number: number; readonly rules: readonly Rule[]; readonly entry: string }
  | {
      readonly type: 'tree'
      readonly number: number
      readonly tree: FlatTree
      readonly milliseconds: number
      /** Whether the time includes compiling the grammar for this entry. */
      readonly isFirst: boolean
    }
  /** The value, after the tree, where the grammar has fields: as JSON, of which the end may be missing; or why there is none. */
  | {
      readonly type: 'value'
      readonly number: number
      readonly text: string
      readonly isCut: boolean
      readonly isError: boolean
    }
  | { readonly type: 'failure'; readonly number: number; readonly failure: ParseFailure }
  | { readonly type: 'warnings'; readonly number: number; readonly warnings: readonly Problem[] }
  | { readonly type: 'verdicts'; readonly number: number; readonly verdicts: readonly Verdict[] }
  /** Nothing more comes. `isComplete`: all rules have their verdict. */
  | { readonly type: 'done'; readonly number: number; readonly isComplete: boolean }
