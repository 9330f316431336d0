// From expressions to patterns: what a rule has to do in one mode, with its nodes, leaves and parts made explicit.

import { CodePointSet } from '../../machine/program/code-point-set.ts'
import { SEARCHED } from '../../machine/program/program.ts'
import { PartPaths, type Place, ruleOf } from '../facts/part-paths.ts'
import { findFacts } from '../facts/rule-facts.ts'
import {
  type Count,
  type Expression,
  type Field,
  type Literal,
  operandsOf,
  type Reference,
  type Repeat,
  type Rule,
  walk,
} from '../syntax/expression.ts'
import type { ValueAction } from '../values/action.ts'
import { constantsOf } from '../values/value-rules.ts'
import type { ValueShapes } from '../values/value-shapes.ts'
import { casesOf, lowerSet, SingleSets } from './character-sets.ts'
import {
  EMPTY,
  FAILURE,
  itemsOf,
  type Mode,
  type NamePattern,
  type Origin,
  type Pattern,
  PatternType,
  type Procedure,
  sequence,
  type Terminal,
} from './pattern.ts'
import { type PlainLowering, ValuePatterns } from './value-patterns.ts'

/** Which nodes are wanted. */
export interface Wanted {
  /** Names of the rules whose nodes are delivered as parts, or paths to them (part-paths.ts). Empty: none, the input is only recognised. */
  readonly parts: ReadonlySet<string>
  /** Which parts are delivered where they are nested: the outermost, unless it is said. */
  readonly nested?: 'outermost' | 'innermost' | undefined
  /** Whether parts record nothing but what is gathered in them, and names that something is done with. */
  readonly isFlat?: boolean
  /** Whose values parts record, instead of nodes. */
  readonly values?: ValueShapes | undefined
  /** Whether reading continues after errors. */
  readonly recovers?: boolean | undefined
  /** What the machine does with the names that rules match, and when rules begin. */
  readonly actions?: ReadonlyMap<string, RuleAction>
}

/**
 * Of a rule that is a name: `push`, `unique` and `match` say what becomes of its symbol. Of any rule: in front of it, `scope` begins a
 * scope, `pop` pops what was pushed last, and `signal` reports the name before it to the host, unless that is one of those listed.
 */
export type RuleAction = NameAction | FrontAction

type NameAction = { readonly action: 'push' | 'unique'; readonly type: string } | { readonly action: 'match' }

type FrontAction =
  | { readonly action: 'scope' }
  | { readonly action: 'pop' }
  | { readonly action: 'signal'; readonly code: number; readonly unless: readonly string[] }

const encoder = new TextEncoder()
const ANY = CodePointSet.ALL

/** The procedures that a grammar needs, made when they are asked for. */
export class Lowering {
  readonly #rules: ReadonlyMap<string, Rule>
  readonly #wanted: Wanted
  readonly #procedures = new Map<string, Procedure>()
  /** Procedures that have no body yet. */
  readonly #waiting: { readonly procedure: Procedure; readonly place: Place }[] = []
  readonly #paths: PartPaths
  /** The rules that paths end with. */
  readonly #partRules: ReadonlySet<string>
  readonly #leadingToParts: ReadonlySet<string>
  readonly #omitting: ReadonlySet<string>
  #singles: SingleSets | undefined
  readonly #values: ValuePatterns
  /** The rule that is being lowered. */
  #rule = ''
  /** Where in the paths to parts that is. */
  #place: Place
  /** Whether it is what input is skipped by. */
  #isSkipping = false

  constructor(rules: ReadonlyMap<string, Rule>, wanted: Wanted) {
    this.#rules = rules
    this.#wanted = wanted
    this.#paths = new PartPaths(wanted.parts)
    this.#place = this.#paths.start
    this.#partRules = new Set([...wanted.parts].map(ruleOf))
    this.#leadingToParts = findRulesLeadingTo(rules, this.#partRules)
    this.#omitting = findOmittingRules(rules)
    this.#values = new ValuePatterns(this.#plain)
  }

