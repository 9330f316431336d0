// A grammar, ready to parse with.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import type { Items } from '../async/items.ts'
import { LazyModule } from '../async/lazy-module.ts'
import { explainFailure } from '../machine/failure/failure.ts'
import { Recovery } from '../machine/failure/recovery.ts'
import type { Program } from '../machine/program/program.ts'
import type { EngineName } from '../machine/run/engine.ts'
import { DEFAULT_LIMITS, LIMIT_FACTORS, type MachineLimits } from '../machine/run/limits.ts'
import type { Machine, Outcome } from '../machine/run/machine.ts'
import { acquireMachine, releaseMachine } from '../machine/run/pool.ts'
import { nodesOf, type SyntaxNode } from '../machine/tree/syntax-node.ts'
import type { Parts } from '../machine/tree/tape.ts'
import { TextPosition } from '../machine/tree/text-position.ts'
import type { ColumnBatch } from '../record/format/column.ts'
import type { FormatOptions } from '../record/format/format.ts'
import { FORMAT_OPTION_KINDS, type FormatName } from '../record/format/index.ts'
import { isWellFormed, type TextOrBytes, toBytes } from '../stream/chunk-encoder.ts'
import type { Cursor } from '../stream/cursor.ts'
import { makeChunkError, withCode } from '../stream/errors.ts'
import { InputLimit } from '../stream/input-limit.ts'
import {
  type ErrorPolicyFor,
  type LimitOptions,
  type OptionKinds,
  readErrorPolicy,
  readLimits,
  requireOptions,
} from '../stream/options.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import { INSPECT, type InspectArguments, show } from '../text/inspection.ts'
import type { ParseError } from '../text/parse-error.ts'
import { type Compilation, compile, type Purpose } from './assembly/compile.ts'
import { check, findProgramWarnings } from './checks/index.ts'
import { resolvePath, ruleOf, unknownRule, unreachedPart } from './facts/part-paths.ts'
import type {
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
  ValueActions,
  ValueFormOptions,
  ValueOf,
} from './grammar-types.ts'
import { recognizeNotation } from './notations/recognize.ts'
import { type MakeItems, readParts } from './part-stream.ts'
import { GrammarError, type Problem, type ProblemList } from './syntax/errors.ts'
import { entryOf, namesIn, type Rule } from './syntax/expression.ts'
import { hashGrammar } from './syntax/grammar-hash.ts'
import type { SourceText } from './syntax/source-text.ts'
import { type Dialect, type GrammarText, parseGrammar } from './syntax/syntax.ts'
import type { Actions } from './values/action.ts'
import { type FindRules, InvalidValue, typesAround } from './values/invalid-value.ts'
import { ValueBuilder } from './values/value-builder.ts'
import { type ValueQuestion, ValueQuestions } from './values/value-questions.ts'
import type { ValueShapes } from './values/value-shapes.ts'

/** Options for reading a grammar. */
export interface GrammarOptions<Types extends RuleTypes = RuleTypes> {
  /** In `xylem` (the default), a sequence binds stronger than a choice; `bnf-parser` reads both from left to right with equal precedence. */
  dialect?: Dialect | undefined
  /**
   * What `xylem types` has written for this grammar (default: nothing): with it, values and trees have types, and the module says how values are made. If the grammar
   * has changed since, a `GrammarError` with the problem `stale-types` is thrown.
   */
  types?: GrammarTypes<Types> | undefined
}

/** Options for parsing. */
export interface RunOptions<Entry extends string = string> {
  /** The rule to start with (default: that of {@link Grammar.entry}). */
  entry?: Entry | undefined
  /** Whether to allow more input after what the entry rule matches (default: false). */
  partial?: boolean | undefined
  limits?: LimitOptions<MachineLimits> | undefined
  /** The engine to use (default: the fastest available). */
  engine?: EngineName | undefined
  /**
   * What to do at an error in a round of a repetition that calls a rule with `~>` (default: `stop`, which throws it). With `skip`, the round is dropped, and reading continues with
   * the next one. A function is called with each error, and the round is dropped; to stop, it throws.
   */
  onError?: ErrorPolicyFor<ParseError> | undefined
}

