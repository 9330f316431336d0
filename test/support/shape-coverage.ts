// Whether values are of shapes, and what of shapes was seen in values.

import type { RecordShape, ValueShape } from '../../source/grammar/values/value-shape.ts'
import type { ValueShapes } from '../../source/grammar/values/value-shapes.ts'

type Properties = Readonly<Record<string, unknown>>

/** What can be seen of the shapes of some rules: each member of a union, each optional field with and without a value, each list that is as short as can be. */
export class ShapeCoverage {
  readonly #shapes: ValueShapes
  readonly #wanted = new Set<string>()
  readonly #seen = new Set<string>()
  readonly #items = new Map<ValueShape, number>()
  #isOrdered = true

  constructor(shapes: ValueShapes, rules: readonly string[]) {
    this.#shapes = shapes
    const known = new Set<string>()
    for (const name of rules) this.#want({ kind: 'rule', name }, name, known)
  }

  /** What was not seen yet. */
  get missing(): string[] {
    return [...this.#wanted].filter((point) => !this.#seen.has(point))
  }

  /** Sees a value of a rule. */
  see(value: unknown, rule: string): void {
    this.#see(value, { kind: 'rule', name: rule }, rule)
  }

  /** Whether a value is of a shape: records with these fields, in this order, and no others. */
  fits(value: unknown, shape: ValueShape): boolean {
    return this.#shapes.groundsOf(shape).some((ground) => this.#fitsGround(value, ground))
  }

  /** As `fits`, in whatever order the fields are: types do not know any. */
  fitsInAnyOrder(value: unknown, shape: ValueShape): boolean {
    this.#isOrdered = false
    try {
      return this.fits(value, shape)
    } finally {
      this.#isOrdered = true
    }
  }

  #want(shape: ValueShape, path: string, known: Set<string>): void {
    for (const [at, ground] of this.#grounds(shape, path)) {
      this.#wanted.add(at)
      if (ground.kind === 'flag') for (const value of [true, false]) this.#wanted.add(`${at} ${value}`)
      if (ground.kind === 'array') {
        this.#wanted.add(`${at} at least ${ground.least}`)
        const item = this.#nameItem(ground.item)
        if (!known.has(item)) {
          known.add(item)
          this.#want(ground.item, item, known)
        }
      }
      if (ground.kind !== 'record' || known.has(at)) continue
      known.add(at)
      for (const [i, fields] of ground.variants.entries()) {
        this.#wanted.add(`${at} variant ${i}`)
        for (const { name, shape: inner, isOptional } of fields) {
          if (isOptional) for (const is of ['present', 'absent']) this.#wanted.add(`${at} variant ${i} ${name} ${is}`)
          this.#want(inner, `${at} variant ${i} ${name}`, known)
        }
      }
    }
  }

  #see(value: unknown, shape: ValueShape, path: string): void {
    for (const [at, ground] of this.#grounds(shape, path)) {
      if (!this.#fitsGround(value, ground)) continue
      this.#seen.add(at)
      if (ground.kind === 'flag') this.#seen.add(`${at} ${value}`)
      if (ground.kind === 'array') {
        const items = value as unknown[]
        if (items.length === ground.least) this.#seen.add(`${at} at least ${ground.least}`)
        for (const item of items) this.#see(item, ground.item, this.#nameItem(ground.item))
      }
      if (ground.kind === 'record') this.#seeRecord(value as Properties, ground, at)
    }
  }

  #seeRecord(value: Properties, record: RecordShape, at: string): void {
    for (const [i, fields] of record.variants.entries()) {
      if (!this.#fitsVariant(value, record, i)) continue
      this.#seen.add(`${at} variant ${i}`)
      for (const { name, shape, isOptional } of fields) {
        if (isOptional) this.#seen.add(`${at} variant ${i} ${name} ${value[name] === undefined ? 'absent' : 'present'}`)
        if (value[name] !== undefined) this.#see(value[name], shape, `${at} variant ${i} ${name}`)
      }
    }
  }

  /** Lists may be in themselves. */
  #nameItem(item: ValueShape): string {
    const number = this.#items.get(item) ?? this.#items.size
    this.#items.set(item, number)
    return `item ${number}`
  }

  /** What a value can be, by what it is called. Records of a rule are the same wherever they are. */
  #grounds(shape: ValueShape, path: string): [at: string, ground: ValueShape][] {
    return this.#shapes.groundsOf(shape).map((ground, i) => {
      const isOfRule = ground.kind === 'record' && ground.rule !== undefined
      return [isOfRule ? `record of ${ground.rule}` : `${path} ${i} (${ground.kind})`, ground]
    })
  }

  #fitsGround(value: unknown, ground: ValueShape): boolean {
    switch (ground.kind) {
      case 'text':
        return isOfKind(value, ground.textKind)
      case 'constant':
        return value === ground.text
      case 'null':
        return value === null
      case 'flag':
        return typeof value === 'boolean'
      case 'array':
        return (
          Array.isArray(value) && value.length >= ground.least && value.every((item) => this.fits(item, ground.item))
        )
      case 'record':
        return ground.variants.some((_, i) => this.#fitsVariant(value, ground, i))
      default:
        return false
    }
  }

  #fitsVariant(value: unknown, { rule, variants }: RecordShape, variant: number): boolean {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return false
    const type = rule === undefined ? undefined : this.#shapes.typeOf(rule)
    const fields = variants[variant] ?? []
    const names = [
      ...(type === undefined ? [] : ['type']),
      ...fields.map(({ name }) => name),
      ...(this.#shapes.options.positions ? ['start', 'end'] : []),
    ]
    const keys = Object.keys(value)
    if (this.#isOrdered ? keys.join() !== names.join() : keys.sort().join() !== names.sort().join()) return false
    const record = value as Properties
    const arePlaces = !this.#shapes.options.positions || (isPlace(record.start) && isPlace(record.end))
    if (!arePlaces || (type !== undefined && record.type !== type)) return false
    return fields.every(({ name, shape, isOptional }) => {
      return record[name] === undefined ? isOptional : this.fits(record[name], shape)
    })
  }
}

function isPlace(value: unknown): boolean {
  return Number.isInteger(value)
}

function isOfKind(value: unknown, kind: string | undefined): boolean {
  switch (kind) {
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return value instanceof Date
    default:
      return typeof value === 'string'
  }
}
