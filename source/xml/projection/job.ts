// What the kernel has to know to find values in complete records (kernel/xml/project.ts): the steps of a table, and what is to be done in each
// state, as numbers.

import { type Action, type Automaton, isForHost } from './automaton.ts'
import { ABSENT_IF_EMPTY } from './captures.ts'
import type { Condition } from './condition.ts'
import { type FieldPlan, isPresence, type RecordPlan } from './plan.ts'
import { flagsOf, StateFlag, type Table } from './table.ts'

/** Words before the tables; those that are not listed are written for each call (kernel-projector.ts). */
const HEADER_WORDS = 32
const Header = { WIDTH: 0, NEXT: 1, STATES: 2, CONDITIONS: 3, END_TAG: 4 } as const

/**
 * More flags of states, as the kernel has them: something is to be done that it cannot do; where records begin, something is for the host (`isForHost`);
 * and that it watches for such elements.
 */
const GENERAL = 32
const HOST = 64
const WATCHED = 128

const Takes = { FOUND: 0, RECORD: 1, CONTENT: 2, SOURCE: 3, PRESENCE: 4, AROUND: 5 } as const
/** Of actions about a record around those of the shape; and of those that the host does where records begin. */
const OF_AROUND = 16
const IS_DONE = 32
const Link = { FIRST: 0, LAST: 1, ALL: 2, NEWEST: 3 } as const
const CONDITION_WORDS = 4

/** What the kernel makes room for: records in a shape, lists that begin in a state, and fields that one attribute is for. */
const MOST_RECORDS = 64
const MOST_LISTS = 512
const MOST_ACTIONS = 512
const MOST_TAKERS = 8
/** Words of a job: a larger one would be copied too often as it grows. */
const MOST_WORDS = 1 << 18

const encoder = new TextEncoder()

/** Changes as steps become known. */
export class Job {
  /** Undefined if there would be too many. */
  words: Int32Array<ArrayBuffer> | undefined
  /** Changes with the words. */
  version = 0
  readonly #table: Table
  readonly #automaton: Automaton
  readonly #endTag: number
  readonly #conditions: Condition[] = []
  /** By condition and symbol, whether it is about attributes of that name. */
  readonly #named: Map<number, number>[] = []
  /** By state and symbol, whether it was asked what takes the value of an attribute. */
  readonly #asked = new Map<number, Set<number>>()
  /** The steps that the words were made of, and how many states there were. */
  #next: Int32Array | undefined
  #stateCount = 0

  constructor(table: Table, automaton: Automaton, endTag: number) {
    this.#table = table
    this.#automaton = automaton
    this.#endTag = endTag
  }

  /** Makes words of what is known now. */
  refresh(): void {
    const { next, width } = this.#table
    this.#next = next
    const writer = new Writer()
    writer.put(new Array<number>(HEADER_WORDS).fill(0))
    writer.words[Header.WIDTH] = width
    writer.words[Header.END_TAG] = this.#endTag
    const states = this.#automaton.stateCount
    this.#stateCount = states
    writer.words[Header.NEXT] = writer.put(next)
    // States that were not left yet have no row in the table.
    for (let missing = states * width - next.length; missing > 0; missing--) writer.words.push(-1)
    writer.words[Header.STATES] = writer.put(new Array<number>(4 * states).fill(0))
    for (let state = 0; state < states; state++) this.#putState(writer, state)
    this.#putConditions(writer)
    this.words = writer.words.length > MOST_WORDS ? undefined : Int32Array.from(writer.words)
    this.version++
  }