/** Options for testing whether an input matches. */
export type TestOptions = Omit<RunOptions, 'onError'>

/** How to check a source. */
export interface CheckOptions<Entry extends string = string> extends RunOptions<Entry> {
  /** Stops reading when it aborts: pending reads throw the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** Options for streaming. */
export interface StreamOptions<Entry extends string = string, Item extends string = string>
  extends CheckOptions<Entry> {
  /** The rule or rules whose nodes are delivered (default: the entry rule), also by paths of rules and fields, such as `object.items.element`. */
  emit?: Item | readonly Item[] | undefined
  /** Which of nested matches to deliver (default: `outermost`). */
  nested?: 'outermost' | 'innermost' | undefined
}

/** Options for making the value of an input. */
export interface ValueRunOptions extends RunOptions, ValueFormOptions {}

/** Options for streaming values. */
export interface ValueStreamOptions extends StreamOptions, ValueFormOptions {}

/** Options for writing values. */
export interface ValueWriteOptions extends ValueStreamOptions, FormatOptions {
  /** The format (default: `jsonl`). */
  format?: FormatName | undefined
  /** Which fields of the records are written, in this order; `name.inner` is a field of a record in a field (default: all). */
  fields?: readonly string[] | undefined
}

/** Options for columns of values. */
export interface ValueColumnOptions extends ValueStreamOptions {
  /** As in {@link ValueWriteOptions}. */
  fields?: readonly string[] | undefined
  /** The largest number of values in a batch (default: 65,536). */
  rows?: number | undefined
}

/** What writes values. */
const writing = new LazyModule(() => import('./values/written-values.ts'))
const encoder = new TextEncoder()
const TEST_OPTIONS: OptionKinds<TestOptions> = {
  entry: 'string',
  partial: 'boolean',
  limits: 'object',
  engine: ['wasm', 'plain'],
}
const RUN_OPTIONS: OptionKinds<RunOptions> = { ...TEST_OPTIONS, onError: 'any' }
const CHECK_OPTIONS: OptionKinds<CheckOptions> = { ...RUN_OPTIONS, signal: 'signal' }
const STREAM_OPTIONS: OptionKinds<StreamOptions> = {
  ...CHECK_OPTIONS,
  emit: 'any',
  nested: ['outermost', 'innermost'],
}
const VALUE_OPTIONS: OptionKinds<ValueFormOptions> = {
  type: 'boolean',
  positions: 'boolean',
  lenient: 'boolean',
  as: 'object',
}
const VALUE_RUN_OPTIONS: OptionKinds<ValueRunOptions> = { ...RUN_OPTIONS, ...VALUE_OPTIONS }
const VALUE_STREAM_OPTIONS: OptionKinds<ValueStreamOptions> = { ...STREAM_OPTIONS, ...VALUE_OPTIONS }
const VALUE_WRITE_OPTIONS: OptionKinds<ValueWriteOptions> = {
  ...VALUE_STREAM_OPTIONS,
  format: 'any',
  fields: 'any',
  ...FORMAT_OPTION_KINDS,
}
const VALUE_COLUMN_OPTIONS: OptionKinds<ValueColumnOptions> = { ...VALUE_STREAM_OPTIONS, fields: 'any', rows: 'any' }
const GRAMMAR_OPTIONS: OptionKinds<GrammarOptions> = { dialect: ['bnf-parser', 'xylem'], types: 'object' }
const TYPES_OPTIONS: OptionKinds<GrammarTypes> = { ...VALUE_OPTIONS, hash: 'string', of: 'any' }

/** A checked grammar. It can be used for any number of parses, also in parallel. `Types` are those that `xylem types` writes. */
export class Grammar<Types extends RuleTypes = RuleTypes> {
  /** The rules in the order of the text. */
  readonly rules: readonly Rule[]
  /** The name of the rule that inputs are read by if nothing else is said: `program`, or the first if there is no such rule. */
  readonly entry: string
  /** @internal */
  readonly source: SourceText
  readonly #found: ProblemList
  #warnings: readonly Problem[] | undefined
  readonly #rules: ReadonlyMap<string, Rule>
  readonly #compilations = new Map<string, Compilation>()
  readonly #questions: ValueQuestions
  /** How values are made, if types say it. */
  readonly #form: ValueFormOptions | undefined
  readonly #text: GrammarText
  readonly #actions: Actions

