// Records of an inferred shape, with everything that the sample did not show in their field `rest`.

import { kindOf } from '../../../record/kinds.ts'
import { shorten } from '../../errors/unplaced-error.ts'
import { makeName } from '../../names/names.ts'
import type { ParseElement } from '../../output/record-reader.ts'
import { type Automaton, automatonOf, type State } from '../../question/automaton.ts'
import { Expected } from '../../question/layout.ts'
import { parsePaths } from '../../question/path.ts'
import type { Projection } from '../../question/projection.ts'
import type { XmlShape } from '../../question/shape.ts'
import { readRecords } from '../../readings/records.ts'
import { parsing } from '../../readings/rest.ts'
import { formatCompact } from '../format-shape.ts'
import type { InferredShape } from '../infer-shape.ts'
import type { InferredField } from '../inferred-fields.ts'
import type { PathNode } from '../path-node.ts'
import type { ElementForm } from '../record-form.ts'
import { Audit, type AuditReport } from './audit.ts'
import type { Mistyped } from './leftover.ts'

/** The paths of records as they are read: where the inference has chosen them, all that lies beside them may be records as well. */
export function readPaths({ paths, source }: InferredShape): readonly string[] {
  const around = source.nodes[0]?.parent
  return source.isOpen && around ? [`${around.path}/*`] : paths
}

/** What reads records in batches, and adds what it finds to a report. `advice` is what errors in values say at their end. */
export function auditedReading(inferred: InferredShape, report: AuditReport, advice = ''): typeof readRecords {
  const fields = fieldsByPath(inferred.fields, inferred.shape)
  const explain = ({ path, kind, text }: Mistyped) => {
    const { name = path, line = '' } = fields.get(path) ?? {}
    const { parse, words } = kindOf(kind)
    const value = parse(text)
    const what =
      value === undefined
        ? `is not ${words}`
        : `would be printed as ${typeof value === 'bigint' ? value : JSON.stringify(value)}`
    return `the value ${JSON.stringify(shorten(text))} of the field ${shorten(name)} ${what}; the shape has ${line}${advice}`
  }
  let known: { readonly of: Projection; readonly audited: Projection } | undefined
  return (run, question, ...more) => {
    if (known?.of !== question.projection)
      known = { of: question.projection, audited: auditedProjection(question.projection, inferred) }
    const audit = () => {
      const parse = parsing.required.parseElement as ParseElement
      return new Audit({ records: inferred.source, isLenient: question.isLenient, report, parse, explain })
    }
    return readRecords(run, { ...question, projection: known.audited, audit }, ...more)
  }
}

/** What a message says of a field: its full name, and its line in the shape. */
interface NamedField {
  readonly name: string
  readonly line: string
}

/** Fields by the paths of their values in a record. */
function fieldsByPath(
  fields: readonly InferredField[],
  shape: XmlShape,
  path = '',
  prefix = '',
  found = new Map<string, NamedField>(),
): Map<string, NamedField> {
  for (const field of fields) {
    const at = field.path === '.' ? path || '.' : path === '' ? field.path : `${path}/${field.path}`
    const name = prefix + field.name
    const [one] = [shape[field.name]].flat() as [{ readonly fields?: XmlShape }]
    if (field.kind === 'record') fieldsByPath(field.fields, one.fields ?? {}, at, `${name}.`, found)
    else found.set(at, { name, line: `${JSON.stringify(field.name)}: ${formatCompact(shape[field.name])}` })
  }
  return found
}

/**
 * A projection that is followed by an automaton of its own, for records of an inferred shape: its states say what their elements may have. Whoever follows
 * these, the kernel or its host, sees whether a record has something that no field has a place for.
 */
function auditedProjection(projection: Projection, { paths, prefixes, source }: InferredShape): Projection {
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
