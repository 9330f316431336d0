/**
 * Grammars, and the trees that they give.
 *
 * @module xylem/grammar
 */

export type { Items } from '../async/items.ts'
export * from '../machine/index.ts'
export type { TextKind } from '../record/kinds.ts'
export { LimitError, SourceError } from '../stream/errors.ts'
export type { ErrorPolicyFor } from '../stream/options.ts'
export { XylemError } from '../stream/xylem-error.ts'
export { ParseError } from '../text/parse-error.ts'
export { makeSchema, type ValueSchema } from './declarations/value-schema.ts'
export { writeTypes } from './declarations/write-types.ts'
export {
  type CheckOptions,
  Grammar,
  type GrammarOptions,
  type RunOptions,
  type StreamOptions,
  type TestOptions,
  type ValueColumnOptions,
  type ValueRunOptions,
  type ValueStreamOptions,
  type ValueWriteOptions,
} from './grammar.ts'
export type {
  DefaultEntry,
  DefaultItem,
  EndOf,
  FormOf,
  GrammarTypes,
  GrammarValue,
  MappedTypes,
  PathTo,
  RuleName,
  RuleTypes,
  TreeOf,
  ValueAction,
  ValueActions,
  ValueFormOptions,
  ValueOf,
} from './grammar-types.ts'
export { GrammarError, type Problem, type ProblemCode, type Replacement } from './syntax/errors.ts'
export type {
  CharacterClass,
  Choice,
  CodePointRange,
  Count,
  Cut,
  Escapes,
  Expression,
  Field,
  Fold,
  Gather,
  Group,
  LabelledFailure,
  Literal,
  Look,
  Not,
  Notation,
  Omit,
  Reference,
  Repeat,
  Rule,
  TextRange,
  Written,
} from './syntax/expression.ts'
export type { Dialect } from './syntax/syntax.ts'
