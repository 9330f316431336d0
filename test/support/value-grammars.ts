// Grammars made at random for the values that they give: with fields, folds, kinds, lists and circles of rules, and inputs of each rule.

import type { Random } from './random.ts'

/** An input, as random numbers want it. From some depth on, nothing is repeated and no rule refers back. */
type Sample = (depth: number) => string

/** What stands in a grammar, and inputs of it. */
interface Part {
  readonly text: string
  readonly sample: Sample
}

export interface ValueGrammar {
  /** In the dialect `xylem`. */
  readonly source: string
  readonly rules: readonly string[]
  sample(rule: string): string
}

const RULES = 9
const END: Part = { text: '%";"', sample: () => ';' }
const DEEPEST = 8
/** Steps that some inputs are deeper. */
const DEEPER = 6
const NAMES = ['a', 'b', 'c', 'kind', '_d', '__proto__', 'constructor']
const KINDS: readonly [annotation: string, inputs: readonly string[]][] = [
  ['', ['', 'ab', 'false', '12']],
  ['@integer', ['0', '12', '-3']],
  ['@number', ['1.5', '-2e3', '7']],
  ['@boolean', ['true', 'false']],
  ['@date', ['2024-02-29T12:30:00Z', '2001-01-01']],
  ['@percent', ['a%20b', 'c']],
]

export function makeValueGrammar(random: Random): ValueGrammar {
  return new GrammarMaker(random).make()
}

class GrammarMaker {
  readonly #random: Random
  readonly #rules: Part[] = []
  #marks = 0
  #hasQuoted = false

  constructor(random: Random) {
    this.#random = random
  }

  make(): ValueGrammar {
    const rules = Array.from({ length: RULES }, (_, i) => nameOf(i))
    const bodies = rules.map((name, i) => {
      const { annotation = '', ...part } = this.#rule(i)
      this.#rules[i] = part
      return `${name} ${annotation} ::= ${part.text} ;`
    })
    return {
      source: bodies.join('\n'),
      rules,
      // What needs many steps would never be seen if all inputs were as flat.
      sample: (rule) => (this.#rules[rules.indexOf(rule)] as Part).sample(this.#random.oneIn(4) ? -DEEPER : 0),
    }
  }

  /** A text that stands nowhere else, and is in no value. */
  #mark(): Part {
    const mark = `<${this.#marks++}>`
    return { text: `%"${mark}"`, sample: () => mark }
  }

