// What of a shape is wanted where in a document. The paths of all its fields are followed together: what is wanted in an element is one state, and all
// states are found before a document begins (a powerset construction). A record inside a record follows its paths from the element where it begins.

import type { NamePattern } from '../names/name-pattern.ts'
import { type Condition, holds } from './condition.ts'
import { NameClasses, type Sample } from './name-classes.ts'
import { type Candidate, Path } from './path.ts'
import type { FieldPlan, FieldSource, RecordPlan } from './plan.ts'
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
  /** Of a match that is followed by itself, what says which paths it matches. */
  readonly marks?: readonly Action[]
}

/** A path that is followed. */
interface Tracker {
  readonly number: number
  readonly path: Path
  readonly action: Action
}

type Followed = readonly [tracker: Tracker, steps: number]

/** The trackers that are followed in an element that begins. */
type Next = Map<Tracker, number>

/** What is wanted in elements that were reached in the same way. */
export interface State {
  /** Its index among all states; -1 where not all are known. */
  number: number
  /** The trackers that are followed, in their order, and the steps of their paths that may come next; and as a text, which says what comes after. */
  readonly followed: readonly Followed[]
  readonly key: string
  /** What is to be done at the start of such an element, and what takes the value of an attribute of it. */
  readonly actions: readonly Action[]
  readonly attributes: readonly Action[]
  /** Whether nothing is to be done where it begins, and whether nothing is wanted in it. */
  readonly isIdle: boolean
  readonly isDead: boolean
  /** Whether a record of the shape begins, or one of an element around those. */
  readonly isFound: boolean
  readonly isAround: boolean
  /** The steps to the elements in it; undefined where not all states are known. */
  steps: Steps | undefined
  /** By the classes of the names of attributes, what takes their values, where that was asked for. */
  readonly takers: (readonly Action[] | undefined)[]
  /** What such an element may have, where records are audited (`Expected`). */
  expected: number
}

/** By the classes of names, the states of elements in one of a state; undefined and a guard where attributes decide. */
export interface Steps {
  readonly next: (State | undefined)[]
  readonly guards: Map<number, Guard>
}

export interface Guard {
  readonly conditions: readonly Condition[]
  /** By the conditions that hold, as bits, the state that is entered. */
  readonly states: readonly State[]
}

/** An element whose attributes can be asked for. */
export interface Attributed {
  find(attribute: NamePattern): string | undefined
}

/**
 * A question is closed if it has at most so many different rows of steps, so many steps in them, and so many conditions that decide one step. Some have
 * as many states as there are ways to come down so many elements (`//a` and twenty times `/*`). The paths of such a question are followed as they are.
 */
const MOST_ROWS = 512
const MOST_STEPS = 1 << 15
const MOST_CONDITIONS = 4

const automata = new WeakMap<Projection, Automaton>()

/** The one of a projection. It is made once, and shared by documents that are read at the same time. */
export function automatonOf(projection: Projection): Automaton {
  const known = automata.get(projection)
  if (known) return known
  const automaton = new Automaton(projection)
  automata.set(projection, automaton)
  return automaton
}

export class Automaton {
  /** The state of a document. */
  readonly start: State
  /** Where matches in matches are all read, the state of an element that is one, as the record that is made of it sees it. */
  readonly begun: State
  /** All states, if there are not too many; undefined: paths are followed as they are. */
  readonly states: readonly State[] | undefined
  /** The classes of names of elements, and those of names of attributes. */
  readonly elements: NameClasses
  readonly attributes: NameClasses
  readonly #trackers: Tracker[] = []
  /** The trackers of the elements that records are made of; and by the numbers of records, those of their fields. */
  readonly #tops: readonly Tracker[]
  /** In the order of those, the trackers of matches in a match, where these are counted. */
  readonly #innerMatches: readonly Tracker[]
  readonly #inner: Tracker[][] = []
  /** Those of the elements that are watched. */
  readonly #watched: readonly Tracker[]
  /** By the numbers of records, what is wanted of their own elements. */
  readonly #own: Action[][] = []
  readonly #isOutermost: boolean
  /** What says which of the paths a record matches, in their order. */
  readonly #marks: readonly Action[]

