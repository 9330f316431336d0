// Random grammars that give values: texts of kinds, lists, records, left folds.

import type { Dialect } from '../../source/grammar/index.ts'
import type { Random } from './random.ts'

const RULES = 7
const FIELDS = ['a', 'b', 'c', 'd', 'type', 'end', '_x', '__proto__', 'constructor']
const PUNCTUATION = ['";"', '","', '"="', '":"', '"->"', '%"."', '%";"', '%[ ]', '%( "<" ">" )', '&[^!]', '&!"!"', '^']

/** Fields of another rule, and what that rule is. */
const JOINS = [':joined', ':joined?', '( :joined | "-" )', 'at:( :joined )', '( ":" :other ) :joined']
const JOINED = [
  'p:[a-c]* q?:"!"',
  'p:r6 | "=" q:[xy]',
  'p:"x" ( "," p:"y" )*',
  'q:( "x" | "y" )? p:( a:"z" )',
  'p:[a-c]? %";" :other',
]

const nameOf = (rule: number) => (rule === 0 ? 'program' : `r${rule}`)
export const RULE_NAMES: readonly string[] = Array.from({ length: RULES }, (_, rule) => nameOf(rule))

/** The text of a grammar of seven rules, most of which are not refused. */
export function makeRandomFields(random: Random, dialect: Dialect): string {
  let isEntry = false
  const rules = RULE_NAMES.map((name, rule) => {
    const writer = new RuleWriter(random, dialect, rule)
    const isMap = !isEntry && rule > 0 && RULES - rule > 2 && random.oneIn(6)
    const text = isEntry
      ? writer.writeEntry(name)
      : isMap
        ? writer.writeMap(name, nameOf(rule + 1))
        : writer.write(name)
    isEntry = isMap
    return text
  })
  return [...rules, `joined ::= ${random.pick(JOINED)} ;`, 'other ::= r:[xy]* ;'].join('\n')
}

/** Rules refer to those after them, or after something to any. */
class RuleWriter {
  readonly #random: Random
  readonly #dialect: Dialect
  readonly #rule: number

  constructor(random: Random, dialect: Dialect, rule: number) {
    this.#random = random
    this.#dialect = dialect
    this.#rule = rule
  }

  write(name: string): string {
    const random = this.#random
    const left = RULES - this.#rule
    const kind = left <= 2 ? random.below(2) : this.#rule === 0 ? 2 + random.below(10) : random.below(12)
    if (kind === 0) return this.#writeKind(name)
    if (kind === 1) return `${name} ::= ${random.oneIn(8) ? '%"-"' : this.#text(2)} ;`
    if (kind < 5) return `${name} ::= ${this.#part()} ;`
    if (kind < 7) return `${name} ::= ${this.#fold()} ;`
    return `${name} ::= ${this.#fields(3)}${random.oneIn(4) ? ` %"&" ${random.pick(JOINS)}` : ''} ;`
  }

  /** A map of the records of the next rule. */
  writeMap(name: string, entry: string): string {
    const random = this.#random
    const rounds = random.pick([`${entry}*`, `${entry}{* ","}`, `( %" "? ${entry} )+`, `${entry}{2}`])
    return `${name} @map ::= ${random.pick(['', '%"<" ', '"(" '])}${rounds}${random.pick(['', ' ";"'])} ;`
  }

  writeEntry(name: string): string {
    const random = this.#random
    const key = random.pick(['[a-c]+', '"__proto__"', '( "a" | "b" | "1" )', '...( %"-" [ab] )'])
    const [one, other] = random.pick([
      ['key', 'value'],
      ['a', 'b'],
      ['__proto__', '_x'],
    ]) as [string, string]
    return `${name} ::= ${one}:${key} ${random.pick(['%"="', '":"', ''])} ${other}:${this.#value(1)} ;`
  }

