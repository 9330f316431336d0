// How an inferred shape differs from one that was written by hand.

import type { FieldShape, XmlShape } from '../../source/xml/question/shape.ts'

/** A value of a shape: its kind, and whether there may be several in a record. */
interface Leaf {
  readonly kind: string
  readonly isList: boolean
}

export interface ShapeDifferences {
  readonly fields: number
  readonly missed: readonly string[]
  readonly invented: readonly string[]
  /** Paths by how the kinds differ: `date → string`. */
  readonly otherKinds: ReadonlyMap<string, readonly string[]>
}

/** Compares values by their paths in a record: names, and which of them lie in records in the record, may differ. The field `rest` does not count. */
export function compareShapes(byHand: XmlShape, inferred: XmlShape): ShapeDifferences {
  const [expected, found] = [leavesOf(byHand), leavesOf(inferred)]
  const otherKinds = new Map<string, string[]>()
  for (const [path, leaf] of expected) {
    const other = found.get(path)
    if (!other || describe(leaf) === describe(other)) continue
    const how = `${describe(leaf)} → ${describe(other)}`
    otherKinds.set(how, [...(otherKinds.get(how) ?? []), path])
  }
  return {
    fields: expected.size,
    missed: [...expected.keys()].filter((path) => !found.has(path)),
    invented: [...found.keys()].filter((path) => !expected.has(path)),
    otherKinds,
  }
}

/** A row of the table in docs/infer.md. */
export function differencesRow(
  title: string,
  records: string,
  { fields, missed, invented, otherKinds }: ShapeDifferences,
): string {
  const kinds = [...otherKinds].map(([how, paths]) => `${how}: ${code(paths)}`)
  return `| ${[title, records, String(fields), code(missed), code(invented), kinds.join('; ') || 'none'].join(' | ')} |`
}

function code(paths: readonly string[]): string {
  return paths.length === 0 ? 'none' : paths.map((path) => `\`${path}\``).join(', ')
}

function describe({ kind, isList }: Leaf): string {
  return isList ? `several ${kind}` : kind
}

function leavesOf(
  shape: XmlShape,
  before: readonly string[] = [],
  isInList = false,
  found = new Map<string, Leaf>(),
): Map<string, Leaf> {
  for (const given of Object.values(shape)) {
    const isList = isInList || Array.isArray(given)
    const [one] = [given].flat() as [FieldShape]
    const field = typeof one === 'string' ? { path: one } : one
    if ('of' in field) leavesOf(field.fields ?? {}, [...before, field.of], isList, found)
    else if ('path' in field && field.path !== undefined) {
      const steps = [...before, ...(field.path === '.' && before.length > 0 ? [] : [field.path])]
      found.set(steps.join('/'), { kind: ('as' in field && field.as) || 'string', isList })
    } else if ('outer' in field) {
      for (const path of Object.values(field.fields)) found.set(`${field.outer}/${path}`, { kind: 'string', isList })
    }
  }
  return found
}
