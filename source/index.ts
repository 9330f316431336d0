/**
 * Everything that runs in browsers as well as in Node: all modules except `xylem/node`.
 *
 * @module xylem
 */

export * from './compression/index.ts'
// The types of the parts of a grammar have short names, and stay in xylem/grammar.
export {
  type CheckOptions,
  type Dialect,
  type EngineName,
  Grammar,
  GrammarError,
  type GrammarOptions,
  type MachineLimits,
  type Problem,
  type ProblemCode,
  type RunOptions,
  type StreamOptions,
  SyntaxNode,
  type TestOptions,
} from './grammar/index.ts'
export * from './mediawiki/index.ts'
export * from './stream/index.ts'
export * from './text/index.ts'
export * from './worker/index.ts'
export * from './xml/index.ts'
