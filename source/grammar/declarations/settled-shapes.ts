// Shapes as types and schemas can say them: no rule is another rule alone, and none is, without an array or a record between them, what it refers to itself.

import { findComponents } from '../facts/components.ts'
import { addTo } from '../facts/multimap.ts'
import { unite, type ValueShape } from '../values/value-shape.ts'
import type { ValueShapes } from '../values/value-shapes.ts'

export class SettledShapes {
  readonly shapes: ValueShapes
  readonly #settled = new Map<string, ValueShape>()

  constructor(shapes: ValueShapes) {
    this.shapes = shapes
    const order = new Map([...shapes.rules.rules.keys()].map((name, i) => [name, i]))
    const nextOf = (name: string) => directRules(shapes.shapeOf(name))
    for (const names of findComponents(order.keys(), nextOf)) {
      const [first, ...others] = names.sort((one, other) => Number(order.get(one)) - Number(order.get(other)))
      this.#settle(first as string, others, nextOf)
    }
  }

  /** What a rule gives: neither a rule that is a rule itself, nor one that is short. */
  shapeOf(name: string): ValueShape {
    return this.#settled.get(name) as ValueShape
  }

  /** A shape without rules that other shapes say as well. */
  simplify(shape: ValueShape): ValueShape {
    if (shape.kind === 'union') return unite(shape.members.map((member) => this.simplify(member)))
    if (shape.kind !== 'rule') return shape
    const settled = this.shapeOf(shape.name)
    return settled.kind === 'rule' || isShort(settled) ? settled : shape
  }

  /** All rules of a circle give the same: one of them says it, the others refer to that one. */
  #settle(first: string, others: readonly string[], nextOf: (name: string) => readonly string[]): void {
    const shape = this.shapes.shapeOf(first)
    const isCircle = others.length > 0 || nextOf(first).includes(first)
    this.#settled.set(first, isCircle ? unite(this.shapes.groundsOf(shape)) : this.simplify(shape))
    for (const other of others) this.#settled.set(other, this.simplify({ kind: 'rule', name: first }))
  }
}

/** Whether a shape needs no name. */
export function isShort(shape: ValueShape): boolean {
  if (shape.kind === 'union') return shape.members.every(({ kind }) => kind === 'text' || kind === 'null')
  return ['text', 'constant', 'null', 'flag'].includes(shape.kind)
}

/** The rules that a value may be of. */
function directRules(shape: ValueShape): string[] {
  if (shape.kind === 'rule') return [shape.name]
  return shape.kind === 'union' ? shape.members.flatMap(directRules) : []
}

/** The rules that give no values, and for each what keeps its values from being made: in it, or in a rule that it refers to. */
export function findValueless(shapes: ValueShapes): Map<string, string> {
  const reasons = new Map<string, string>()
  const users = new Map<string, string[]>()
  for (const name of shapes.rules.rules.keys()) {
    const [problem] = shapes.problemsOf(name)
    if (problem) reasons.set(name, [problem.message, problem.suggestion].filter(Boolean).join('; '))
    for (const other of shapes.referencesOf(name)) addTo(users, other, name)
  }
  // What is added while the map is walked is visited as well.
  for (const name of reasons.keys()) {
    for (const user of users.get(name) ?? [])
      if (!reasons.has(user)) reasons.set(user, `see ${name}, which it refers to`)
  }
  return reasons
}