  private constructor(text = {} as GrammarText, form: ValueFormOptions | undefined, actions: Actions = {}) {
    const { rules, source, found } = text
    if (!rules) throw withCode(new TypeError('make a grammar with Grammar.from(text), not with new'), 'invalid-option')
    this.#text = text
    this.#form = form
    this.#actions = actions
    this.rules = rules
    this.entry = entryOf(rules)
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]))
    this.#questions = new ValueQuestions(this.#rules, source, Object.keys(actions))
    this.source = source
    this.#found = found
  }

  /** Warnings about legal but probably unintended rules, in the order of the text: at most 1,000. Computed on access. */
  get warnings(): readonly Problem[] {
    if (this.#warnings) return this.#warnings
    for (const warning of findProgramWarnings(this)) this.#found.report(warning)
    this.#warnings = this.#found.problems
    return this.#warnings
  }

  /**
   * Those that are found without compiling the grammar.
   *
   * @internal
   */
  get earlyWarnings(): readonly Problem[] {
    return this.#found.problems
  }

  /** Reads and checks a grammar. Throws a `GrammarError` that lists all problems. */
  static from<Types extends RuleTypes = RuleTypes>(text: string, options: GrammarOptions<Types> = {}): Grammar<Types> {
    if (typeof text !== 'string') {
      throw withCode(new TypeError(`a grammar must be a string, not ${typeof text}`), 'invalid-option')
    }
    requireOptions(options, GRAMMAR_OPTIONS)
    const { dialect, types } = options
    const read = dialect ?? 'xylem'
    if (types) requireOptions(types, TYPES_OPTIONS)
    const grammar = parseGrammar(text, read)
    const { found, lastLine } = grammar
    const otherNotation = found.errorCount > 0 ? recognizeNotation(grammar, read) : undefined
    if (otherNotation) throw new GrammarError({ problems: [otherNotation], errorCount: 1 })
    if (found.errorCount === 0) check(grammar, dialect)
    if (found.errorCount === 0 && types && types.hash !== hashGrammar(grammar.rules)) reportStale(grammar)
    const { problems, errorCount } = found
    if (errorCount > 0) throw new GrammarError({ problems, errorCount, lastLine })
    return new Grammar<Types>(grammar, types)
  }

  /**
   * The tree of an input. Bytes are UTF-8, and must not change as long as the tree is used.
   *
   * Throws a `ParseError` if the input does not match, or continues after the entry without `partial`; a `LimitError`; a `RangeError` with
   * the code `unknown-rule`; a `TypeError` with the code `invalid-chunk` if the input is neither text nor bytes.
   */
  parse<Entry extends RuleName<Types['trees']> = DefaultEntry<Types, 'trees'>>(
    input: TextOrBytes,
    options: RunOptions<Entry> = {},
  ): TreeOf<Types, Entry> {
    requireOptions(options, RUN_OPTIONS)
    const entry = this.#requireRule(options.entry ?? this.entry)
    const report = this.#readPolicy(options)
    const { program } = this.compile({ entry, parts: new Set([entry]), isPartial: options.partial, recovers: !!report })
    const make = (parts: Parts) => nodesOf(parts, program.types, textOf(input))
    const [tree] = runToEnd(program, input, options, report, make)
    return tree as TreeOf<Types, Entry>
  }

  /**
   * The value of an input: what the fields of the grammar say of it (docs/grammar.md). Throws like `parse`; a `ParseError` with the code `invalid-value` for a text
   * that is not of its kind; a `GrammarError` if a rule does not say what it gives.
   */
  value<Entry extends RuleName<Types['values']> = DefaultEntry<Types, 'values'>>(
    input: TextOrBytes,
    options = {} as RunOptions<Entry> & FormOf<Types>,
  ): ValueOf<Types, Entry> {
    requireOptions(options, VALUE_RUN_OPTIONS)
    const form = this.#form ?? (options as ValueFormOptions)
    const entry = this.#requireRule(options.entry ?? this.entry)
    const { shapes: values } = this.#questions.ask(entry, [entry], form)
    const report = this.#readPolicy(options)
    const purpose = { entry, parts: new Set([entry]), isPartial: options.partial, values, recovers: !!report }
    const compilation = this.compile(purpose)
    const make = this.#makerOf<ValueOf<Types, Entry>>(compilation, form)
    return runToEnd(compilation.program, input, options, report, (parts) => {
      let value: ValueOf<Types, Entry> | undefined
      make(parts, (made) => {
        value = made
      })
      return value as ValueOf<Types, Entry>
    })
  }

  /**
   * Yields the values of one or more rules, each as soon as it is certain and complete, from a source of any length. If the entry is a repetition of one rule,
   * `emit` is that rule by default. Reading is as with `stream`; errors are those of `stream` and `value`.
   */
  values<
    Entry extends RuleName<Types['values']> = DefaultEntry<Types, 'values'>,
    Item extends PathTo<RuleName<Types['values']>> = DefaultItem<Types, Entry>,
  >(
    source: ByteSource | Cursor,
    options = {} as StreamOptions<Entry, Item> & FormOf<Types>,
  ): Items<ValueOf<Types, EndOf<Item>>> {
    requireOptions(options, VALUE_STREAM_OPTIONS)
    return this.#values<ValueOf<Types, EndOf<Item>>>(source, options)
  }

  /**
   * Yields the bytes of the values in a format, as `XmlReader.write` does: in `jsonl`, each line is what `JSON.stringify` makes of a value; in `csv` and `tsv`, each is a row
   * with its fields, of which objects and arrays are JSON. Throws like `values`, after all values before the error, and a `TypeError` with the code `invalid-option` for an
   * unknown format or field.
   */
  lines(source: ByteSource | Cursor, options: ValueWriteOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    requireOptions(options, VALUE_WRITE_OPTIONS)
    return this.#readWritten(source, options, async function* (values, question) {
      const { writeValues } = await writing.load()
      yield* writeValues(values, question, options)
    })
  }

  /**
   * Yields the values as columns: batches with the values of each field one after the other, as Apache Arrow lays them out in memory. Values that are no records are in
   * a column `value`. Throws like `lines`.
   */
  columns(source: ByteSource | Cursor, options: ValueColumnOptions = {}): AsyncGenerator<ColumnBatch, void, undefined> {
    requireOptions(options, VALUE_COLUMN_OPTIONS)
    if (Object.keys(this.#actions).length > 0)
      throw withCode(
        new TypeError('columns have no room for what functions return: use values or lines'),
        'invalid-option',
      )
    return this.#readWritten(source, options, async function* (values, question) {
      const { readColumns } = await writing.load()
      yield* readColumns(values, question, options)
    })
  }

  /**
   * The grammar with functions, by the names of rules: what one returns is then the value of its rule, for `value`, `values` and `lines`. It is called once for each such value of a
   * part that is certain, in the order in which they end, with the value and where its text is: offsets in bytes. What it throws becomes a `ParseError` with the code
   * `invalid-value`, the place, and the error as its `cause`.
   *
   * Throws a `RangeError` with the code `unknown-rule` for a rule that does not exist.
   */
  map<Results extends object>(actions: ValueActions<Types, Results>): Grammar<MappedTypes<Types, Results>> {
    for (const [rule, action] of Object.entries(actions)) {
      if (typeof action === 'function') this.#requireRule(rule)
      else throw withCode(new TypeError(`the action of ${rule} must be a function`), 'invalid-option')
    }
    return new Grammar<MappedTypes<Types, Results>>(this.#text, this.#form, { ...this.#actions, ...actions } as Actions)
  }

  /** Whether an input matches. Throws like `parse`, except the `ParseError`. */
  test(input: TextOrBytes, options: TestOptions = {}): boolean {
    requireOptions(options, TEST_OPTIONS)
    const entry = this.#requireRule(options.entry ?? this.entry)
    const { program } = this.compile({ entry, parts: new Set(), isPartial: options.partial })
    return runWhole(program, input, options, undefined, (_, outcome) => outcome === 'done')
  }

  /**
   * All errors of the syntax of an input, in its order: those after which reading continues where the grammar says so (`~>`), and the one after which it does not. Throws like `test`.
   */
  errors(input: TextOrBytes, options: TestOptions = {}): ParseError[] {
    requireOptions(options, TEST_OPTIONS)
    const entry = this.#requireRule(options.entry ?? this.entry)
    const { program } = this.compile({ entry, parts: new Set(), isPartial: options.partial, recovers: true })
    const errors: ParseError[] = []
    const report = (error: ParseError): void => {
      errors.push(error)
    }
    runWhole(program, input, options, report, (machine, outcome, _, isOver) => {
      if (outcome !== 'done' && !isOver) report(explainFailure(machine, outcome))
    })
    return errors
  }

  /**
   * Yields the nodes of one or more rules, each as soon as it is certain, from a source of any length, in the order in which they end.
   *
   * An error is thrown after all nodes before it were delivered. Leaving the loop closes the source. If you pass a cursor, it is not released:
   * afterwards it is directly after the parsed input; after an error or a loop left early, it is after the last delivered node. Lines and
   * columns then count from the initial position of the cursor.
   *
   * Throws a `RangeError` with the code `unknown-rule` for a rule that does not exist, or for a path at which there is no node.
   */
  stream<
    Entry extends RuleName<Types['trees']> = DefaultEntry<Types, 'trees'>,
    Item extends PathTo<RuleName<Types['trees']>> = Entry,
  >(source: ByteSource | Cursor, options: StreamOptions<Entry, Item> = {}): Items<TreeOf<Types, EndOf<Item>>> {
    requireOptions(options, STREAM_OPTIONS)
    const emitted = requireEmitted(options.emit ?? options.entry ?? this.entry)
    return this.#stream(source, options, emitted, undefined, ({ program }) => {
      return (parts, put) => {
        for (const node of nodesOf(parts, program.types)) put(node as TreeOf<Types, EndOf<Item>>, node.end)
      }
    })
  }

  /**
   * Resolves when a source of any length matches. It is read like by `stream`, and no nodes are made. Throws like `stream` and what it returns.
   */
  async check(source: ByteSource | Cursor, options: CheckOptions = {}): Promise<void> {
    requireOptions(options, CHECK_OPTIONS)
    for await (const _ of this.#stream(source, options, [], undefined, () => () => {}));
  }

  #stream<Item>(
    source: ByteSource | Cursor,
    options: StreamOptions,
    emitted: readonly string[],
    values: ValueShapes | undefined,
    makerOf: (compilation: Compilation) => MakeItems<Item>,
  ): Items<Item> {
    const entry = this.#requireRule(options.entry ?? this.entry)
    const parts = new Set(emitted)
    const { nested, partial, onError: _, ...reading } = options
    const report = this.#readPolicy(options)
    const compilation = this.compile({ entry, parts, nested, isPartial: partial, values, recovers: !!report })
    const { program, missingPart } = compilation
    if (missingPart !== undefined)
      throw unreachedPart(values?.rules.rules ?? this.#rules, entry, missingPart, this.#rules)
    const limits = readLimits(options.limits, DEFAULT_LIMITS, LIMIT_FACTORS)
    // Values keep nothing of what they are made of.
    const largestShare = values && Number.POSITIVE_INFINITY
    return readParts(source, program, { ...reading, report, limits, largestShare }, makerOf(compilation))
  }

  /** Whether there are fields in a rule, also at the end of a path, or in those of which its value is made. Throws a `RangeError` with the code `unknown-rule`. */
  hasFields(rule = this.entry): boolean {
    return this.#questions.shapesOf({}).rules.reachesFields(ruleOf(resolvePath(this.#rules, rule)))
  }

  /**
   * Asks for values.
   *
   * @internal
   */
  ask({ entry = this.entry, emit, ...options }: ValueStreamOptions): ValueQuestion {
    return this.#questions.ask(
      this.#requireRule(entry),
      emit === undefined ? undefined : requireEmitted(emit),
      this.#form ?? options,
    )
  }

  #values<Value>(source: ByteSource | Cursor, options: ValueStreamOptions, question = this.ask(options)): Items<Value> {
    const { emitted, shapes } = question
    return this.#stream(source, options, emitted, shapes, (made) => this.#makerOf<Value>(made, this.#form ?? options))
  }

  /** What makes values of parts. */
  #makerOf<Value>(compilation: Compilation, form: ValueFormOptions): MakeItems<Value> {
    const { program, actions, entry } = compilation
    const { positions: hasPositions = false, lenient: isLenient = false } = form
    const findRules: FindRules = (part, rule, ...place) => {
      const rules = this.#findRules(entry.rule, part, ...place)
      // Kinds of fields may have made a rule that the grammar has not.
      return rules.includes(rule) || !this.#rules.has(rule) ? rules : [...rules, rule]
    }
    const options = { hasPositions, isLenient, findRules, actions: this.#actions }
    const builder = new ValueBuilder(program.types, actions, options)
    return (parts, put) => builder.build(parts, (value, end) => put(value as Value, end))
  }

  /** The rules around a text: those around its part as far as one alone refers to the other, and those in it, which is read once more, as a tree. */
  #findRules(entry: string, part: string, input: Uint8Array, from: number, to: number): string[] {
    const rules = [part]
    for (let users = [part]; users.length === 1 && !rules.includes(entry); ) {
      const refersTo = ({ name, members }: Rule) =>
        name !== rules[0] && [...namesIn(members)].includes(rules[0] as string)
      users = this.rules.filter(refersTo).map(({ name }) => name)
      if (users.length === 1) rules.unshift(...users)
    }
    try {
      const { program } = this.compile({ entry: part, parts: new Set([part]), isPartial: true })
      const [tree] = runToEnd(program, input, {}, undefined, (parts) => nodesOf(parts, program.types))
      return [...rules.slice(0, -1), ...typesAround(tree as SyntaxNode, from, to)]
    } catch {
      // A tree may pass a limit that values do not pass.
      return rules
    }
  }

  /** What is made of values, and can be left while it waits. */
  #readWritten<Item>(
    source: ByteSource | Cursor,
    options: ValueStreamOptions,
    read: (
      values: AsyncGenerator<GrammarValue[], void, undefined>,
      question: ValueQuestion,
    ) => AsyncGenerator<Item, void, undefined>,
  ): AsyncGenerator<Item, void, undefined> {
    const question = this.ask(options)
    return new CancellableGenerator(({ signal }) => {
      return read(this.#values<GrammarValue>(source, { ...options, signal }, question).batches(), question)
    }, options.signal)
  }

  /**
   * The program for a purpose; made once. Throws a `RangeError` with the code `unknown-rule` for a rule that does not exist.
   *
   * @internal
   */
  compile(purpose: Purpose): Compilation {
    const { nested = 'outermost', isPartial = false, values, recovers = false } = purpose
    const entry = this.#requireRule(purpose.entry)
    const parts = [...purpose.parts].map((path) => resolvePath(this.#rules, path))
    const key = JSON.stringify([entry, parts.sort(), nested, isPartial, values?.options, recovers])
    const known = this.#compilations.get(key)
    if (known) return known
    const compilation = compile(values?.rules.rules ?? this.#rules, { ...purpose, parts: new Set(parts) })
    this.#compilations.set(key, compilation)
    return compilation
  }

  /** @internal */
  [INSPECT](...how: InspectArguments): string {
    return show('Grammar', '', { rules: this.rules.map(({ name }) => name) }, how)
  }

  /** What errors are given to, after which reading continues. Throws a `RangeError` with the code `invalid-option` if no rule says where. */
  #readPolicy({ onError }: RunOptions): ((error: ParseError) => void) | undefined {
    const report = readErrorPolicy(onError)
    if (!report || this.rules.some(({ sync }) => sync)) return report
    const message =
      'onError: after an error, reading continues with the next round of a repetition, and no rule says where that begins; write ~> "\\n" before the ";" of the rule that is repeated'
    throw withCode(new RangeError(message), 'invalid-option')
  }

  #requireRule(name: string): string {
    if (this.#rules.has(name)) return name
    throw unknownRule(this.#rules, name)
  }
}

function reportStale({ found, rules }: GrammarText): void {
  const [first] = rules
  found.report({
    code: 'stale-types',
    message: 'the types are not those of this grammar: it has changed since they were written, or it is another one',
    suggestion: 'write them again: xylem types',
    at: (first as Rule).nameAt,
  })
}

/** The string that an input is, if it is well-formed. */
function textOf(input: TextOrBytes): string | undefined {
  return typeof input === 'string' && isWellFormed(input) ? input : undefined
}

function requireEmitted(emit: string | readonly string[]): string[] {
  const emitted = [emit].flat()
  if (emitted.length > 0) return emitted
  throw withCode(new RangeError('emit names no rule: use check to get no nodes at all'), 'invalid-option')
}

/** Gets errors after which reading continues; undefined if the first one ends it. */
type Report = ((error: ParseError) => void) | undefined

/** What `make` makes of an input that is at hand. Throws a `ParseError` if it does not match, or that cannot be made. */
function runToEnd<Made>(
  program: Program,
  input: TextOrBytes,
  options: TestOptions,
  report: Report,
  make: (parts: Parts) => Made,
): Made {
  return runWhole(program, input, options, report, (machine, outcome, [parts]) => {
    if (outcome !== 'done') throw explainFailure(machine, outcome)
    try {
      return make(parts as Parts)
    } catch (error) {
      throw error instanceof InvalidValue ? error.explain(machine) : error
    }
  })
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
  options: TestOptions,
  report: Report,
  finish: (machine: Machine, outcome: Outcome, parts: readonly Parts[], isOver: boolean) => Result,
): Result {
  const input = bytesOf(given)
  const limits = readLimits(options.limits, DEFAULT_LIMITS, LIMIT_FACTORS)
  new InputLimit(0, limits.maxInput).admit(input.length)
  const machine = acquireMachine(program, options.engine)
  try {
    machine.begin(program, limits, TextPosition.START, input)
    const recovery = new Recovery(machine)
    const parts: Parts[] = []
    let outcome: Outcome = 'input'
    for (let fed = 0; outcome === 'input' || outcome === 'part' || outcome === 'paused'; ) {
      if (outcome === 'input') {
        fed += machine.append(fed === 0 ? input : input.subarray(fed))
        if (fed === input.length) machine.finish()
      }
      outcome = recovery.run()
      const isError = outcome === 'failed' || outcome === 'label' || outcome === 'malformed'
      const round = isError && report ? recovery.find(outcome) : undefined
      for (const taken of recovery.takeParts()) parts.push(taken)
      if (!round || !report) continue
      const error = recovery.drop(round, outcome)
      if (error) report(error)
      outcome = 'paused'
    }
    return finish(machine, outcome, parts, recovery.isOver(outcome))
  } finally {
    releaseMachine(machine)
  }
}
