// A grammar, ready to parse with.

import type { Items } from '../async/items.ts'
import { explainFailure } from '../machine/failure/failure.ts'
import type { Program } from '../machine/program/program.ts'
import type { EngineName } from '../machine/run/engine.ts'
import { DEFAULT_LIMITS, LIMIT_FACTORS, type MachineLimits } from '../machine/run/limits.ts'
import type { Machine, Outcome } from '../machine/run/machine.ts'
import { acquireMachine, releaseMachine } from '../machine/run/pool.ts'
import { nodesOf, type SyntaxNode } from '../machine/tree/syntax-node.ts'
import { type Parts, takeParts } from '../machine/tree/tape.ts'
import { TextPosition } from '../machine/tree/text-position.ts'
import { type TextOrBytes, toBytes } from '../stream/chunk-encoder.ts'
import type { Cursor } from '../stream/cursor.ts'
import { makeChunkError, withCode } from '../stream/errors.ts'
import { InputLimit } from '../stream/input-limit.ts'
import { type LimitOptions, type OptionKinds, readLimits, requireOptions } from '../stream/options.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import { INSPECT, type InspectArguments, show } from '../text/inspection.ts'
import { type Compilation, compile, type Purpose } from './assembly/compile.ts'
import { check } from './checks/index.ts'
import { findHeldInput } from './held-input.ts'
import { readNodes } from './node-stream.ts'
import { findRepeatedBeginnings } from './repeated-beginning.ts'
import { GrammarError, type Problem, type ProblemList } from './syntax/errors.ts'
import type { Rule } from './syntax/expression.ts'
import { type Dialect, type GrammarText, parseGrammar } from './syntax/syntax.ts'
import { writeTypings } from './typings.ts'

/** Options for reading a grammar. */
export interface GrammarOptions {
  /**
   * `bnf-parser` (the default) reads sequence and choice from left to right with equal precedence; in `xylem`, sequence binds more tightly
   * than choice.
   */
  dialect?: Dialect
}

/** Options for parsing. */
export interface RunOptions {
  /** The rule to start with (default: `program`). */
  entry?: string | undefined
  /** Whether to allow more input after what the entry rule matches (default: false). */
  partial?: boolean | undefined
  limits?: LimitOptions<MachineLimits> | undefined
  /** The engine to use (default: the fastest available). */
  engine?: EngineName | undefined
}

/** How to check a source. */
export interface CheckOptions extends RunOptions {
  /** Stops reading when it aborts: pending reads throw the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** Options for streaming. */
export interface StreamOptions extends CheckOptions {
  /** The rule or rules whose nodes are delivered (default: the entry rule). */
  emit?: string | readonly string[] | undefined
  /** Which of nested matches to deliver (default: `outermost`). */
  nested?: 'outermost' | 'innermost' | undefined
}

const encoder = new TextEncoder()
/** Half of a pair, and half of one that lacks the other half, which is encoded as U+FFFD. The first is found five times faster. */
const SURROGATE = /[\ud800-\udfff]/
const LONE_SURROGATE = /\p{Surrogate}/u
const RUN_OPTIONS: OptionKinds<RunOptions> = {
  entry: 'string',
  partial: 'boolean',
  limits: 'object',
  engine: ['wasm', 'plain'],
}
const CHECK_OPTIONS: OptionKinds<CheckOptions> = { ...RUN_OPTIONS, signal: 'signal' }
const STREAM_OPTIONS: OptionKinds<StreamOptions> = {
  ...CHECK_OPTIONS,
  emit: 'any',
  nested: ['outermost', 'innermost'],
}
const GRAMMAR_OPTIONS: OptionKinds<GrammarOptions> = { dialect: ['bnf-parser', 'xylem'] }

/** A checked grammar. It can be used for any number of parses, also in parallel. */
export class Grammar {
  /** The rules in the order of the text. */
  readonly rules: readonly Rule[]
  readonly #found: ProblemList
  #warnings: readonly Problem[] | undefined
  readonly #rules: ReadonlyMap<string, Rule>
  readonly #compilations = new Map<string, Compilation>()