  #rule(index: number): Part & { annotation?: string } {
    const isLast = index === RULES - 1
    const make = this.#random.below(isLast ? 3 : 12)
    if (make === 0) return this.#kindOfText()
    if (make === 1) return this.#constants()
    if (make === 2) return isLast ? this.#kindOfText() : this.#mark()
    if (make < 7) return this.#record(index)
    if (make < 9) return this.#fold(index)
    if (make < 11) return this.#union(index)
    return this.#enclose(this.#counted(this.#atom(index, 1)))
  }

  #kindOfText(): Part & { annotation?: string } {
    if (!this.#hasQuoted && this.#random.oneIn(4)) {
      this.#hasQuoted = true
      return { annotation: '@json-string', text: '"\\"" [a-z]* "\\""', sample: () => '"ab"' }
    }
    const [annotation, inputs] = this.#random.pick(KINDS)
    const text: Part = { text: '!";"*', sample: () => this.#random.pick(inputs) }
    return { annotation, ...this.#enclose(text) }
  }

  #constants(): Part {
    const texts = this.#random.many(1, 3, () => `k${this.#marks++}k`)
    return { text: texts.map((text) => `"${text}"`).join(' | '), sample: () => this.#random.pick(texts) }
  }

  #record(index: number): Part {
    return sequence([...this.#random.many(1, 4, () => this.#item(index, 0)), END])
  }

  /** What fills fields. Each begins with a mark, so that nothing can be read in two ways. */
  #item(index: number, depth: number): Part {
    const make = this.#random.below(depth > 1 ? 6 : 10)
    const marked = (part: Part) => sequence([this.#mark(), part])
    if (make < 4) return marked(this.#field(index, depth))
    if (make === 4) return marked(this.#option(prefixed(`${this.#name()}?:`, this.#atom(index, depth + 1)), ''))
    if (make === 5) return this.#enclose(this.#atom(index, depth + 1))
    const inner = () => sequence(this.#random.many(1, 2, () => this.#item(index, depth + 1)))
    if (make === 6) return marked(this.#option(bracketed(inner()), '?'))
    if (make === 7) return marked(this.#repeat(bracketed(inner()), '*', 0))
    return marked(bracketed(this.#choose(this.#random.many(2, 3, inner))))
  }

  #field(index: number, depth: number): Part {
    const isNested = depth < 2 && this.#random.oneIn(5)
    const inner = isNested
      ? bracketed(sequence(this.#random.many(1, 2, () => this.#item(index, depth + 1))))
      : this.#atom(index, depth + 1)
    return prefixed(`${this.#name()}:`, this.#random.oneIn(2) ? inner : this.#counted(inner))
  }

  #name(): string {
    return this.#random.pick(NAMES)
  }

  #fold(index: number): Part {
    const round = () => {
      const fields = this.#random.many(1, 2, () => this.#field(index, 1))
      return sequence([{ text: 'left:<', sample: () => '' }, ...fields.flatMap((field) => [this.#mark(), field])])
    }
    const rounds = bracketed(this.#choose(this.#random.many(1, 2, round)))
    const count = this.#random.below(3)
    const repeated =
      count === 0
        ? this.#repeat(rounds, '*', 0)
        : count === 1
          ? this.#repeat(rounds, '+', 1)
          : this.#option(rounds, '?')
    return this.#enclose(sequence([this.#atom(index, 1, false), repeated]))
  }

  /** A choice of rules after this one, and of any rule between marks. */
  #union(index: number): Part {
    const after = Array.from({ length: RULES - 1 - index }, (_, i) => index + 1 + i)
    const [first = after[0] as number, ...others] = this.#random.many(1, 3, () => this.#random.pick(after))
    const options = [...new Set([first, ...others])].map((other) => this.#reference(other))
    const back = this.#random.oneIn(2) ? [bracketed(this.#enclose(this.#reference(this.#random.below(RULES))))] : []
    return {
      text: [...back, ...options].map(({ text }) => text).join(' | '),
      sample: (depth) => this.#random.pick(depth > DEEPEST ? options : [...options, ...back]).sample(depth + 1),
    }
  }

  #reference(index: number): Part {
    return { text: nameOf(index), sample: (depth) => (this.#rules[index] as Part).sample(depth + 1) }
  }

  /** What gives one value. `mayGiveList`: in brackets, it may be an array. */
  #atom(index: number, depth: number, mayGiveList = depth < 2): Part {
    const random = this.#random
    const after = index + 1 < RULES ? this.#reference(index + 1 + random.below(RULES - 1 - index)) : undefined
    const make = random.below(mayGiveList ? 8 : 7)
    if (make < 4 && after) return after
    if (make === 4) return bracketed(this.#constants())
    if (make === 5) return bracketed(this.#enclose({ text: '[a-z]+', sample: () => random.pick(['a', 'bc']) }))
    if (make === 6 || !after) return { text: '...( "x" [0-9]+ %";" )', sample: () => 'x12;' }
    return bracketed(this.#enclose(this.#counted(after)))
  }

  #counted(part: Part): Part {
    const make = this.#random.below(7)
    if (make === 0) return this.#option(part, '?')
    if (make === 1) return this.#repeat(part, '*', 0)
    if (make === 2) return this.#repeat(part, '+', 1)
    if (make === 3) return this.#repeat(part, '{2,3}', 2)
    if (make === 4) return this.#repeat(part, '{* ","}', 0, ',')
    if (make === 5) return this.#repeat(part, '{+ %"," %" "*}', 1, ', ')
    return this.#repeat(part, '*', 0)
  }

  #option(part: Part, suffix: string): Part {
    const isLikely = () => this.#random.oneIn(2)
    return {
      text: part.text + suffix,
      sample: (depth) => (depth <= DEEPEST && isLikely() ? part.sample(depth + 1) : ''),
    }
  }

  #repeat(part: Part, suffix: string, least: number, separator = ''): Part {
    const count = (depth: number) => (depth > DEEPEST ? least : least + this.#random.below(2))
    return {
      text: part.text + suffix,
      sample: (depth) => Array.from({ length: count(depth) }, () => part.sample(depth + 1)).join(separator),
    }
  }

  #choose(options: readonly Part[]): Part {
    return {
      text: options.map(({ text }) => text).join(' | '),
      sample: (depth) => this.#random.pick(options).sample(depth),
    }
  }

  #enclose(part: Part): Part {
    return sequence([this.#mark(), part, END])
  }
}

function nameOf(index: number): string {
  return index === 0 ? 'program' : `r${index}`
}

function sequence(parts: readonly Part[]): Part {
  return {
    text: parts.map(({ text }) => text).join(' '),
    sample: (depth) => parts.map((part) => part.sample(depth)).join(''),
  }
}

function bracketed({ text, sample }: Part): Part {
  return { text: `( ${text} )`, sample }
}

function prefixed(prefix: string, { text, sample }: Part): Part {
  return { text: prefix + text, sample }
}
