// A question as numbers: the states of an automaton, the steps between them and what is to be done in each, as the kernel follows them (layout.ts).

import { type Action, type Automaton, type Guard, isForHost, type State, type Steps } from './automaton.ts'
import type { Condition } from './condition.ts'
import {
  ActionWord,
  ConditionKind,
  ConditionWord,
  Expected,
  IS_DONE,
  IS_NILLABLE,
  Link,
  MOST_LISTS,
  MOST_RECORDS,
  MOST_TAKERS,
  OF_AROUND,
  STATE_WORDS,
  StateFlag,
  StateWord,
  Takes,
} from './layout.ts'
import { type FieldPlan, isNillable, isPresence, type RecordPlan } from './plan.ts'

/** Actions of a state, and words of a plan: there is room for so many in the memory of a machine. */
const MOST_ACTIONS = 512
const MOST_WORDS = 1 << 18

const encoder = new TextEncoder()
const plans = new WeakMap<Automaton, Int32Array | null>()

/** The plan of an automaton; null if it has no states to be followed, or is too large for the kernel. */
export function planOf(automaton: Automaton): Int32Array | null {
  const known = plans.get(automaton)
  if (known !== undefined) return known
  const words = automaton.states ? new PlanWriter(automaton, automaton.states).words : []
  const plan = words.length > 0 && words.length <= MOST_WORDS ? Int32Array.from(words) : null
  plans.set(automaton, plan)
  return plan
}

/** The place of a state in a plan. */
export function placeOf({ number }: State): number {
  return STATE_WORDS * number
}

class PlanWriter {
  readonly words: number[]
  readonly #automaton: Automaton
  /** The places of conditions, and of rows of steps. */
  readonly #conditions = new Map<Condition, number>()
  readonly #rows = new Map<Steps, number>()

  constructor(automaton: Automaton, states: readonly State[]) {
    this.#automaton = automaton
    this.words = new Array<number>(STATE_WORDS * states.length).fill(0)
    for (const state of states) if (this.words.length <= MOST_WORDS) this.#putState(state)
  }

  /** Where words are put. */
  #put(words: Iterable<number>): number {
    const at = this.words.length
    for (const word of words) this.words.push(word)
    return at
  }

  #putState(state: State): void {
    const at = placeOf(state)
    this.words[at + StateWord.ROW] = this.#putSteps(state.steps as Steps)
    const { attributes: takers } = state
    const { isFound, isAround } = state
    const begins = isFound || isAround
    // What is watched for is for the host where records begin.
    const actions = state.actions.filter(({ takes }) => !begins || takes !== 'watch')
    const lists = actions.reduce((sum, { takes, field, record }) => {
      return sum + (takes === 'record' ? (field?.record ?? record).fields.length : 0)
    }, 0)
    const isFew = lists <= MOST_LISTS && actions.length <= MOST_ACTIONS && this.#countTakers(state) <= MOST_TAKERS
    const canDo = isFew && (state.expected & Expected.HOST) === 0 && [...actions, ...takers].every(isSimple)
    this.words[at + StateWord.EXPECTED] = state.expected
    this.words[at + StateWord.FLAGS] =
      (state.actions.length > 0 ? StateFlag.ACTS : 0) |
      (state.isDead ? StateFlag.DEAD : 0) |
      (takers.length > 0 ? StateFlag.ATTRIBUTES : 0) |
      (isFound ? StateFlag.FOUND : 0) |
      (isAround ? StateFlag.AROUND : 0) |
      (canDo ? 0 : StateFlag.GENERAL) |
      (begins && state.actions.some(isForHost) ? StateFlag.HOST : 0) |
      (actions.length < state.actions.length ? StateFlag.WATCHED : 0)
    if (!canDo) return
    // What actions refer to is put before them.
    const encoded = actions.flatMap((action) => this.#encode(action, isFound && isForHost(action)))
    this.words[at + StateWord.ACTIONS] = this.#put(encoded)
    this.words[at + StateWord.ACTION_COUNT] = actions.length
    if (takers.length > 0) this.words[at + StateWord.TAKERS] = this.#putTakers(state)
  }

  /** The place of a row of steps: a negative one is that of a guard. */
  #putSteps(steps: Steps): number {
    const known = this.#rows.get(steps)
    if (known !== undefined) return known
    const row = this.#put(
      steps.next.map((state, nameClass) =>
        state ? placeOf(state) : -this.#putGuard(steps.guards.get(nameClass) as Guard),
      ),
    )
    this.#rows.set(steps, row)
    return row
  }

  #putGuard({ conditions, states }: Guard): number {
    const places = conditions.map((condition) => this.#placeOf(condition))
    return this.#put([conditions.length, ...places, ...states.map(placeOf)])
  }

  /** How many fields one attribute may be for. */
  #countTakers(state: State): number {
    if (state.attributes.length <= 1) return state.attributes.length
    return Math.max(...this.#automaton.attributes.samples.map((_, one) => this.#automaton.takersOf(state, one).length))
  }

  #putTakers(state: State): number {
    const row = this.#automaton.attributes.samples.map((_, nameClass) => {
      const takers = this.#automaton.takersOf(state, nameClass)
      if (takers.length === 0) return 0
      const encoded = takers.flatMap((action) => this.#encode(action, false))
      return this.#put([takers.length, ...encoded])
    })
    return this.#put(row)
  }

  #putCondition(condition: Condition): number {
    const { attribute, value, isNegated, isInverted } = condition
    const { attributes } = this.#automaton
    const row = attributes.samples.map((_, nameClass) => (attributes.matches(attribute, nameClass) ? 1 : 0))
    const bytes = encoder.encode(value ?? '')
    const padded = new Int32Array(Math.ceil(bytes.length / 4))
    new Uint8Array(padded.buffer).set(bytes)
    const kind = isNegated ? ConditionKind.IS_NOT : ConditionKind.IS
    const words = {
      ROW: this.#put(row),
      KIND: value === undefined ? ConditionKind.IS_THERE : kind,
      VALUE: this.#put(padded),
      LENGTH: bytes.length,
      INVERTED: isInverted ? 1 : 0,
    }
    const at = this.#put(layOut(ConditionWord, words))
    this.#conditions.set(condition, at)
    return at
  }

  /** The place of a condition; 0 for none. */
  #placeOf(condition: Condition | boolean | undefined): number {
    if (typeof condition !== 'object') return 0
    return this.#conditions.get(condition) ?? this.#putCondition(condition)
  }

  /** The words of an action (`ActionWord`). `isDone`: whether the host does it if the record that it is about is open there. */
  #encode({ field, record, takes }: Action, isDone: boolean): number[] {
    if (!field) return encodeRecord(record)
    const { number, slot, pick, isList, unless, isEmptyAbsent } = field
    const inner = field.record
    const link = isList ? Link.ALL : pick === 'first' ? Link.FIRST : pick === 'last' ? Link.LAST : Link.NEWEST
    const what = takes === 'record' ? Takes.RECORD : takesOf(field, takes)
    return layOut(ActionWord, {
      TAKES:
        what |
        (record.outer ? OF_AROUND : 0) |
        (isDone ? IS_DONE : 0) |
        (takes !== 'attribute' && takes !== 'name' && isNillable(field) ? IS_NILLABLE : 0),
      FIELD: number,
      SLOT: slot,
      RECORD: record.number,
      LINK: link,
      MARK: isEmptyAbsent === true ? 1 : 0,
      UNLESS: this.#placeOf(unless),
      EMPTY: this.#placeOf(isEmptyAbsent),
      INNER: inner?.number ?? 0,
      LISTS: inner?.fields.length ?? 0,
      KEYS: inner ? this.#put(inner.keys.flatMap((key) => [key.slot, key.kind === 'integer' ? 1 : 0])) : 0,
      KEY_COUNT: inner?.keys.length ?? 0,
    })
  }
}

