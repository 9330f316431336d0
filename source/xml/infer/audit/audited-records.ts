// Records of an inferred shape, with everything that the sample did not show in their field `rest`.

import { kindOf } from '../../../record/kinds.ts'
import { shorten } from '../../errors/unplaced-error.ts'
import type { ParseElement } from '../../output/record-reader.ts'
import type { Projection } from '../../question/projection.ts'
import type { XmlShape } from '../../question/shape.ts'
import { readRecords } from '../../readings/records.ts'
import { parsing } from '../../readings/rest.ts'
import { formatCompact } from '../format-shape.ts'
import type { InferredShape } from '../infer-shape.ts'
import type { InferredField } from '../inferred-fields.ts'
import { Audit, type AuditReport } from './audit.ts'
import { auditedProjection } from './expected.ts'
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
