// Inputs that a grammar probably matches.

import type { Expression, Rule } from '../../source/grammar/syntax/expression.ts'

const CHARACTERS = Array.from('aaabbbccéè🌳ABÉ')

/** Text that a rule probably matches, chosen by numbers (Park and Miller, 1988). */
export class Sampler {
  readonly #rules: ReadonlyMap<string, Rule>
  #state: number
  #steps = 0

  constructor(rules: readonly Rule[], seed: number) {
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]))
    this.#state = seed % 0x7ffffffe
  }

  /** An input for a rule, sometimes with an error. */
  input(rule: string): string {
    const characters = Array.from(this.#sampleRule(rule, 0)).slice(0, 60)
    if (this.#below(3) === 0) {
      const added = this.#below(2) ? [this.#character()] : []
      characters.splice(this.#below(characters.length + 1), this.#below(2), ...added)
    }
    return characters.join('')
  }

  #sampleRule(rule: string, depth: number): string {
    return this.#sampleAll((this.#rules.get(rule) as Rule).members, depth)
  }

  #sampleAll(items: readonly Expression[], depth: number): string {
    return items.map((item) => this.#sample(item, depth)).join('')
  }

  #sample(expression: Expression, depth: number): string {
    if (depth > 12 || ++this.#steps > 300) return ''
    switch (expression.kind) {
      case 'literal':
        return expression.ignoresCase && this.#below(2) ? expression.text.toUpperCase() : expression.text
      case 'class': {
        const { ranges, isNegated, count } = expression
        return this.#times(count, () => {
          const range = ranges[this.#below(ranges.length)]
          if (isNegated || !range) return this.#character()
          return String.fromCodePoint(Math.min(range.last, range.first + this.#below(2)))
        })
      }
      case 'not':
        return this.#times(expression.count, () => this.#character())
      case 'reference':
        return this.#sampleRule(expression.name, depth + 1)
      case 'group':
        return this.#sampleAll(expression.items, depth + 1)
      case 'choice':
        return this.#sample(expression.options[this.#below(expression.options.length)] as Expression, depth + 1)
      case 'repeat': {
        const { separator } = expression
        const rounds: string[] = []
        this.#times(expression.count, () => {
          if (separator && rounds.length > 0) rounds.push(this.#sample(separator, depth + 1))
          rounds.push(this.#sample(expression.operand, depth + 1))
          return ''
        })
        return rounds.join('')
      }
      case 'omit':
      case 'gather':
      case 'field':
        return this.#sample(expression.operand, depth + 1)
      default:
        return ''
    }
  }

  #times({ min, max }: { min: number; max: number }, sample: () => string): string {
    const count = min + this.#below(Math.min(max - min, 2) + 1)
    return Array.from({ length: count }, sample).join('')
  }

  #character(): string {
    return CHARACTERS[this.#below(CHARACTERS.length)] as string
  }

  #below(count: number): number {
    this.#state = ((this.#state + 1) * 48_271) % 0x7fffffff
    return Math.floor((this.#state / 0x7fffffff) * count)
  }
}