  /** With `each`, each path is followed by itself: the rank of an action is the index of its path. */
  constructor({
    paths,
    plan,
    nested,
    watch = [],
  }: Pick<Projection, 'paths' | 'plan'> & Partial<Pick<Projection, 'watch'>> & { readonly nested: Nesting | 'each' }) {
    this.#isOutermost = nested === 'outermost'
    const { marks = [] } = plan
    this.#marks = marks.map((field) => ({ ...beginningOf(plan), field, takes: 'content' }))
    this.#addRecord(plan)
    const begin = beginningOf(plan)
    // Each match is followed by itself, so that the fields of one do not depend on those around it.
    const isEach = nested === 'each'
    const isFollowed = isEach || nested === 'all'
    this.#tops = paths.map((path, i) => {
      return this.#track(path, isFollowed ? { ...begin, takes: 'match', rank: isEach ? i : 0 } : begin)
    })
    const counting = plan.inner && { ...begin, field: plan.inner, takes: 'content' as const }
    this.#innerMatches = counting ? paths.map((path) => this.#track(path, counting)) : []
    this.#watched = watch.map((path) => this.#track(path, { ...begin, takes: 'watch' }))
    const conditions = this.#trackers.flatMap(({ path }) => path.conditions)
    const actions = [...this.#trackers.map(({ action }) => action), ...this.#own.flat()]
    this.elements = new NameClasses(this.#trackers.flatMap(({ path }) => path.names))
    this.attributes = new NameClasses([...conditions.map(({ attribute }) => attribute), ...actions.flatMap(namesOf)])
    const followed = this.#trackers.filter(({ action }) => action.field === undefined)
    this.start = makeState(new Map(followed.map((tracker) => [tracker, tracker.path.start])), [])
    const inMatch: Next = new Map()
    const ofMatch: Action[] = []
    if (isFollowed) this.#add(begin, inMatch, ofMatch)
    this.begun = isFollowed ? makeState(inMatch, ofMatch) : this.start
    this.states = this.#close()
  }

  /** Whether what prefixes stand for decides something. */
  get hasNamespaces(): boolean {
    return this.elements.hasNamespaces || this.attributes.hasNamespaces
  }

  /** The state in an element with a name of a class, from that of its parent. */
  enter(parent: State, nameClass: number, element: Attributed): State {
    return parent.steps?.next[nameClass] ?? this.decide(parent, nameClass, element)
  }

  /** Like `enter`, where the steps do not have the state. */
  decide(parent: State, nameClass: number, element: Attributed): State {
    const isTrue = (condition: Condition) => holds(condition, element.find(condition.attribute))
    const guard = parent.steps?.guards.get(nameClass)
    if (!guard) return this.#enter(parent.followed, nameClass, isTrue)
    let outcome = 0
    for (const [i, condition] of guard.conditions.entries()) if (isTrue(condition)) outcome |= 1 << i
    return guard.states[outcome] as State
  }

  /** What takes the value of an attribute with a name of a class, of an element in a state. */
  takersOf(state: State, nameClass: number): readonly Action[] {
    state.takers[nameClass] ??= state.attributes.filter(({ source }) => {
      return source?.attribute && this.attributes.matches(source.attribute, nameClass)
    })
    return state.takers[nameClass]
  }

  /** What two states have in common if they want the same. */
  identify(state: State): State | string {
    if (this.states) return state
    const actions = [...state.actions, ...state.attributes].map((action) => {
      const { field, record, takes, rank, isOfEnclosing, marks = [] } = action
      return [field?.number, record.number, takes, rank, isOfEnclosing, ...marks.map((mark) => mark.field?.number)]
    })
    return `${state.key};${actions.join(';')}`
  }

  /** Finds all states, and the steps between them. Undefined if there are too many. */
  #close(): readonly State[] | undefined {
    const states = new Map<string, State>()
    const rows = new Map<string, Steps>()
    const find = (state: State): State => {
      const key = this.identify(state) as string
      const known = states.get(key)
      if (known) return known
      state.number = states.size
      states.set(key, state)
      return state
    }
    find(this.start)
    find(this.begun)
    // There are more of them with each round.
    for (const state of states.values()) {
      const key = state.key
      const row = rows.get(key) ?? this.#stepsFrom(state, find)
      if (!row || rows.size === MOST_ROWS || rows.size * row.next.length > MOST_STEPS) return undefined
      rows.set(key, row)
    }
    const all = [...states.values()]
    for (const state of all) state.steps = rows.get(state.key)
    return all
  }

  /** Undefined if too many conditions decide a step. */
  #stepsFrom(state: State, find: (state: State) => State): Steps | undefined {
    const steps: Steps = { next: [], guards: new Map() }
    const named = this.#named(state)
    const anywhere = named.get(0) as Followed[]
    for (const nameClass of this.elements.samples.keys()) {
      const more = named.get(nameClass)
      if (!more) {
        // No path tells these names from others.
        const guard = steps.guards.get(0)
        steps.next.push(steps.next[0])
        if (guard) steps.guards.set(nameClass, guard)
        continue
      }
      const followed = nameClass === 0 ? anywhere : merge(anywhere, more)
      const conditions: Condition[] = []
      const entered = find(this.#enter(followed, nameClass, (condition) => conditions.push(condition) > 0))
      if (conditions.length > MOST_CONDITIONS) return undefined
      const isGuarded = conditions.length > 0
      steps.next.push(isGuarded ? undefined : entered)
      if (!isGuarded) continue
      const states = Array.from({ length: 1 << conditions.length }, (_, outcome) => {
        return find(this.#enter(followed, nameClass, (one) => (outcome & (1 << conditions.indexOf(one))) !== 0))
      })
      steps.guards.set(nameClass, { conditions, states })
    }
    return steps
  }

  /** By the classes of names that paths in a state name, the trackers that they are for; of class 0 those that any name may be for. */
  #named({ followed }: State): Map<number, Followed[]> {
    const any = { ...(this.elements.samples[0] as Sample), holds: () => true }
    const named = new Map<number, Followed[]>([
      [0, followed.filter(([{ path }, steps]) => path.enter(steps, any) !== 0)],
    ])
    for (const one of followed) {
      for (const nameClass of new Set(one[0].path.names.flatMap((name) => this.elements.classesOf(name)))) {
        const known = named.get(nameClass)
        if (known) known.push(one)
        else named.set(nameClass, [one])
      }
    }
    return named
  }

  #enter(followed: readonly Followed[], nameClass: number, isTrue: Candidate['holds']): State {
    const candidate = { ...(this.elements.samples[nameClass] as Sample), holds: isTrue }
    const next: Next = new Map()
    for (const [tracker, steps] of followed) {
      const entered = tracker.path.enter(steps, candidate)
      if (entered !== 0) next.set(tracker, entered)
    }
    const actions: Action[] = []
    const matched = [...next.keys()].filter((tracker) => this.#isFound(tracker, next))
    const top = matched.find((tracker) => this.#tops.includes(tracker))
    const watched = this.#watched.find((tracker) => matched.includes(tracker))
    if (watched) this.#act(watched, next, actions)
    const marks = this.#marks.filter((_, i) => matched.includes(this.#tops[i] as Tracker))
    if (top?.action.takes === 'match') actions.push({ ...top.action, marks })
    else if (top) {
      this.#act(top, next, actions)
      actions.push(...marks)
    }
    // What an element is to the record around it comes before the record that it begins itself.
    const begins = ({ action: { field, record } }: Tracker) => !field && record.outer !== undefined
    const begun = matched.filter(begins)
    const firstInner = matched.find((one) => this.#innerMatches.includes(one))
    for (const tracker of [...matched.filter((one) => !begins(one)), ...begun]) {
      const { record, takes, rank } = tracker.action
      // A record that begins ends the one around it: what that wanted is not wanted of its element.
      const isWanted = !this.#watched.includes(tracker) && (!top || record.outer !== undefined)
      // Where each path is followed by itself, the first that matches has the lowest rank: others have one above 0.
      if (this.#tops.includes(tracker) ? tracker === top || !rank : !isWanted) continue
      // An element that several paths match is counted once.
      if (this.#innerMatches.includes(tracker) && tracker !== firstInner) continue
      // Attributes are taken when all has begun.
      const isOfEnclosing = takes === 'attribute' && begun.some(({ action }) => action.record === record)
      if (isOfEnclosing) actions.push({ ...tracker.action, isOfEnclosing: true })
      else this.#act(tracker, next, actions)
    }
    return makeState(next, actions)
  }

  /** Whether a tracker has found its element: the rest is what no other field of its record names. */
  #isFound(tracker: Tracker, next: Next): boolean {
    const { path, action } = tracker
    if (!path.isMatch(next.get(tracker) ?? 0)) return false
    const others = action.takes === 'rest' ? (this.#inner[action.record.number] as Tracker[]) : []
    return others.every((other) => {
      return !next.has(other) || other.action.field?.condition || ['rest', 'hole'].includes(other.action.takes)
    })
  }

  /** A tracker has found its element. */
  #act(tracker: Tracker, next: Next, actions: Action[]): void {
    const { action } = tracker
    this.#add(action, next, actions)
    if (action.takes !== 'record') return
    // Of records of one field, or of the shape, the outermost counts. What is around all of them may lie in itself.
    if (action.field !== undefined) next.delete(tracker)
    else if (action.record.outer === undefined && this.#isOutermost) this.#leaveTops(next)
  }

  /** What matches in the element that has begun becomes no record. It is counted if that is wanted. */
  #leaveTops(next: Next): void {
    for (const [i, top] of this.#tops.entries()) {
      const steps = next.get(top)
      const inner = this.#innerMatches[i]
      next.delete(top)
      if (inner && steps !== undefined) next.set(inner, steps)
    }
  }

  /** Adds an action, and if it begins a record, what is wanted of that. */
  #add(action: Action, next: Next, actions: Action[]): void {
    actions.push(action)
    const record = action.takes === 'record' ? (action.field?.record ?? action.record) : undefined
    if (!record) return
    for (const tracker of this.#inner[record.number] as Tracker[]) next.set(tracker, tracker.path.start)
    for (const own of this.#own[record.number] as Action[]) this.#add(own, next, actions)
  }

  #addRecord(record: RecordPlan): void {
    const inner: Tracker[] = []
    const own: Action[] = []
    this.#inner[record.number] = inner
    this.#own[record.number] = own
    if (record.outer) this.#track(record.outer, beginningOf(record))
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

  #track(path: Path, action: Action): Tracker {
    const tracker = { number: this.#trackers.length, path, action }
    this.#trackers.push(tracker)
    return tracker
  }
}

/** That a record of the shape begins, or one of an element around. */
function beginningOf(record: RecordPlan): Action {
  return { field: undefined, record, takes: 'record', source: undefined, rank: 0 }
}

/** Trackers of two lists, each in its order, in this order. */
function merge(some: readonly Followed[], more: readonly Followed[]): readonly Followed[] {
  const others = more.filter((one) => !some.includes(one))
  return others.length === 0 ? some : [...some, ...others].sort(([one], [other]) => one.number - other.number)
}

function makeState(next: Next, all: readonly Action[]): State {
  const open = Array.from(next, ([tracker, steps]): Followed => [tracker, tracker.path.openSteps(steps)])
  const followed = open.filter(([, steps]) => steps !== 0).sort(([one], [other]) => one.number - other.number)
  let key = ''
  for (const [{ number }, steps] of followed) key += `${number}:${steps},`
  const actions = all.filter(({ takes }) => takes !== 'attribute')
  const attributes = all.filter(({ takes }) => takes === 'attribute')
  const begun = all.filter(({ takes, field }) => !field && takes !== 'watch')
  return {
    number: -1,
    followed,
    key,
    actions,
    attributes,
    isIdle: all.length === 0,
    isDead: followed.length === 0,
    isFound: begun.some(({ record }) => !record.outer),
    isAround: begun.some(({ record }) => record.outer),
    steps: undefined,
    takers: [],
    expected: 0,
  }
}

/** The names of attributes that decide something for an action. */
function namesOf({ field, source }: Action): NamePattern[] {
  const conditions = [field?.unless, field?.isEmptyAbsent].map((one) =>
    typeof one === 'object' ? one.attribute : undefined,
  )
  return [source?.attribute, ...conditions].filter((name) => name !== undefined)
}

/**
 * Whether an action where a record begins is for the host, and needs to be done for the first of several records alone: what is watched, and that the
 * element around has one.
 */
export function isForHost({ takes, field, record }: Action): boolean {
  if (takes === 'watch') return true
  if (!record.outer || !field || field.isList || field.pick !== 'first' || field.sources.length > 1) return false
  return takes === 'content' && field.kind === 'present' && field.isEmptyAbsent === false && !field.unless
}