  private constructor({ rules, found }: GrammarText) {
    this.rules = rules
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]))
    this.#found = found
  }

  /** Warnings about legal but probably unintended rules, in the order of the text: at most 1,000. Computed on access. */
  get warnings(): readonly Problem[] {
    this.#warnings ??= this.#findWarnings()
    return this.#warnings
  }

  /** Reads and checks a grammar. Throws a `GrammarError` that lists all problems. */
  static from(text: string, options: GrammarOptions = {}): Grammar {
    if (typeof text !== 'string') {
      throw withCode(new TypeError(`a grammar must be a string, not ${typeof text}`), 'invalid-option')
    }
    requireOptions(options, GRAMMAR_OPTIONS)
    const { dialect = 'bnf-parser' } = options
    const grammar = parseGrammar(text, dialect)
    const { found, lastLine } = grammar
    if (found.errorCount === 0) check(grammar, dialect)
    const { problems, errorCount } = found
    if (errorCount > 0) throw new GrammarError({ problems, errorCount, lastLine })
    return new Grammar(grammar)
  }

  /**
   * The tree of an input. Bytes are UTF-8, and must not change as long as the tree is used.
   *
   * Throws a `ParseError` if the input does not match, or continues after the entry without `partial`; a `LimitError`; a `RangeError` with
   * the code `unknown-rule`; a `TypeError` with the code `invalid-chunk` if the input is neither text nor bytes.
   */
  parse(input: TextOrBytes, options: RunOptions = {}): SyntaxNode {
    requireOptions(options, RUN_OPTIONS)
    const entry = this.#requireRule(options.entry ?? 'program')
    const { program } = this.compile({ entry, parts: new Set([entry]), isPartial: options.partial })
    const [parts] = runWhole(program, input, options, (machine, outcome, all) => {
      if (outcome !== 'done') throw explainFailure(machine, outcome)
      return all
    })
    const isText = typeof input === 'string' && !(SURROGATE.test(input) && LONE_SURROGATE.test(input))
    return nodesOf(parts as Parts, program.types, isText ? input : undefined)[0] as SyntaxNode
  }

  /** Whether an input matches. Throws like `parse`, except the `ParseError`. */
  test(input: TextOrBytes, options: RunOptions = {}): boolean {
    requireOptions(options, RUN_OPTIONS)
    const entry = this.#requireRule(options.entry ?? 'program')
    const { program } = this.compile({ entry, parts: new Set(), isPartial: options.partial })
    return runWhole(program, input, options, (_, outcome) => outcome === 'done')
  }

  /**
   * Yields the nodes of one or more rules, each as soon as it is certain, from a source of any length, in the order in which they end.
   *
   * An error is thrown after all nodes before it were delivered. Leaving the loop closes the source. If you pass a cursor, it is not released:
   * afterwards it is directly after the parsed input; after an error or a loop left early, it is after the last delivered node. Lines and
   * columns then count from the initial position of the cursor.
   *
   * Throws a `RangeError` with the code `unknown-rule` for a rule that does not exist, or that cannot occur below the entry.
   */
  stream(source: ByteSource | Cursor, options: StreamOptions = {}): Items<SyntaxNode> {
    requireOptions(options, STREAM_OPTIONS)
    const parts = [options.emit ?? options.entry ?? 'program'].flat()
    if (parts.length === 0) {
      throw withCode(new RangeError('emit names no rule: use check to get no nodes at all'), 'invalid-option')
    }
    return this.#stream(source, options, parts)
  }

  /**
   * Resolves when a source of any length matches. It is read like by `stream`, and no nodes are made. Throws like `stream` and what it returns.
   */
  async check(source: ByteSource | Cursor, options: CheckOptions = {}): Promise<void> {
    requireOptions(options, CHECK_OPTIONS)
    for await (const _ of this.#stream(source, options, []));
  }

  #stream(source: ByteSource | Cursor, options: StreamOptions, emitted: readonly string[]): Items<SyntaxNode> {
    const entry = this.#requireRule(options.entry ?? 'program')
    const parts = emitted.map((rule) => this.#requireRule(rule))
    const { nested, partial } = options
    const { program } = this.compile({ entry, parts: new Set(parts), nested, isPartial: partial })
    for (const rule of new Set(parts)) this.#requireReachable(rule, entry, program.parts, program.types)
    const limits = readLimits(options.limits, DEFAULT_LIMITS, LIMIT_FACTORS)
    return readNodes(source, program, { ...options, limits })
  }

  /** TypeScript declarations of the trees. */
  typings(): string {
    return writeTypings(this.rules)
  }

  /**
   * The program for a purpose; made once.
   *
   * @internal
   */
  compile(purpose: Purpose): Compilation {
    const { entry, parts, nested = 'outermost', isPartial = false } = purpose
    const key = JSON.stringify([entry, [...parts].sort(), nested, isPartial])
    const known = this.#compilations.get(key)
    if (known) return known
    const compilation = compile(this.#rules, purpose)
    this.#compilations.set(key, compilation)
    return compilation
  }

  /** @internal */
  [INSPECT](...how: InspectArguments): string {
    return show('Grammar', '', { rules: this.rules.map(({ name }) => name) }, how)
  }

  #findWarnings(): readonly Problem[] {
    for (const find of [findHeldInput, findRepeatedBeginnings]) {
      for (const warning of find(this)) this.#found.report(warning)
    }
    return this.#found.problems
  }

  #requireRule(name: string): string {
    if (this.#rules.has(name)) return name
    throw withCode(new RangeError(`the grammar has no rule ${JSON.stringify(name)}`), 'unknown-rule')
  }

  #requireReachable(rule: string, entry: string, parts: ReadonlySet<number>, types: readonly string[]): void {
    if ([...parts].some((type) => types[type] === rule)) return
    const message = `${rule} is never a node below ${entry}: no rule refers to it, or only where its nodes are omitted or gathered`
    throw withCode(new RangeError(message), 'unknown-rule')
  }
}

function bytesOf(input: TextOrBytes): Uint8Array {
  const bytes = typeof input === 'string' ? encoder.encode(input) : toBytes(input)
  if (!bytes) throw makeChunkError(input)
  return bytes
}

/** Runs an input that is at hand to its end, or to where it fails: what `finish` makes of the parts. Throws a `LimitError` if it is too long. */
function runWhole<Result>(
  program: Program,
  given: TextOrBytes,
  options: RunOptions,
  finish: (machine: Machine, outcome: Outcome, parts: readonly Parts[]) => Result,
): Result {
  const input = bytesOf(given)
  const limits = readLimits(options.limits, DEFAULT_LIMITS, LIMIT_FACTORS)
  new InputLimit(0, limits.maxInput).admit(input.length)
  const machine = acquireMachine(program, options.engine)
  try {
    machine.begin(program, limits, TextPosition.START, input)
    const parts: Parts[] = []
    let outcome: Outcome = 'input'
    for (let fed = 0; outcome === 'input' || outcome === 'part' || outcome === 'paused'; ) {
      if (outcome === 'input') {
        fed += machine.append(fed === 0 ? input : input.subarray(fed))
        if (fed === input.length) machine.finish()
      }
      outcome = machine.run()
      for (const taken of takeParts(machine)) parts.push(taken)
    }
    return finish(machine, outcome, parts)
  } finally {
    releaseMachine(machine)
  }
}
