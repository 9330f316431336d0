// An inferred shape as a file: JSON with `//` comments.

import type { FieldShape, XmlShape } from '../question/shape.ts'
import type { InferredShape } from './infer-shape.ts'
import type { InferredField } from './inferred-fields.ts'

/** What a file of a shape says. */
export interface FormatShapeOptions {
  /** What stands in comments at its top, such as the command that uses it. */
  readonly head?: readonly string[] | undefined
}

/** A shape with a comment for each field: in how many records it is, and an example. */
export function formatShape({ shape, fields }: InferredShape, { head = [] }: FormatShapeOptions = {}): string {
  const lines = [
    ...head.map((line) => `// ${line.replace(/[\r\n\u2028\u2029]/g, ' ')}`),
    '{',
    ...linesOf(shape, fields, '  '),
    '}',
  ]
  return `${lines.join('\n')}\n`
}

function linesOf(shape: XmlShape, fields: readonly InferredField[], indent: string): string[] {
  return fields.flatMap((field, i) => {
    const comma = i < fields.length - 1 ? ',' : ''
    const given = shape[field.name] as FieldShape | readonly FieldShape[]
    const comment = ` // ${describe(field)}`
    const key = `${indent}${JSON.stringify(field.name)}: `
    if (field.kind !== 'record') return `${key}${formatCompact(given)}${comma}${comment}`
    const [one] = [given].flat() as [{ readonly of: string; readonly fields: XmlShape; readonly required?: boolean }]
    const [open, close] = field.isList ? ['[{', '}]'] : ['{', '}']
    const required = one.required ? ' "required": true,' : ''
    return [
      `${key}${open} "of": ${JSON.stringify(one.of)},${required} "fields": {${comment}`,
      ...linesOf(one.fields, field.fields, `${indent}  `),
      `${indent}}${close}${comma}`,
    ]
  })
}

/** JSON on one line, with blanks. */
export function formatCompact(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(formatCompact).join(', ')}]`
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${formatCompact(one)}`)
  return `{ ${entries.join(', ')} }`
}

function describe({ kind, count, of, example, note, isList }: InferredField): string {
  const often = kind === 'rest' || kind === 'outer' ? undefined : frequency(count, of)
  const such = example === undefined ? undefined : `such as ${example}`
  return [often && isList ? `several; ${often}` : often, such, note].filter((part) => part !== undefined).join('; ')
}

function frequency(count: number, of: number): string {
  const [some, all] = [count, of].map((number) => number.toLocaleString('en'))
  return count === of ? `in all ${all}` : `in ${some} of ${all}`
}
