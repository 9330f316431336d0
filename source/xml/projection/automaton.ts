// What of a shape is wanted where in a document. The paths of all its fields are followed together: what is wanted in an element is one state,
// a number (a lazy powerset construction). A record inside a record follows its paths from the element where it begins.

import { XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'
import type { Bindings } from '../names/namespaces.ts'
import { type Candidate, Path } from './path.ts'
import { type FieldPlan, type FieldSource, isPresence, type RecordPlan } from './plan.ts'
import type { Nesting, Projection } from './projection.ts'

/** What is to be done when an element begins. */
export interface Action {
  /** The field that has a value; undefined where a record of the shape begins, or one of an element around. */
  readonly field: FieldPlan | undefined
  /** The record that it belongs to, or that begins. */
  readonly record: RecordPlan
  readonly takes: FieldSource['takes'] | 'record' | 'match' | 'member' | 'rest' | 'hole' | 'watch'
  readonly source: FieldSource | undefined
  /** Of the field's sources the one that it is; a lower one counts more. */
  readonly rank: number
  /** Whether it is about the record around another one of the same plan, which begins in the same element. */
  readonly isOfEnclosing?: boolean
}

/** A path that is followed. */
interface Tracker {
  readonly path: Path
  readonly action: Action
}

/** What is wanted in elements that were reached in the same way. */
interface State {
  /** Of each tracker the state of its path; 0 where it is not followed. */
  readonly paths: readonly number[]
  /** What is to be done at the start of such an element, and what takes the value of an attribute of it. */
  readonly actions: readonly Action[]
  readonly attributes: readonly Action[]
  /** Whether nothing is wanted in it, at any depth. */
  readonly isDead: boolean
  /** By the names of elements in it, after their namespace, what is wanted in them, where attributes decide nothing. */
  readonly next: Map<string, number>
}

export interface AutomatonOptions {
  /** Of the elements that records are made of. */
  readonly paths: readonly Path[]
  readonly plan: RecordPlan
  readonly nested: Nesting
  /** Elements that are to be known of wherever they are. */
  readonly watch?: Path | undefined
  /** Called when it has learned a lot. */
  readonly onLarge?: (() => void) | undefined
}

/** So many states and steps are a lot. */
const MANY_STATES = 256
const MANY_STEPS = 4096

/**
 * That of a projection. It learns from each document, and can be shared by documents that are read at the same time. One that has learned a lot is forgotten when its documents
 * are: its memory grows with the names of a document.
 */
export function automatonOf(projection: Projection): Automaton {
  const onLarge = () => {
    projection.automaton = undefined
  }
  projection.automaton ??= new Automaton({ ...projection, watch: projection.watched, onLarge })
  return projection.automaton
}

export class Automaton {
  /** The state of a document. */
  readonly start = 0
  /** Where matches in matches are all read, the state of an element that is one, as the record that is made of it sees it. */
  readonly begun: number
  /** Whether attributes decide which elements are meant. */
  readonly hasPredicates: boolean
  /** Whether what names stand for decides something. */
  readonly hasNamespaces: boolean
  readonly #trackers: Tracker[] = []
  /** The trackers of the elements that records are made of; and by the numbers of records, those of their fields. */
  readonly #tops: number[] = []
  readonly #inner: number[][] = []
  /** The one of the elements that are watched. */
  readonly #watch: number | undefined
  /** By the numbers of records, what is wanted of their own elements. */
  readonly #own: Action[][] = []
  readonly #isOutermost: boolean
  /** By trackers, their actions where these are about a record around the one that begins. */
  readonly #enclosing = new Map<number, Action>()
  /** All actions that have come up. */
  readonly #actions: Action[] = []
  readonly #states: State[] = []
  readonly #known = new Map<string, number>()
  /** How many steps it remembers, by their names. */
  #stepCount = 0
  readonly #onLarge: (() => void) | undefined

  constructor({ paths, plan, nested, watch, onLarge }: AutomatonOptions) {
    this.#onLarge = onLarge
    this.#isOutermost = nested === 'outermost'
    this.#addRecord(plan)
    const begin = { field: undefined, record: plan, takes: 'record', source: undefined, rank: 0 } as const
    // Each match is followed by itself, so that the fields of one do not depend on those around it.
    const isFollowed = nested === 'all'
    for (const path of paths) this.#tops.push(this.#track(path, isFollowed ? { ...begin, takes: 'match' } : begin))
    this.#watch = watch && this.#track(watch, { ...begin, takes: 'watch' })
    this.hasPredicates = this.#trackers.some(({ path }) => path.hasPredicates)
    this.hasNamespaces = this.#trackers.some(({ path, action }) => path.hasNamespaces || asksNamespaces(action))
    for (const own of this.#own) this.hasNamespaces ||= own.some(asksNamespaces)
    const begun = this.#trackers.map(({ path, action }) => (action.field === undefined ? path.start : 0))
    this.#find(begun, [])
    const inMatch = this.#trackers.map(() => 0)
    const actions: Action[] = []
    if (isFollowed) this.#add(begin, inMatch, actions)
    this.begun = isFollowed ? this.#find(inMatch, actions) : this.start
  }

  /** What is to be done at the start of an element in this state, before attributes are looked at. */
  actionsIn(state: number): readonly Action[] {
    return (this.#states[state] as State).actions
  }

  /** What takes the value of an attribute of an element in this state. */
  attributesIn(state: number): readonly Action[] {
    return (this.#states[state] as State).attributes
  }

  /** Whether an element in this state is one that records are made of. */
  isFound(state: number): boolean {
    return this.actionsIn(state).some(({ field, record, takes }) => {
      return takes === 'match' || (!field && !record.outer && takes === 'record')
    })
  }

  /** The same of a record around those. */
  isAround(state: number): boolean {
    return this.actionsIn(state).some(({ field, record, takes }) => !field && record.outer && takes === 'record')
  }

  /** How many states have come up. */
  get stateCount(): number {
    return this.#states.length
  }

  /** Whether nothing in an element in this state can be meant. */
  isDead(state: number): boolean {
    return (this.#states[state] as State).isDead
  }

  /** The state in an element, from that of its parent. */
  enter(parent: number, candidate: Candidate): number {
    if (this.hasPredicates) return this.#enter(parent, candidate)
    const { next } = this.#states[parent] as State
    const { raw } = candidate.name
    const name = this.hasNamespaces ? `${candidate.namespace ?? ''} ${raw}` : raw
    let entered = next.get(name)
    if (entered === undefined) {
      entered = this.#enter(parent, candidate)
      next.set(name, entered)
      if (++this.#stepCount === MANY_STEPS) this.#onLarge?.()
    }
    return entered
  }

  #enter(parent: number, candidate: Candidate): number {
    const { paths } = this.#states[parent] as State
    const next = paths.map((state, i) =>
      state === 0 ? 0 : (this.#trackers[i] as Tracker).path.enter(state, candidate),
    )
    const actions: Action[] = []
    const matched = next.flatMap((state, i) => (state !== 0 && this.#isFound(i, next) ? [i] : []))
    const top = matched.find((tracker) => this.#tops.includes(tracker))
    if (this.#watch !== undefined && matched.includes(this.#watch)) this.#act(this.#watch, next, actions)
    if (top !== undefined) this.#act(top, next, actions)
    // What an element is to the record around it comes before the record that it begins itself.
    const begins = (tracker: number) => {
      const { field, record } = (this.#trackers[tracker] as Tracker).action
      return !field && record.outer !== undefined
    }
    const begun = matched.filter(begins).map((tracker) => (this.#trackers[tracker] as Tracker).action.record)
    for (const tracker of [...matched.filter((one) => !begins(one)), ...matched.filter(begins)]) {
      const { record, takes } = (this.#trackers[tracker] as Tracker).action
      // A record that begins ends the one around it: what that wanted is not wanted of its element.
      const isWanted = tracker !== this.#watch && (top === undefined || record.outer !== undefined)
      if (!isWanted || this.#tops.includes(tracker)) continue
      // Attributes are taken when all has begun.
      if (takes === 'attribute' && begun.includes(record)) actions.push(this.#ofEnclosing(tracker))
      else this.#act(tracker, next, actions)
    }
    return this.#find(next, actions)
  }

  /** The same of an element without attributes, where names alone decide. */
  enterNamed(parent: number, name: Name, bindings: Bindings | undefined): number {
    return this.enter(parent, { name, namespace: bindings?.get(name.prefix), attributes: XmlAttributes.NONE })
  }

  /** Whether a tracker has found its element: the rest is what no other one of its record follows. */
  #isFound(tracker: number, next: readonly number[]): boolean {
    const { path, action } = this.#trackers[tracker] as Tracker
    if (!path.isMatch(next[tracker] as number)) return false
    const others = action.takes === 'rest' ? (this.#inner[action.record.number] as number[]) : []
    return others.every((other) => {
      const takes = this.#trackers[other]?.action.takes
      return next[other] === 0 || takes === 'rest' || takes === 'hole'
    })
  }

  /** The action of a tracker, which is about a record around the one that begins. */
  #ofEnclosing(tracker: number): Action {
    const known = this.#enclosing.get(tracker)
    const action = known ?? { ...(this.#trackers[tracker] as Tracker).action, isOfEnclosing: true }
    this.#enclosing.set(tracker, action)
    return action
  }

  /** A tracker has found its element. */
  #act(tracker: number, next: number[], actions: Action[]): void {
    const { action } = this.#trackers[tracker] as Tracker
    this.#add(action, next, actions)
    if (action.takes !== 'record') return
    // Of records of one field, or of the shape, the outermost counts. What is around all of them may lie in itself.
    if (action.field !== undefined) next[tracker] = 0
    else if (action.record.outer === undefined && this.#isOutermost) for (const top of this.#tops) next[top] = 0
  }

  /** Adds an action, and if it begins a record, what is wanted of that. */
  #add(action: Action, next: number[], actions: Action[]): void {
    actions.push(action)
    const record = action.takes === 'record' ? (action.field?.record ?? action.record) : undefined
    if (!record) return
    for (const tracker of this.#inner[record.number] as number[]) {
      next[tracker] = (this.#trackers[tracker] as Tracker).path.start
    }
    for (const own of this.#own[record.number] as Action[]) this.#add(own, next, actions)
  }

  #addRecord(record: RecordPlan): void {
    const inner: number[] = []
    const own: Action[] = []
    this.#inner[record.number] = inner
    this.#own[record.number] = own
    if (record.outer) {
      this.#track(record.outer, { field: undefined, record, takes: 'record', source: undefined, rank: 0 })
    }
    for (const field of record.fields) {
      if (field.record) this.#addRecord(field.record)
      for (const [rank, source] of field.sources.entries()) {
        const action = { field, record, takes: field.record ? 'record' : source.takes, source, rank } as const
        // A path of any number of elements matches that of the record too.
        if (field.kind === 'rest') inner.push(this.#track(Path.childOf(undefined), { ...action, takes: 'rest' }))
        else if (source.path === undefined || source.path.isMatch(source.path.start)) own.push(action)
        if (source.path) inner.push(this.#track(source.path, action))
        if (source.holes) inner.push(this.#track(source.holes, { ...action, takes: 'hole' }))
        if (source.members) inner.push(this.#track(source.members, { ...action, takes: 'member' }))
      }
    }
  }

  #track(path: Path, action: Action): number {
    return this.#trackers.push({ path, action }) - 1
  }

  #numberOf(action: Action): number {
    let number = this.#actions.indexOf(action)
    if (number === -1) number = this.#actions.push(action) - 1
    return number
  }

  #find(paths: readonly number[], actions: readonly Action[]): number {
    // The states of the paths alone do not say which of them began here.
    const key = `${paths.join()};${actions.map((action) => this.#numberOf(action)).join()}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = this.#states.length
    if (found === MANY_STATES) this.#onLarge?.()
    this.#known.set(key, found)
    const isDead = paths.every((state, i) => state === 0 || (this.#trackers[i] as Tracker).path.isDead(state))
    this.#states.push({
      paths,
      actions: actions.filter(({ takes }) => takes !== 'attribute'),
      attributes: actions.filter(({ takes }) => takes === 'attribute'),
      isDead,
      next: new Map(),
    })
    return found
  }
}

/** Whether what prefixes stand for decides which attribute is meant. */
function asksNamespaces({ field, source }: Action): boolean {
  const conditions = [field?.unless, field?.isEmptyAbsent].map((one) =>
    typeof one === 'object' ? one.attribute : undefined,
  )
  return [source?.attribute, ...conditions].some((name) => name?.namespace !== undefined)
}

/**
 * Whether an action where a record begins is for the host, and needs to be done for the first of several records alone: what is watched, and that the
 * element around has one.
 */
export function isForHost({ takes, field, record }: Action): boolean {
  if (takes === 'watch') return true
  if (!record.outer || !field || field.isList || field.pick !== 'first' || field.sources.length > 1) return false
  return takes === 'content' && field.kind === 'present' && isPresence(field) && field.unless === undefined
}
