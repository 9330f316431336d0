// Which expressions are written alike.

import { type Expression, operandsOf } from '../syntax/expression.ts'

/** Numbers of expressions: those that are written alike have the same. */
export class Forms {
  readonly #known = new Map<Expression, number>()
  readonly #numbers = new Map<string, number>()

  numberOf(expression: Expression): number {
    const known = this.#known.get(expression)
    if (known !== undefined) return known
    const below = operandsOf(expression).map((operand) => this.numberOf(operand))
    const form = JSON.stringify([{ ...expression, ...WITHOUT_OPERANDS }, below])
    const number = this.#numbers.get(form) ?? this.#numbers.size
    this.#numbers.set(form, number)
    this.#known.set(expression, number)
    return number
  }
}

const WITHOUT_OPERANDS = {
  at: undefined,
  operand: undefined,
  separator: undefined,
  items: undefined,
  options: undefined,
}
