// What elements of audited records may have, as the states of the automaton that reads them say it: whoever follows these, the kernel or its host, sees
// whether a record has something that no field has a place for.

import { makeName } from '../../names/names.ts'
import { type Automaton, automatonOf, type State } from '../../question/automaton.ts'
import { Expected } from '../../question/layout.ts'
import { parsePaths } from '../../question/path.ts'
import type { Projection } from '../../question/projection.ts'
import type { InferredShape } from '../infer-shape.ts'
import type { PathNode } from '../path-node.ts'
import type { ElementForm } from '../record-form.ts'

/** A projection that is followed by an automaton of its own, for records of an inferred shape. */
export function auditedProjection(projection: Projection, { paths, prefixes, source }: InferredShape): Projection {
  const { nodes, form, isOpen, names } = source
  // If the sample may not have shown all records, their names need classes of their own: so others beside them are seen.
  const own = isOpen ? parsePaths(paths, { prefixes }) : []
  const audited = { ...projection, paths: [...own, ...projection.paths] }
  const automaton = automatonOf(audited)
  const { states } = automaton
  if (!states) return audited
  const classOf = ({ name }: { readonly name: string }) => {
    const made = makeName(name)
    return automaton.elements.of(made, names.prefixes?.get(made.prefix))
  }
  const enter = (parent: State, child: { readonly name: string }) => {
    return automaton.enter(parent, classOf(child), { find: () => undefined })
  }
  const stateAt = (node: PathNode): State => (node.parent ? enter(stateAt(node.parent), node) : automaton.start)
  const expect = (state: State, { isList, isXml, text, children }: ElementForm) => {
    // A place in no field has the state of all others that have none.
    if (state.isIdle && state.isDead) return
    const content = isXml ? Expected.ALL : text ? 0 : Expected.NO_TEXT
    state.expected = Expected.KNOWN | content | (isList ? 0 : Expected.ONCE)
    for (const child of children.values()) expect(enter(state, child), child)
  }
  const around = nodes[0]?.parent
  if (isOpen && around) leaveOthers(automaton, stateAt(around), new Set(nodes.map(classOf)))
  for (const node of nodes) expect(stateAt(node), form)
  for (const state of states) if (state.isAround) state.expected = Expected.HOST
  return audited
}

/** Elements beside records may be records that the sample did not show, or none: they get a state of their own, which is for the host. */
function leaveOthers({ states = [] }: Automaton, { steps }: State, known: ReadonlySet<number>): void {
  const copies = new Map<State, State>()
  for (const [nameClass, state] of steps?.next.entries() ?? []) {
    if (!state || known.has(nameClass)) continue
    const copy = copies.get(state) ?? { ...state, number: states.length + copies.size, expected: Expected.HOST }
    copies.set(state, copy)
    if (steps) steps.next[nameClass] = copy
  }
  ;(states as State[]).push(...copies.values())
}
