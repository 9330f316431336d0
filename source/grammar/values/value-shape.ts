// The shapes of the values that a grammar gives, as data: types, schemas, columns and what values are made of follow from them.

import type { TextKind } from '../../record/kinds.ts'

/** What a value can be. */
export type ValueShape =
  | { readonly kind: 'text'; readonly textKind: TextKind | undefined }
  /** One text. */
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'null' }
  /** What a function returns. */
  | { readonly kind: 'result' }
  /** Whether something matched. */
  | { readonly kind: 'flag' }
  /** An array of at least so many items. */
  | { readonly kind: 'array'; readonly item: ValueShape; readonly least: number }
  /** A map from texts; what is in it is the second field of the records of a rule. */
  | { readonly kind: 'map'; readonly entry: string }
  /** One of several; none: there is no such value. */
  | { readonly kind: 'union'; readonly members: readonly ValueShape[] }
  /** What a rule gives. */
  | { readonly kind: 'rule'; readonly name: string }
  | RecordShape

/** A record of a rule, or of brackets that have a name. */
export interface RecordShape {
  readonly kind: 'record'
  /** The rule that gives it; undefined for brackets. */
  readonly rule: string | undefined
  /** One of these. */
  readonly variants: readonly (readonly FieldValueShape[])[]
}

export interface FieldValueShape {
  readonly name: string
  readonly shape: ValueShape
  /** Whether it may be undefined. */
  readonly isOptional: boolean
}

/** One of several shapes: what is equal is there once, and what is in another one is left out. */
export function unite(shapes: readonly ValueShape[]): ValueShape {
  const members = new Map<string, ValueShape>()
  const arrays = new Map<string, number>()
  for (const shape of shapes.flatMap((one) => (one.kind === 'union' ? one.members : [one]))) {
    const key = keyOf(shape)
    const known = members.get(key)
    if (shape.kind === 'array') arrays.set(key, Math.min(arrays.get(key) ?? shape.least, shape.least))
    members.set(key, shape.kind === 'array' ? { ...shape, least: arrays.get(key) as number } : (known ?? shape))
  }
  const hasText = [...members.values()].some((shape) => shape.kind === 'text' && shape.textKind === undefined)
  const left = [...members.values()].filter(({ kind }) => kind !== 'constant' || !hasText)
  return left.length === 1 ? (left[0] as ValueShape) : { kind: 'union', members: left }
}

const records = new WeakMap<RecordShape, number>()
let recordCount = 0

/** Equal for shapes of the same values. Arrays of the same items have the same key, whatever their lengths are. */
function keyOf(shape: ValueShape): string {
  switch (shape.kind) {
    case 'text':
      return `text ${shape.textKind ?? ''}`
    case 'constant':
      return `constant ${shape.text}`
    case 'array':
      return `array ${keyOf(shape.item)}`
    case 'map':
      return `map ${shape.entry}`
    case 'union':
      return `union ${JSON.stringify(shape.members.map(keyOf))}`
    case 'rule':
      return `rule ${shape.name}`
    case 'record': {
      const number = records.get(shape) ?? ++recordCount
      records.set(shape, number)
      return `record ${number}`
    }
    default:
      return shape.kind
  }
}