  /** The procedure of the rule that a parse begins with. */
  entry(rule: string): Procedure {
    const entry = this.#procedure(rule, 'seek')
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const { procedure, place } = next
      this.#rule = procedure.rule
      this.#place = place
      procedure.body = this.#lowerRule(procedure.rule, procedure.mode === 'part' ? this.#modeOfParts : procedure.mode)
    }
    return entry
  }

  /** A path of parts that leads to none. */
  get missingPart(): string | undefined {
    return this.#paths.missing
  }

  /** What becomes of the values that are recorded, by the types of nodes; none are, unless values are wanted. */
  get actions(): ReadonlyMap<string, ValueAction> {
    return this.#values.actions
  }

  get #modeOfParts(): Mode {
    if (this.#wanted.values) return 'value'
    return this.#wanted.isFlat ? 'flat' : 'part'
  }

  /** A rule that is referred to in a rule of a mode. Its body comes later: rules may refer to each other to any depth. */
  #procedure(rule: string, from: Mode): Procedure {
    const entered = this.#paths.enterRule(this.#place, rule)
    const mode = this.#modeOf(rule, from, entered.ended !== 0n)
    if (mode === 'part') this.#paths.reach(entered.ended)
    const isInner = this.#wanted.nested === 'innermost' && mode !== 'silent' && mode !== 'gather'
    const place = mode === 'seek' || isInner ? entered.place : 0n
    const key = `${mode} ${rule} ${place}`
    const known = this.#procedures.get(key)
    if (known) return known
    const procedure: Procedure = { rule, mode, body: EMPTY }
    this.#procedures.set(key, procedure)
    this.#waiting.push({ procedure, place })
    return procedure
  }

  /** That a pattern comes from an expression of the rule that is being lowered. */
  #from(expression: Expression, share: Origin['share'] = 'whole'): Origin {
    return { rule: this.#rule, expression, share, within: undefined }
  }

  #lowerRule(rule: string, mode: Mode): Pattern {
    const { values } = this.#wanted
    if (values && (mode === 'value' || mode === 'entry'))
      return values.given(rule).lower(this.#values, mode === 'entry')
    const { members } = this.#rules.get(rule) as Rule
    const [only] = members
    // What a flat part gathers completely is the part itself.
    const isGathered = mode === 'flat' && this.#partRules.has(rule) && members.length === 1 && only?.kind === 'gather'
    if (isGathered) return this.#lower(only.operand, 'gather')
    const action = this.#wanted.actions?.get(rule)
    if (!action) return sequence(this.#lowerItems(members, mode))
    if (isNameAction(action)) return act(action, this.#asName(rule))
    return sequence([actInFront(action), ...this.#lowerItems(members, mode)])
  }

  /** A rule that is one code point of a class and what there is of another, or refers to such a rule. */
  #asName(rule: string): NamePattern {
    const { members } = this.#rules.get(rule) as Rule
    const [one, rest] = members
    if (one?.kind === 'reference' && members.length === 1) return this.#asName(one.name)
    if (one?.kind !== 'class' || rest?.kind !== 'class') throw new RangeError(`invalid rule name ${rule}`)
    const [origins, restOrigins] = [one, rest].map((expression) => [
      { rule, expression, share: 'whole', within: undefined } as const,
    ]) as [Origin[], Origin[]]
    return { kind: 'name', set: lowerSet(one), rest: lowerSet(rest), origins, restOrigins }
  }

  /** What values are lowered with. */
  get #plain(): PlainLowering {
    // Where the innermost parts are wanted, they may also stand in what no value is made of.
    const silent: Mode = this.#wanted.nested === 'innermost' ? 'seek' : 'silent'
    return {
      lower: (expression, mode) => this.#lower(expression, mode === 'silent' ? silent : mode),
      omits: (expressions) => expressions.some((expression) => this.#omits(expression)),
      repeat: (expression, round) => this.#repeat(expression, round, 'silent'),
      choose: (expression, options) => ({ kind: 'choice', options, at: expression.at, origin: this.#from(expression) }),
      callValue: (expression, mode) => this.#call(expression, mode),
      within: (field, lower) => this.#within(field, lower),
    }
  }

  /** What is lowered in a field. */
  #within({ name }: Field, lower: () => Pattern): Pattern {
    const around = this.#place
    this.#place = this.#paths.enterField(around, name)
    const pattern = lower()
    this.#place = around
    return pattern
  }

  #call(reference: Reference, mode: Mode): Pattern {
    return { kind: 'call', procedure: this.#procedure(reference.name, mode), origins: [this.#from(reference)] }
  }

  #lower(expression: Expression, mode: Mode): Pattern {
    switch (expression.kind) {
      case 'literal':
        return asLeaf(this.#lowerLiteral(expression), mode)
      case 'class':
        return asLeaf(repeatSet(lowerSet(expression), expression.count, this.#from(expression)), mode)
      case 'not':
        return asLeaf(this.#lowerNot(expression), mode)
      case 'reference':
        return this.#call(expression, mode)
      case 'group':
        return asNode(sequence(this.#lowerItems(expression.items, mode)), '(...)', mode)
      case 'choice': {
        const options = expression.options.map((option) => this.#lower(option, mode))
        return { kind: 'choice', options, at: expression.at, origin: this.#from(expression) }
      }
      case 'repeat': {
        const operand = this.#lower(expression.operand, mode)
        return asNode(this.#repeat(expression, operand, mode), `(...)${expression.suffix}`, mode)
      }
      case 'field': {
        const operand = this.#within(expression, () => this.#lower(expression.operand, mode))
        return expression.isFlag ? asNode(this.#optional(expression, operand), '(...)?', mode) : operand
      }
      case 'fold':
        return EMPTY
      case 'omit': {
        const operand = this.#lower(expression.operand, this.#isSeekingAll(mode) ? 'seek' : 'silent')
        return mode === 'gather' ? enclose(operand, PatternType.HOLE) : operand
      }
      case 'gather':
        return this.#lowerGather(expression.operand, mode)
      case 'look':
        return this.#look(expression.operand, expression.isNegative, [this.#from(expression)])
      case 'cut':
        return { kind: 'cut' }
      case 'failure':
        return { kind: 'throw', message: expression.message, origins: [this.#from(expression)] }
    }
  }

  /** Rounds of what a repetition's operand became, with separators between them. */
  #repeat(expression: Repeat, round: Pattern, mode: Mode): Pattern {
    // Where input is skipped, there is nothing to go back to: what says where the next round begins may refer to the repetition itself.
    const isRecovering = this.#wanted.recovers && !this.#isSkipping && expression.count.max === Number.POSITIVE_INFINITY
    const syncs = isRecovering ? this.#syncsIn(operandsOf(expression)) : []
    const [sync] = syncs
    if (!sync) return this.#rounds(expression, round, mode)
    const recovery = { rule: this.#rule }
    const { at, count } = expression
    const target: Expression = syncs.length === 1 ? sync : { kind: 'choice', options: syncs, isBracketed: true, at }
    this.#isSkipping = true
    const skipped = this.#lowerNot({
      kind: 'not',
      operand: target,
      count: { min: 0, max: Number.POSITIVE_INFINITY },
      at,
    })
    const searched: Pattern = { kind: 'action', action: 'signal', code: SEARCHED, unless: [] }
    const search = sequence([skipped, searched, this.#optional(target, this.#lower(target, 'silent'))])
    this.#isSkipping = false
    const asRound = (operand: Pattern): Pattern => ({ kind: 'round', operand, recovery })
    const operand = this.#rounds(expression, round, mode, asRound)
    const again = count.min === 0 ? undefined : this.#rounds(expression, round, mode, asRound, 0)
    return { kind: 'rounds', operand, search, again, recovery, origin: this.#from(expression) }
  }

  /** Where reading continues that the rules say which a repetition calls. */
  #syncsIn(expressions: readonly Expression[]): Expression[] {
    return expressions.flatMap((expression) => {
      if (expression.kind === 'reference') return this.#rules.get(expression.name)?.sync ?? []
      const isOther = expression.kind === 'look' || expression.kind === 'not'
      const isRepeated = expression.kind === 'repeat' && expression.count.max > 1
      return isOther || isRepeated ? [] : this.#syncsIn(operandsOf(expression))
    })
  }

  #rounds(
    expression: Repeat,
    operand: Pattern,
    mode: Mode,
    asRound = (one: Pattern): Pattern => one,
    min = expression.count.min,
  ): Pattern {
    const { separator, at } = expression
    const { max } = expression.count
    const origin = this.#from(expression)
    const round = asRound(operand)
    if (!separator) return { kind: 'repeat', operand: round, min, max, at, origin }
    const between = this.#lowerItems(
      separator.kind === 'group' && !separator.isBracketed ? separator.items : [separator],
      mode,
    )
    const next = asRound(sequence([...between, operand]))
    const rounds = sequence([round, { kind: 'repeat', operand: next, min: 0, max, at, origin }])
    return min === 0 ? this.#optional(expression, rounds) : rounds
  }

  /** A pattern or nothing, for an expression. */
  #optional(expression: Expression, operand: Pattern): Pattern {
    return { kind: 'repeat', operand, min: 0, max: 1, at: expression.at, origin: this.#from(expression) }
  }

  #lowerItems(items: readonly Expression[], mode: Mode): Pattern[] {
    return items.map((item) => this.#lower(item, mode))
  }

  /** Whether parts may also stand in what is gathered and omitted: where there is no tree for them to be missing in. */
  #isSeekingAll(mode: Mode): boolean {
    return mode === 'seek' && this.#wanted.isFlat === true
  }

  /** The mode of a rule that is referred to in a rule of this mode. */
  #modeOf(rule: string, mode: Mode, isPart: boolean): Mode {
    switch (mode) {
      case 'seek':
        if (isPart) return 'part'
        return this.#leadingToParts.has(rule) ? 'seek' : 'silent'
      case 'tree':
      case 'part':
        return isPart ? 'part' : 'tree'
      case 'value':
      case 'entry':
        return isPart ? 'part' : mode
      case 'gather':
        return this.#omitting.has(rule) ? 'gather' : 'silent'
      case 'flat':
        return 'flat'
      default:
        return 'silent'
    }
  }

  #lowerGather(operand: Expression, mode: Mode): Pattern {
    if (mode === 'gather') return this.#lower(operand, 'gather')
    if (this.#isSeekingAll(mode)) return this.#lower(operand, 'seek')
    if (!isRecording(mode) && mode !== 'flat') return this.#lower(operand, 'silent')
    return enclose(this.#lower(operand, this.#omits(operand) ? 'gather' : 'silent'), PatternType.LITERAL)
  }

  /** Whether something is left out of what is gathered. */
  #omits(expression: Expression): boolean {
    for (const inner of walk([expression])) {
      if (inner.kind === 'omit' || (inner.kind === 'reference' && this.#omitting.has(inner.name))) return true
    }
    return false
  }

  #lowerNot(expression: Extract<Expression, { kind: 'not' }>): Pattern {
    const { operand, count } = expression
    const origin = this.#from(expression)
    this.#singles ??= new SingleSets(this.#rules)
    const set = this.#singles.of(operand)
    if (set) return repeatSet(set.complement(), count, origin)
    const literals = constantsOf(operand)?.map((text) => encoder.encode(text))
    if (literals && count.max === Number.POSITIVE_INFINITY && count.min <= 1) {
      return { kind: 'until', literals, min: count.min, origins: [origin] }
    }
    const look = this.#look(operand, true, [])
    const isOnce = count.min === 1 && count.max === 1
    const origins = [isOnce ? origin : this.#from(expression, 'round')]
    const one = sequence([look, { kind: 'class', set: ANY, min: 1, max: 1, origins }])
    return isOnce ? one : { kind: 'repeat', operand: one, min: count.min, max: count.max, at: undefined, origin }
  }

  #look(operand: Expression, isNegative: boolean, origins: readonly Origin[]): Pattern {
    return { kind: 'look', operand: this.#lower(operand, 'silent'), isNegative, origins }
  }

  #lowerLiteral(expression: Literal): Pattern {
    const { text, ignoresCase } = expression
    if (text === '') return FAILURE
    const origins = [this.#from(expression)]
    if (!ignoresCase) return { kind: 'literal', bytes: encoder.encode(text), ignoresCase, origins }
    // ASCII is folded by the machine; of other text each character is a set of its cases.
    const isAscii = encoder.encode(text).length === text.length
    if (isAscii) return { kind: 'literal', bytes: encoder.encode(text.toLowerCase()), ignoresCase, origins }
    const characters = Array.from(text)
    const pieces = [this.#from(expression, 'piece')]
    return sequence(
      characters.map((character, i): Pattern => {
        const isLast = i === characters.length - 1
        return { kind: 'class', set: casesOf(character), min: 1, max: 1, origins: isLast ? origins : pieces }
      }),
    )
  }
}

function isNameAction(action: RuleAction): action is NameAction {
  return action.action === 'push' || action.action === 'unique' || action.action === 'match'
}

function actInFront(action: FrontAction): Pattern {
  if (action.action !== 'signal') return { kind: 'action', action: action.action }
  const unless = action.unless.map((text) => encoder.encode(text))
  return { kind: 'action', action: 'signal', code: action.code, unless }
}

/** A name with what is done with it. */
function act(action: NameAction, name: NamePattern): Pattern {
  switch (action.action) {
    case 'match':
      return { kind: 'match', name, origins: name.restOrigins }
    default:
      return sequence([name, { kind: 'action', action: action.action, type: action.type }])
  }
}

/** So many code points of a set as one terminal, or as a sequence where the machine has no terminal for the count. */
function repeatSet(set: CodePointSet, { min, max }: Count, origin: Origin): Pattern {
  const terminal = (least: number, most: number): Terminal => {
    return { kind: 'class', set, min: least, max: most, origins: [origin] }
  }
  if (set.isEmpty) return min === 0 ? EMPTY : FAILURE
  if (max !== Number.POSITIVE_INFINITY || min <= 1) return terminal(min, max)
  return sequence([terminal(min, min), terminal(0, max)])
}

function isRecording(mode: Mode): boolean {
  return mode === 'tree' || mode === 'part'
}

/** What a literal, a class or a not matches, as a leaf where nodes are recorded. */
function asLeaf(pattern: Pattern, mode: Mode): Pattern {
  return isRecording(mode) ? enclose(pattern, PatternType.LITERAL) : pattern
}

function asNode(pattern: Pattern, type: string, mode: Mode): Pattern {
  return isRecording(mode) ? enclose(pattern, type) : pattern
}

function enclose(pattern: Pattern, type: string): Pattern {
  return sequence([{ kind: 'open' }, ...itemsOf(pattern), { kind: 'close', type }])
}

/** The rules in which something is left out of what is gathered, also below others. */
function findOmittingRules(rules: ReadonlyMap<string, Rule>): ReadonlySet<string> {
  return findFacts(rules.values(), ({ kind }) => (kind === 'omit' ? 'always' : 'any'), 'any').rules
}

/** The rules below which one of the parts can be found: by references that are neither omitted nor gathered nor looked ahead to. */
function findRulesLeadingTo(rules: ReadonlyMap<string, Rule>, parts: ReadonlySet<string>): ReadonlySet<string> {
  const isPart = (expression: Expression) => expression.kind === 'reference' && parts.has(expression.name)
  return findFacts(rules.values(), (expression) => (isPart(expression) ? 'always' : 'any'), 'any').rules
}