  #writeKind(name: string): string {
    const random = this.#random
    const quote = random.pick(['"\\""', '"\'"'])
    const omit = random.pick(['', '%'])
    const string = `${omit}"\\"" ...( !["\\\\] | ( "\\\\" [nt"] ) )* ${omit}"\\""`
    const doubled = `${omit}${quote} ...( !${quote} | ( ${quote} ${quote} ) )* ${omit}${quote}`
    return random.pick([
      `${name} @integer ::= [0-9]+ ;`,
      `${name} @integer ::= "-"? [0-9]+ %" "? ;`,
      `${name} @int64 ::= "-"? "922337203685477580"? [0-9]+ ;`,
      `${name} @number ::= [0-9]+ ( "." [0-9]* )? ;`,
      `${name} @boolean ::= "true" | "false" | "1" | "no" ;`,
      `${name} @percent ::= ( [a-c] | "%41" | "%C3%A9" | "%z" )+ ;`,
      `${name} @json-string ::= ${string} ;`,
      `${name} @sql-string ::= ${doubled} ;`,
      `${name} @percent @integer ::= ( [0-9] | "%31" )+ ;`,
    ])
  }

  // Texts.

  #text(depth: number): string {
    const random = this.#random
    const inner = () => this.#text(depth - 1)
    const kind = random.below(depth > 0 ? 14 : 5)
    if (kind < 2) return random.pick(['"a"', '"b"', '"ab"', '"é"', '"🌳"', '~"aB"'])
    if (kind < 5) return random.pick(['[a-c]+', '[0-9]+', '[é]', '!";"', '[ab]', '[a-zé]'])
    if (kind < 7) return `${inner()} ${inner()}`
    if (kind === 7) return `( ${inner()} )${random.pick(['', '?', '*', '+', '{1,2}', '{* ","}', '{+ "," %" "?}'])}`
    if (kind === 8) return this.#choice([inner(), inner()])
    if (kind === 9) return `%${random.pick(['"-"', '[x]', '( "x" | "y" )'])} ${inner()}`
    if (kind === 10) return `...( ${inner()} )`
    if (kind === 11) return `( "(" ${nameOf(this.#rule)} ")" )?`
    if (kind === 12) return `${inner()} ${random.pick(PUNCTUATION)}`
    return `...( ${this.#reference()} %"-"? ${inner()} )`
  }

  #reference(): string {
    const from = this.#rule + 1
    if (from >= RULES) return '"c"'
    return nameOf(from + this.#random.below(RULES - from))
  }

  // What gives one thing.

  #part(): string {
    const random = this.#random
    const value = this.#value(2)
    switch (random.below(6)) {
      case 0:
        return `"(" ${value} ")"`
      case 1:
        return `%[ ] ${value}`
      case 2:
        return `${value} %"."?`
      default:
        return value
    }
  }

  /** One operand that a field can have. */
  #value(depth: number): string {
    const random = this.#random
    const inner = () => this.#value(depth - 1)
    const kind = random.below(depth > 0 ? 18 : 7)
    if (kind < 4) return this.#reference()
    if (kind === 4) return random.pick(['"a"', '[a-c]+', '!";"', '[0-9]', '"a"?', '"b"*', '"a"{* ","}'])
    if (kind === 5) return `${this.#reference()}${random.pick(['?', '*', '+', '{0,2}', '{2,3}', '{* ","}', '{+ ";"}'])}`
    if (kind === 6) return `...( ${this.#reference()} %"-"? )`
    if (kind < 9) return `( "[" ${random.oneIn(3) ? nameOf(random.below(RULES)) : inner()} "]" )`
    if (kind < 12) return this.#choice(random.many(2, 3, () => (random.oneIn(6) ? '%"-"' : inner())))
    if (kind === 12) return `( ${inner()} ${random.pick(PUNCTUATION)} )${random.pick(['', '?', '*', '+', '{1,2}'])}`
    if (kind === 13) return this.#choice([`"(" ${this.#reference()} ")"`, this.#text(1)])
    if (kind === 14) return `( ${this.#text(1)} )${random.pick(['', '?', '*'])}`
    return `( ${this.#fields(depth - 1)} )${random.pick(['', '', '?', '*', '+', '{* ","}', '{1,2}'])}`
  }

  // Records.

  #fields(depth: number): string {
    return this.#random.many(1, 3, () => this.#item(depth)).join(' ')
  }

  #item(depth: number): string {
    const random = this.#random
    const kind = random.below(depth > 0 ? 16 : 8)
    if (kind < 6) return this.#field(depth)
    if (kind === 6) return random.pick(PUNCTUATION)
    if (kind === 7) return random.pick([this.#reference(), '[a-c]*', '"a"?'])
    if (kind < 11) return this.#choice(random.many(2, 3, () => (random.oneIn(6) ? '"-"' : this.#fields(depth - 1))))
    if (kind < 12) return `( ${this.#fields(depth - 1)} )`
    return `( ${this.#fields(depth - 1)} )${random.pick(['?', '*', '+', '{1,2}', '{2}', '{* ","}', '{+ ";"}'])}`
  }

  #field(depth: number): string {
    const random = this.#random
    const name = random.pick(random.oneIn(4) ? FIELDS : ['a', 'b', 'c'])
    if (random.oneIn(8)) return `${name}?:${random.pick(['"!"', '"a"', '( "-" "-" )', this.#reference()])}`
    return `${name}:${this.#value(depth)}`
  }

  /** What stands first, and rounds. */
  #fold(): string {
    const random = this.#random
    const round = () => `left:< ${random.pick(PUNCTUATION)} ${this.#fields(1)}`
    const before = random.pick(['', '', '', '%[ ]? ', '"(" '])
    const after = random.pick(['', '', '', ' ")"', ' %"."?'])
    const rounds = random.oneIn(3) ? this.#choice(random.many(2, 3, round)) : `( ${round()} )`
    return `${before}${this.#value(0)} ${rounds}${random.pick(['?', '*', '*', '*', '+', '{0,2}'])}${after}`
  }

  #choice(options: readonly string[]): string {
    const isBare = this.#dialect === 'xylem' && this.#random.oneIn(2)
    return `( ${options.map((option) => (isBare ? option : `( ${option} )`)).join(' | ')} )`
  }
}