/** Words in the order of a layout; 0 for those that are not given. */
function layOut<Name extends string>(
  layout: Readonly<Record<Name, number>>,
  words: Readonly<Partial<Record<Name, number>>>,
): number[] {
  return (Object.keys(layout) as Name[]).map((name) => words[name] ?? 0)
}

/** That a record of the shape begins, or one around those. With one of the shape goes the field that has the one around it. */
function encodeRecord({ number, fields, outer }: RecordPlan): number[] {
  const begun = { INNER: number, LISTS: fields.length }
  if (outer) return layOut(ActionWord, { TAKES: Takes.AROUND, ...begun })
  const field = fields.find(({ record }) => record?.outer)
  const around = { FIELD: field?.number ?? 0, SLOT: field?.slot ?? 0, RECORD: field?.record?.number ?? 0 }
  return layOut(ActionWord, { TAKES: Takes.FOUND, ...around, ...begun, KEY_COUNT: field ? 1 : 0 })
}

/** Whether the kernel can do it. */
function isSimple({ field, record, takes, isOfEnclosing }: Action): boolean {
  if (record.number >= MOST_RECORDS || isOfEnclosing) return false
  if (!field) return takes === 'record'
  // Which of several sources a value is from does not matter if the last value counts.
  const isOne = field.sources.length === 1 || (field.pick === 'last' && !field.isList)
  if (!isOne || !SIMPLE_TAKES.includes(takes)) return false
  if (field.isStandalone || GENERAL_KINDS.includes(field.kind)) return false
  const { record: inner } = field
  return (
    !inner || (inner.number < MOST_RECORDS && inner.keys.every(({ kind }) => kind === 'string' || kind === 'integer'))
  )
}

const SIMPLE_TAKES: readonly Action['takes'][] = ['record', 'content', 'attribute', 'name']
const GENERAL_KINDS: readonly FieldPlan['kind'][] = ['attributes', 'children', 'object', 'rest']

/** What the value of a field is made of. */
function takesOf(field: FieldPlan, takes: Action['takes']): number {
  if (isPresence(field)) return Takes.PRESENCE
  if (takes === 'name') return Takes.NAME
  return field.kind === 'xml' ? Takes.SOURCE : Takes.CONTENT
}