  /** Makes sure that the words have all states up to one. */
  reach(state: number): void {
    if (state >= this.#stateCount) this.refresh()
  }

  /** A step that was not known: the table knows it now. False if it cannot be in the job. */
  learnStep(parent: number, symbol: number): boolean {
    const state = this.#table.enter(parent, symbol)
    // Not all names and states have a place in the table.
    const isListed = symbol < this.#table.width && this.#table.next[parent * this.#table.width + symbol] === state
    if (!isListed) return false
    if (this.words && this.#isCurrent)
      this.#patch((this.words[Header.NEXT] as number) + parent * this.#table.width + symbol, state)
    else this.refresh()
    return this.words !== undefined
  }

  /** The same of what takes the value of an attribute. */
  learnAttribute(state: number, symbol: number): boolean {
    if (!this.#table.reach(symbol)) return false
    const asked = this.#asked.get(state) ?? new Set()
    this.#asked.set(state, asked.add(symbol))
    const takesNothing = this.#table.takersOf(state, symbol).length === 0
    if (!this.words || !this.#isCurrent || !takesNothing) this.refresh()
    else this.#patch((this.words[(this.words[Header.STATES] as number) + 4 * state + 3] as number) + symbol, 0)
    return this.words !== undefined
  }

  /** The same of whether a condition is about attributes of a name. */
  learnCondition(index: number, symbol: number): boolean {
    if (!this.#table.reach(symbol)) return false
    const { attribute } = this.#conditions[index] as Condition
    const named = this.#named[index] ?? new Map()
    const isNamed = this.#table.isNamed(attribute, symbol) ? 1 : 0
    this.#named[index] = named.set(symbol, isNamed)
    if (!this.words || !this.#isCurrent) this.refresh()
    else this.#patch((this.words[(this.words[Header.CONDITIONS] as number) + 4 * index] as number) + symbol, isNamed)
    return this.words !== undefined
  }

  /** Whether the words have all states, and places for all steps. */
  get #isCurrent(): boolean {
    return this.#next === this.#table.next && this.#stateCount === this.#automaton.stateCount
  }

  #patch(at: number, word: number): void {
    const words = this.words as Int32Array
    words[at] = word
    this.version++
  }

  #putState(writer: Writer, state: number): void {
    let flags = flagsOf(this.#automaton, state)
    // What is watched for is for the host where records begin.
    const isFound = (flags & StateFlag.FOUND) !== 0
    const begins = (flags & (StateFlag.FOUND | StateFlag.AROUND)) !== 0
    const actions = this.#automaton.actionsIn(state).filter(({ takes }) => !begins || takes !== 'watch')
    const takers = this.#automaton.attributesIn(state)
    const lists = actions.reduce((sum, { takes, field, record }) => {
      return sum + (takes === 'record' ? (field?.record ?? record).fields.length : 0)
    }, 0)
    const isFew = lists <= MOST_LISTS && actions.length <= MOST_ACTIONS
    const canDo = isFew && countAlike(takers) <= MOST_TAKERS && [...actions, ...takers].every(isSimple)
    if (!canDo) flags |= GENERAL
    if (begins && this.#automaton.actionsIn(state).some(isForHost)) flags |= HOST
    if (begins && this.#automaton.actionsIn(state).some(({ takes }) => takes === 'watch')) flags |= WATCHED
    const at = (writer.words[Header.STATES] as number) + 4 * state
    writer.words[at] = flags
    if (!canDo || (flags & (StateFlag.ACTS | StateFlag.ATTRIBUTES)) === 0) return
    const encoded = actions.flatMap((action) => this.#encode(writer, action, isFound && isForHost(action)))
    writer.words[at + 1] = writer.put(encoded)
    writer.words[at + 2] = actions.length
    if (takers.length > 0) writer.words[at + 3] = this.#putTakers(writer, state)
  }

  /** By symbol, what takes the value of an attribute: where a list is that begins with its length; 0 for nothing, -1 if it was not asked. */
  #putTakers(writer: Writer, state: number): number {
    const row = new Int32Array(this.#table.width).fill(-1)
    const at = writer.put(row)
    for (const symbol of this.#asked.get(state) ?? []) {
      const takers = this.#table.takersOf(state, symbol)
      const encoded = takers.flatMap((action) => this.#encode(writer, action, false))
      if (symbol < row.length)
        writer.words[at + symbol] = takers.length === 0 ? 0 : writer.put([takers.length, ...encoded])
    }
    return at
  }

  #putConditions(writer: Writer): void {
    const at = writer.put(new Array<number>(CONDITION_WORDS * this.#conditions.length).fill(0))
    writer.words[Header.CONDITIONS] = at
    for (const [i, { value, isNegated }] of this.#conditions.entries()) {
      const row = new Int32Array(this.#table.width).fill(-1)
      for (const [symbol, isNamed] of this.#named[i] ?? []) row[symbol] = isNamed
      const bytes = encoder.encode(value ?? '')
      const words = new Int32Array(Math.ceil(bytes.length / 4))
      new Uint8Array(words.buffer).set(bytes)
      const place = at + CONDITION_WORDS * i
      writer.words[place] = writer.put(row)
      writer.words[place + 1] = value === undefined ? 0 : isNegated ? 2 : 1
      writer.words[place + 2] = 4 * writer.put(words)
      writer.words[place + 3] = bytes.length
    }
  }

  /** `isDone`: whether the host does it if the record that it is about is open there. */
  #encode(writer: Writer, { field, record, takes }: Action, isDone: boolean): number[] {
    if (!field) return this.#encodeRecord(record)
    const { number, slot, pick, isList, unless, isEmptyAbsent } = field
    const isAlways = isEmptyAbsent === true ? ABSENT_IF_EMPTY : 0
    const inner = field.record
    const link = isList ? Link.ALL : pick === 'first' ? Link.FIRST : pick === 'last' ? Link.LAST : Link.NEWEST
    const what = takes === 'record' ? Takes.RECORD : takesOf(field)
    return [
      what | (record.outer ? OF_AROUND : 0) | (isDone ? IS_DONE : 0),
      number,
      slot,
      record.number,
      link,
      isAlways,
      this.#numberOf(unless),
      this.#numberOf(typeof isEmptyAbsent === 'object' ? isEmptyAbsent : undefined),
      inner?.number ?? 0,
      inner?.fields.length ?? 0,
      inner ? writer.put(inner.keys.flatMap((key) => [key.slot, key.kind === 'integer' ? 1 : 0])) : 0,
      inner?.keys.length ?? 0,
    ]
  }

  /** That a record of the shape begins, or one around those. With one of the shape goes the field that has the one around it. */
  #encodeRecord({ number, fields, outer }: RecordPlan): number[] {
    if (outer) return [Takes.AROUND, 0, 0, 0, 0, 0, 0, 0, number, fields.length, 0, 0]
    const field = fields.find(({ record }) => record?.outer)
    const around = [field?.number ?? 0, field?.slot ?? 0, field?.record?.number ?? 0]
    return [Takes.FOUND, ...around, 0, 0, 0, 0, number, fields.length, 0, field ? 1 : 0]
  }

  /** The number of a condition, from 1; 0 for none. */
  #numberOf(condition: Condition | undefined): number {
    if (!condition) return 0
    const index = this.#conditions.indexOf(condition)
    return index === -1 ? this.#conditions.push(condition) : index + 1
  }
}

/** Puts words one after the other. */
class Writer {
  readonly words: number[] = []

  /** Where they are. */
  put(words: Iterable<number>): number {
    const at = this.words.length
    for (const word of words) this.words.push(word)
    return at
  }
}

/** How many fields one attribute may be for, at the most. */
function countAlike(takers: readonly Action[]): number {
  const names = takers.map(({ source }) => source?.attribute?.name?.replace(/^.*:/u, ''))
  const counts = names.map((name) => names.filter((other) => other === name || other === undefined).length)
  return Math.max(0, ...counts)
}

/** Whether the kernel can do it. */
function isSimple({ field, record, takes, isOfEnclosing }: Action): boolean {
  if (record.number >= MOST_RECORDS || isOfEnclosing) return false
  if (!field) return takes === 'record'
  if (field.sources.length > 1 || !SIMPLE_TAKES.includes(takes)) return false
  if (field.isStandalone || GENERAL_KINDS.includes(field.kind)) return false
  const { record: inner } = field
  return (
    !inner || (inner.number < MOST_RECORDS && inner.keys.every(({ kind }) => kind === 'string' || kind === 'integer'))
  )
}

const SIMPLE_TAKES: readonly Action['takes'][] = ['record', 'content', 'attribute']
const GENERAL_KINDS: readonly FieldPlan['kind'][] = ['attributes', 'children', 'rest']

/** What the value of a field is made of. */
function takesOf(field: FieldPlan): number {
  return isPresence(field) ? Takes.PRESENCE : field.kind === 'xml' ? Takes.SOURCE : Takes.CONTENT
}
