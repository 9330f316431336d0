// Kinds of texts that are given beside a grammar, as if its text said them.

import { kindOf, TEXT_KINDS, type TextKind } from '../../record/kinds.ts'
import { withCode } from '../../stream/errors.ts'
import { type Expression, mapOperands, type Rule, walk } from '../syntax/expression.ts'
import { ValueRules } from './value-rules.ts'

/** What may be given: `string` is the text itself, whatever the grammar says. */
export type GivenKind = TextKind | 'string'
export const GIVEN_KINDS: readonly string[] = ['string', ...TEXT_KINDS]

/** For names of rules of text, or of fields that hold text, what the text is. */
export type TextKinds = Readonly<Record<string, GivenKind>>

/** The rules with kinds. Throws a `TypeError` with the code `invalid-option` for a name or a kind that there is not, or of something that is no text. */
export function applyKinds(rules: ReadonlyMap<string, Rule>, kinds: TextKinds): ReadonlyMap<string, Rule> {
  const facts = new ValueRules(rules)
  const changed = new Map(rules)
  for (const [name, given] of Object.entries(kinds)) {
    if (kindOf(given).of !== 'texts')
      throw refuse(`the kind of ${name} must be ${GIVEN_KINDS.join(', ')}, not ${given}`)
    const kind = given === 'string' ? undefined : given
    const rule = changed.get(name)
    if (rule && facts.givingOf(name) === 'text') changed.set(name, { ...rule, textKind: kind })
    else if (!new FieldKinds(facts, changed, name, kind).apply()) {
      throw refuse(rule ? `${name} gives no text that could be of a kind` : `no rule and no field is called ${name}`)
    }
  }
  return changed
}

function refuse(message: string): TypeError {
  return withCode(new TypeError(message), 'invalid-option')
}

/** Gives the fields of one name a kind: each holds a rule of its own then, which is that of its text. */
class FieldKinds {
  readonly #facts: ValueRules
  readonly #rules: Map<string, Rule>
  readonly #name: string
  readonly #kind: TextKind | undefined
  #count = 0

  constructor(facts: ValueRules, rules: Map<string, Rule>, name: string, kind: TextKind | undefined) {
    this.#facts = facts
    this.#rules = rules
    this.#name = name
    this.#kind = kind
  }

  /** Whether there was such a field. */
  apply(): boolean {
    for (const rule of [...this.#rules.values()]) {
      const isNamed = [...walk(rule.members)].some((one) => this.#isMeant(one))
      if (isNamed) this.#rules.set(rule.name, { ...rule, members: rule.members.map((member) => this.#change(member)) })
    }
    return this.#count > 0
  }

  #change(expression: Expression): Expression {
    return mapOperands(expression, (operand) => {
      return this.#isMeant(expression) ? this.#convert(operand) : this.#change(operand)
    })
  }

  #isMeant(expression: Expression): boolean {
    return expression.kind === 'field' && expression.name === this.#name && !expression.isFlag
  }

  /** What a field holds, with the kind: the text, or each of several. */
  #convert(operand: Expression): Expression {
    if (operand.kind === 'repeat') return { ...operand, operand: this.#convert(operand.operand) }
    const rule = operand.kind === 'reference' ? this.#facts.rules.get(operand.name) : undefined
    const isText = rule ? this.#facts.givingOf(rule.name) === 'text' : this.#facts.isText(operand)
    if (!isText) throw refuse(`the field ${this.#name} holds no text that could be of a kind`)
    const { at } = operand
    const made: Rule = {
      label: undefined,
      notation: undefined,
      isMap: false,
      at,
      nameAt: at,
      members: [operand],
      sync: undefined,
      ...rule,
      name: this.#uniqueName(),
      textKind: this.#kind,
    }
    this.#rules.set(made.name, made)
    return { kind: 'reference', name: made.name, at }
  }

  /** The name of the field, with a number where it is that of a rule. No rule of a grammar's text has a dot in its name. */
  #uniqueName(): string {
    this.#count++
    return this.#rules.has(this.#name) ? `${this.#name}.${this.#count}` : this.#name
  }
}
