// Grammar text to expressions. docs/grammar.md describes the language. Longer than other files: one method for each production, and they
// call each other.

import { kindOf, splitKind, TEXT_KINDS } from '../../record/kinds.ts'
import { isWellFormed } from '../../stream/chunk-encoder.ts'
import { quoteCharacter } from '../../text/markup/visible.ts'
import { ProblemList } from './errors.ts'
import {
  type CodePointRange,
  type Count,
  type Escapes,
  type Expression,
  type Group,
  type Look,
  NOTATIONS,
  type Reference,
  type Repeat,
  type Rule,
  type TextRange,
} from './expression.ts'
import { rangesOf } from './named-class.ts'
import { SourceText } from './source-text.ts'

/** `bnf-parser` reads sequence and choice from left to right with equal precedence; in `xylem`, sequence binds more tightly than choice. */
export type Dialect = 'bnf-parser' | 'xylem'

/** What a grammar's text says. */
export interface GrammarText {
  readonly source: SourceText
  readonly rules: readonly Rule[]
  /** Where it is not understood; the rules are then not all there are. */
  readonly found: ProblemList
  /** The line at which reading was given up, since so much is not understood; undefined where all was read. */
  readonly lastLine: number | undefined
}

/** Brackets in brackets, and sequences folded into choices: a grammar that needs more must not overflow the stack. */
const DEEPEST = 500
const TOO_DEEP = 'brackets and choices are nested too deep'
const LARGEST_COUNT = 65535
/** The word for the end of the input. */
const END = 'end'
/** Characters of a name: messages have names in them. */
const LONGEST_NAME = 1000

/** What is not blank, nor the start of a comment. */
const NO_BLANK = /[^ \t\n]/g
const NAME = /[A-Za-z][A-Za-z0-9_]*/y
/** The name of a field, up to what it names; not the name of a rule without a blank before `::=`. */
const FIELD = /([A-Za-z_][A-Za-z0-9_]*)(\??):(?!:=)/y
/** The sign before a rule whose fields are joined. */
const JOIN = /:(?=[A-Za-z])/y
const ANNOTATION = /[A-Za-z][A-Za-z0-9-]*(?:\([\d,]*\))?/y
/** Text in quotes or in a class, up to an escape or its end. */
const PLAIN = /[^"\\]+/y
const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y
const HEX = /x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})/y
const CODE_POINT = /u\{([0-9A-Fa-f]{1,6})\}/y
const CLASS_IN_RANGE = 'a range goes from one character to another'
const ESCAPE_MINUS = 'write "\\-" for a hyphen'
const WRITE_RANGES = 'write ranges, such as [A-Za-z\\u{c0}-\\u{24f}] for Latin letters'
/** In a class: a class by its letter, or a property of characters, which is refused. */
const NAMED_CLASS = /\\([dswDSW]|[pP])/y
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
/** One of each list is what a rule gives. */
const ANNOTATIONS: readonly (readonly string[])[] = [TEXT_KINDS, NOTATIONS, ['map']]
const ESCAPES_HINT = String.raw`write  @escapes("\\n" -> "\n", "\\\\" -> "\\")`
const ALL_ANNOTATIONS = `it may be ${ANNOTATIONS.flat()
  .map((name) => `@${name}`)
  .join(', ')}`
const ONCE: Count = { min: 1, max: 1 }
const SIMPLE_COUNTS: Readonly<Record<string, Count>> = {
  '?': { min: 0, max: 1 },
  '*': { min: 0, max: Number.POSITIVE_INFINITY },
  '+': { min: 1, max: Number.POSITIVE_INFINITY },
}

/** Reads a grammar. What cannot be understood is left out up to the next `;`, and reported. */
export function parseGrammar(text: string, dialect: Dialect): GrammarText {
  return new GrammarReader(text, dialect).read()
}

/** Thrown where a rule cannot be read on, and caught where the next one begins. */
class Misread extends Error {
  readonly at: TextRange
  readonly suggestion: string | undefined
  /** Where to read on. */
  readonly continues: 'here' | 'after'

  constructor(message: string, at: TextRange, suggestion?: string, continues: 'here' | 'after' = 'after') {
    super(message)
    this.at = at
    this.suggestion = suggestion
    this.continues = continues
  }
}

class GrammarReader {
  readonly #source: SourceText
  readonly #text: string
  readonly #dialect: Dialect
  readonly #rules: Rule[] = []
  readonly #found: ProblemList
  /** References that mean the end of the input, unless a rule has the name. */
  readonly #ends: Reference[] = []
  #position = 0
  #depth = 0
  /** From here on no text in quotes is ended. */
  #lastQuotes = Number.POSITIVE_INFINITY

  constructor(text: string, dialect: Dialect) {
    this.#source = new SourceText(text)
    this.#text = text
    this.#dialect = dialect
    this.#found = new ProblemList(this.#source)
    if (text.startsWith('\ufeff')) this.#position = 1
  }

  read(): GrammarText {
    this.#skipBlank()
    if (this.#isAtEnd()) this.#tell(new Misread('the grammar has no rules', this.#here()))
    while (!this.#isAtEnd() && !this.#found.isFull) {
      try {
        this.#rules.push(this.#readRule())
      } catch (error) {
        // Where the stack is small, as in workers of browsers, it ends first.
        const misread = error instanceof RangeError ? new Misread(TOO_DEEP, this.#here()) : error
        if (!(misread instanceof Misread)) throw error
        this.#tell(misread)
        this.#depth = 0
        if (misread.continues === 'after') this.#recover()
      }
      this.#skipBlank()
    }
    if (!this.#rules.some(({ name }) => name === END)) for (const reference of this.#ends) becomeEnd(reference)
    const lastLine = this.#isAtEnd() ? undefined : this.#source.lineAt(this.#position)
    return { source: this.#source, rules: this.#rules, found: this.#found, lastLine }
  }

  #tell({ message, at, suggestion }: Misread): void {
    this.#found.report({ code: 'syntax', message, at, ...(suggestion && { suggestion }) })
  }

  /** Moves after the next `;` that is not in quotes or a comment. */
  #recover(): void {
    const next = /[;"#]/g
    next.lastIndex = this.#position
    this.#position = this.#text.length
    for (let match = next.exec(this.#text); match; match = next.exec(this.#text)) {
      const [character] = match
      if (character === ';') {
        this.#position = next.lastIndex
        return
      }
      next.lastIndex = character === '#' ? this.#endOfLine(match.index) : this.#afterQuotes(match.index)
    }
  }

  /** After the quotes that end text in quotes, or after those that begin it, where nothing ends it. */
  #afterQuotes(start: number): number {
    const end = /\\.|"/gs
    end.lastIndex = start + 1
    if (start >= this.#lastQuotes) return start + 1
    for (let match = end.exec(this.#text); match; match = end.exec(this.#text)) {
      if (match[0] === '"') return end.lastIndex
    }
    this.#lastQuotes = start
    return start + 1
  }

  #endOfLine(from: number): number {
    const end = this.#text.indexOf('\n', from)
    return end === -1 ? this.#text.length : end
  }

  // rule = name { "@" string | "@" annotation } "::=" members [ "~>" members ] ";"
  #readRule(): Rule {
    const start = this.#position
    const name = this.#readName()
    if (name === undefined) throw this.#misread('the name of a rule')
    const nameAt = this.#from(start)
    if (this.#isAt('::=')) throw this.#misread('a space between the name and "::="')
    this.#skipBlank()
    const annotations = this.#readAnnotations()
    if (!this.#eat('::=')) throw this.#misread('"::="')
    this.#skipBlank()
    const members = this.#readMembers()
    const sync = this.#readSync()
    if (!this.#eat(';')) throw this.#misread('";"', 'end each rule with ";"')
    return { name, ...annotations, members, sync, at: this.#from(start), nameAt }
  }

  /** Where reading continues after an error, if the rule says it. */
  #readSync(): Expression | undefined {
    if (!this.#eat('~>')) return undefined
    this.#skipBlank()
    return asOption(this.#readMembers())
  }

  /** What stands between a rule's name and `::=`: each at most once. */
  #readAnnotations(): Pick<Rule, 'label' | 'textKind' | 'notation' | 'escapes' | 'isMap'> {
    let label: string | undefined
    let escapes: Escapes | undefined
    const named: (string | undefined)[] = ANNOTATIONS.map(() => undefined)
    for (let start = this.#position; this.#eat('@'); start = this.#position) {
      if (this.#isAt('"')) {
        if (label !== undefined) throw new Misread('a rule has one label', this.#from(start))
        label = this.#readString()
      } else {
        const name = this.#match(ANNOTATION)
        const list = ANNOTATIONS.findIndex((names) => names.includes(splitKind(name ?? '').as))
        if (list === -1) throw this.#misread('a label in quotes, or what the rule gives', ALL_ANNOTATIONS)
        if (named[list] !== undefined) throw new Misread(`@${named[list]} is here already`, this.#from(start))
        if (list === 0) this.#requireKind(name as string, start)
        named[list] = name
        if (name === 'escapes') escapes = this.#readEscapes()
      }
      this.#skipBlank()
    }
    const [textKind, notation, map] = named as [Rule['textKind'], Rule['notation'], string?]
    return { label, textKind, notation, ...(escapes && { escapes }), isMap: map !== undefined }
  }

  // escapes = "(" string ( "→" | "->" ) string { "," string ( "→" | "->" ) string } ")"
  #readEscapes(): Escapes {
    const escapes: [string, string][] = []
    const read = (): string => {
      this.#skipBlank()
      const text = this.#readString()
      this.#skipBlank()
      return text
    }
    if (!this.#eat('(')) throw this.#misread('"(" and what is written for what', ESCAPES_HINT)
    do {
      const start = this.#position
      const written = read()
      if (written === '') throw new Misread('what is written for something is empty', this.#from(start))
      if (!this.#eat('→') && !this.#eat('->')) throw this.#misread('"->"', ESCAPES_HINT)
      escapes.push([written, read()])
    } while (this.#eat(','))
    if (!this.#eat(')')) throw this.#misread('"," or ")"', ESCAPES_HINT)
    return escapes.sort(([one], [other]) => other.length - one.length)
  }

  #requireKind(name: string, start: number): void {
    try {
      kindOf(name)
    } catch (error) {
      throw new Misread((error as Error).message, this.#from(start))
    }
  }

  /** Terms with or without `|` between them, up to what ends them. */
  #readMembers(): Expression[] {
    return this.#dialect === 'xylem' ? this.#readByPrecedence() : this.#readFolding()
  }

  // xylem: members = sequence { "|" sequence }
  #readByPrecedence(): Expression[] {
    const start = this.#position
    const sequences = [this.#readSequence()]
    while (this.#eat('|')) {
      this.#skipBlank()
      sequences.push(this.#readSequence())
    }
    const [only] = sequences
    if (sequences.length === 1 && only) return only
    return [makeChoice(sequences.map(asOption), start)]
  }

  #readSequence(): Expression[] {
    const items = [this.#readTerm()]
    this.#skipBlank()
    while (!this.#isAfterTerms() && !this.#isAt('|')) {
      items.push(this.#readTerm())
      this.#skipBlank()
    }
    return items
  }

  // bnf-parser: what stands to the left of an operator is one operand of it
  #readFolding(): Expression[] {
    const start = this.#position
    const depth = this.#depth
    let items = [this.#readTerm()]
    this.#skipBlank()
    while (!this.#isAfterTerms()) {
      if (this.#isAt('|')) {
        if (items.length > 1) this.#deepen(this.#here())
        items = [this.#readOptions(asOption(items), start)]
      } else {
        items.push(this.#readTerm())
      }
      this.#skipBlank()
    }
    this.#depth = depth
    return items
  }

  /** A choice from its first option on, as far as options of one term follow. */
  #readOptions(first: Expression, start: number): Expression {
    const options = [first]
    while (this.#eat('|')) {
      this.#skipBlank()
      options.push(this.#readTerm())
      this.#skipBlank()
    }
    return makeChoice(options, start)
  }

  /** Both ends, whichever is due: the wrong one is reported better where it is looked for. */
  #isAfterTerms(): boolean {
    return this.#isAt(';') || this.#isAt(')') || this.#isAt('}') || this.#isAt('~>') || this.#isAtEnd()
  }

  #deepen(at: TextRange): void {
    if (++this.#depth > DEEPEST) throw new Misread(`${TOO_DEEP}: more than ${DEEPEST}`, at)
  }

  // term = field | "^" | "@" string | "&" [ "!" ] counted | [ "%" ] [ "..." ] [ "!" ] counted
  #readTerm(): Expression {
    const start = this.#position
    const field = this.#matchGroups(FIELD)
    if (field) return this.#readField(field[1] as string, field[2] === '?', start)
    if (this.#eat('^')) return { kind: 'cut', at: this.#from(start) }
    if (this.#eat('@')) return { kind: 'failure', message: this.#readString(), at: this.#from(start) }
    if (this.#eat('&')) {
      const isNegative = this.#eat('!')
      return { kind: 'look', operand: this.#readCounted(), isNegative, at: this.#from(start) }
    }
    if (this.#eat('%')) return { kind: 'omit', operand: this.#readGathered(), at: this.#from(start) }
    return this.#readGathered()
  }

  // field = identifier ":" "<" | identifier [ "?" ] ":" [ "..." ] [ "!" ] counted
  #readField(name: string, isFlag: boolean, start: number): Expression {
    const named = this.#position
    if (name.length > LONGEST_NAME)
      throw new Misread(`a name is longer than ${LONGEST_NAME} characters`, this.#from(start))
    if (!isFlag && this.#eat('<')) return { kind: 'fold', name, at: this.#from(start) }
    if (this.#matchGroups(FIELD))
      throw new Misread('what has a name already cannot have another one', this.#from(named))
    if (this.#isAt('%')) throw new Misread('what is omitted gives nothing that a field could hold', this.#here())
    if (/[&^@]/.test(this.#text[this.#position] ?? ''))
      throw new Misread('this gives nothing that a field could hold', this.#here())
    this.#skipBlank()
    if (this.#position > named) {
      this.#position = named
      throw new Misread(
        `expected what the field ${name} holds directly after the colon, but found a blank`,
        this.#here(),
      )
    }
    return { kind: 'field', name, isFlag, operand: this.#readGathered(), at: this.#from(start) }
  }

  #readGathered(): Expression {
    const start = this.#position
    if (!this.#eat('...')) return this.#readNegated()
    return { kind: 'gather', operand: this.#readNegated(), at: this.#from(start) }
  }

  #readNegated(): Expression {
    const start = this.#position
    if (!this.#eat('!')) return this.#readCounted()
    const operand = this.#readPrimary()
    const end = this.#position
    const counted = this.#readCount()
    if (!counted?.separator) return { kind: 'not', operand, count: counted?.count ?? ONCE, at: this.#from(start) }
    return {
      kind: 'repeat',
      operand: { kind: 'not', operand, count: ONCE, at: { start, end } },
      ...counted,
      at: this.#from(start),
    }
  }

  #readCounted(): Expression {
    const start = this.#position
    const operand = this.#readPrimary()
    const counted = this.#readCount()
    if (!counted) return operand
    const { count, separator } = counted
    if (operand.kind === 'class' && !separator) return { ...operand, count, at: this.#from(start) }
    return { kind: 'repeat', operand, ...counted, at: this.#from(start) }
  }

  // count = "?" | "*" | "+" | "{" number [ "," [ number ] ] "}" | "{" ( "*" | "+" ) members "}"
  #readCount(): Pick<Repeat, 'count' | 'suffix' | 'separator'> | undefined {
    const suffix = this.#text[this.#position] ?? ''
    const simple = SIMPLE_COUNTS[suffix]
    if (simple) {
      this.#position++
      return { count: simple, suffix, separator: undefined }
    }
    const start = this.#position
    if (this.#eat('{*') || this.#eat('{+')) {
      const sign = this.#text.charAt(this.#position - 1)
      return { count: SIMPLE_COUNTS[sign] as Count, suffix: sign, separator: this.#readSeparator(start) }
    }
    const match = this.#matchGroups(COUNT)
    if (!match) return undefined
    const [all, least, comma, most] = match
    const min = Number(least)
    const max = comma === undefined ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    const isRange = min <= max && max >= 1 && min <= LARGEST_COUNT
    if (!isRange || (max > LARGEST_COUNT && max !== Number.POSITIVE_INFINITY)) {
      const message = `a count must be a number from 1 to ${LARGEST_COUNT}, or two in ascending order`
      throw new Misread(message, this.#from(start))
    }
    return { count: { min, max }, suffix: all, separator: undefined }
  }

  #readSeparator(start: number): Expression {
    this.#deepen(this.#from(start))
    this.#skipBlank()
    const members = this.#readMembers()
    if (!this.#eat('}')) throw this.#misread('"}"', 'close the separator with "}"')
    this.#depth--
    return asOption(members)
  }

  // primary = string [ "->" string ] | "~" string | class | [ ":" ] name | "(" members ")"
  #readPrimary(): Expression {
    const start = this.#position
    if (this.#isAt('"')) return this.#readLiteral()
    if (this.#eat('~')) return { kind: 'literal', text: this.#readString(), ignoresCase: true, at: this.#from(start) }
    if (this.#isAt('[')) return this.#readClass()
    if (this.#isAt('(')) return this.#readBrackets()
    if (this.#isAtRule()) {
      throw new Misread('";" is missing before this rule', this.#here(), 'end each rule with ";"', 'here')
    }
    const isJoined = this.#match(JOIN) !== undefined
    const name = this.#readName()
    if (name !== undefined) {
      const reference: Reference = { kind: 'reference', name, ...(isJoined && { isJoined }), at: this.#from(start) }
      if (name === END) this.#ends.push(reference)
      return reference
    }
    throw this.#misread('a literal, a name, a class or a bracket', this.#hint())
  }

  #readLiteral(): Expression {
    const start = this.#position
    const text = this.#readString()
    const end = this.#position
    this.#skipBlank()
    if (!this.#eat('->')) {
      this.#position = end
      return { kind: 'literal', text, ignoresCase: false, at: this.#from(start) }
    }
    this.#skipBlank()
    const lastStart = this.#position
    if (!this.#isAt('"')) throw this.#misread('the last character of the range, in quotes')
    const last = this.#requirePoint(this.#readString(), this.#from(lastStart))
    const first = this.#requirePoint(text, { start, end })
    return { kind: 'class', ranges: [{ first, last }], isNegated: false, count: ONCE, at: this.#from(start) }
  }

  #requirePoint(text: string, at: TextRange): number {
    const [character, ...more] = Array.from(text)
    if (character === undefined || more.length > 0) throw new Misread('the end of a range must be one character', at)
    return character.codePointAt(0) as number
  }

  #readBrackets(): Expression {
    const start = this.#position
    this.#position++
    this.#deepen(this.#from(start))
    this.#skipBlank()
    const items = this.#readMembers()
    if (!this.#eat(')')) throw this.#misread('")"')
    this.#depth--
    const [only] = items
    const at = this.#from(start)
    if (items.length === 1 && only?.kind === 'choice' && !only.isBracketed) return { ...only, isBracketed: true, at }
    return { kind: 'group', items, isBracketed: true, at }
  }

  // Text in quotes and in classes.

  #readString(): string {
    const start = this.#position
    if (!this.#eat('"')) throw this.#misread('text in double quotes')
    let text = ''
    while (!this.#eat('"')) {
      if (this.#isAtEnd()) throw new Misread('the quotes are not closed', { start, end: start + 1 })
      text += this.#eat('\\') ? this.#readEscape() : (this.#match(PLAIN) ?? '')
    }
    if (!isWellFormed(text)) {
      throw new Misread(
        'half of a surrogate pair is not a character',
        this.#from(start),
        'write both halves: "\\ud83d\\ude00"',
      )
    }
    return text
  }

  /** The character after a backslash. */
  #readEscape(): string {
    const match = this.#matchGroups(HEX)
    if (match) return String.fromCharCode(Number.parseInt(match[1] ?? match[2] ?? '', 16))
    const character = this.#text[this.#position++] ?? ''
    return ESCAPES[character] ?? character
  }

  // class = "[" [ "^" ] { "\\" letter | point [ "-" point ] } "]"
  #readClass(): Expression {
    const start = this.#position++
    const isNegated = this.#eat('^')
    const ranges: CodePointRange[] = []
    while (!this.#eat(']')) {
      if (this.#isAtEnd()) throw new Misread('the class is not closed', { start, end: start + 1 }, 'close it with "]"')
      const rangeStart = this.#position
      const named = this.#readNamedClass()
      if (named) {
        ranges.push(...named)
        continue
      }
      const first = this.#readPoint()
      const next = this.#text.charAt(this.#position + 1)
      const isRange = this.#isAt('-') && next !== ']' && next !== ''
      if (isRange) this.#position++
      if (isRange && this.#readNamedClass()) throw new Misread(CLASS_IN_RANGE, this.#from(rangeStart), ESCAPE_MINUS)
      const last = isRange ? this.#readPoint() : first
      if (last < first) throw new Misread('the range is in descending order', this.#from(rangeStart))
      ranges.push({ first, last })
    }
    const at = this.#from(start)
    if (ranges.length === 0 && !isNegated) throw new Misread('the class is empty', at, 'use [^] for any character')
    return { kind: 'class', ranges, isNegated, count: ONCE, at }
  }

  /** What a letter stands for in a class: `\d` and its like; undefined if there is none. */
  #readNamedClass(): CodePointRange[] | undefined {
    const start = this.#position
    const letter = this.#matchGroups(NAMED_CLASS)?.[1]
    if (letter === undefined) return undefined
    if (/p/i.test(letter))
      throw new Misread(`properties of characters (\\${letter}) are not known`, this.#from(start), WRITE_RANGES)
    if (this.#isAt('-') && !this.#isAt('-]')) throw new Misread(CLASS_IN_RANGE, this.#from(start), ESCAPE_MINUS)
    return rangesOf(letter)
  }

  #readPoint(): number {
    const start = this.#position
    const unit = this.#readUnit()
    const isHigh = unit >= 0xd800 && unit < 0xdc00
    const low = isHigh ? this.#readUnit() : 0
    if (isHigh && low >= 0xdc00 && low < 0xe000) return ((unit - 0xd800) << 10) + (low - 0xdc00) + 0x10000
    if (unit >= 0xd800 && unit < 0xe000)
      throw new Misread('half of a surrogate pair is not a character', this.#from(start))
    return unit
  }

  /** A unit of UTF-16, or a complete code point where it is written as one. */
  #readUnit(): number {
    if (!this.#eat('\\')) {
      const unit = this.#text.charCodeAt(this.#position++)
      return Number.isNaN(unit) ? 0xd800 : unit
    }
    const start = this.#position
    const match = this.#matchGroups(CODE_POINT)
    if (!match) return this.#readEscape().charCodeAt(0)
    const point = Number.parseInt(match[1] as string, 16)
    if (point > 0x10ffff) throw new Misread('this code point does not exist', this.#from(start))
    return point
  }

  // Reading on.

  /** Blanks and comments. A carriage return counts with its line feed only. */
  #skipBlank(): void {
    for (let skipped = -1; skipped < this.#position; ) {
      skipped = this.#position
      NO_BLANK.lastIndex = skipped
      this.#position = NO_BLANK.exec(this.#text)?.index ?? this.#text.length
      if (this.#isAt('\r\n')) this.#position += 2
      else if (this.#isAt('#')) this.#position = this.#endOfLine(this.#position)
    }
  }

  /** A name, if one is here. */
  #readName(): string | undefined {
    const start = this.#position
    const name = this.#match(NAME)
    if (name === undefined || name.length <= LONGEST_NAME) return name
    throw new Misread(`a name is longer than ${LONGEST_NAME} characters`, { start, end: start + LONGEST_NAME })
  }

  #match(pattern: RegExp): string | undefined {
    return this.#matchGroups(pattern)?.[0]
  }

  #matchGroups(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#text)
    if (match) this.#position += match[0].length
    return match ?? undefined
  }

  #isAt(text: string): boolean {
    return this.#text.startsWith(text, this.#position)
  }

  #eat(text: string): boolean {
    if (!this.#isAt(text)) return false
    this.#position += text.length
    return true
  }

  /** Whether a rule begins here: a name with `::=` after it. */
  #isAtRule(): boolean {
    const start = this.#position
    const hasName = this.#match(NAME) !== undefined
    this.#skipBlank()
    const isRule = hasName && this.#isAt('::=')
    this.#position = start
    return isRule
  }

  #isAtEnd(): boolean {
    return this.#position >= this.#text.length
  }

  #from(start: number): TextRange {
    return { start, end: this.#position }
  }

  #here(): TextRange {
    return { start: this.#position, end: Math.min(this.#position + 1, this.#text.length) }
  }

  #misread(expected: string, suggestion?: string): Misread {
    const found = this.#text.codePointAt(this.#position)
    const what = found === undefined ? 'the grammar ends' : `found ${quoteCharacter(String.fromCodePoint(found))}`
    return new Misread(`expected ${expected}, but ${what}`, this.#here(), suggestion)
  }

  /** What a newcomer may have meant. */
  #hint(): string | undefined {
    const character = this.#text[this.#position] ?? ''
    if (character === "'") return 'put literals in double quotes'
    if ('?*+{'.includes(character) && character !== '')
      return 'put the count directly after what it counts, without a space'
    if (character === ';' || character === ')' || character === '|') return 'use "?" for something that can be absent'
    if ('%!.'.includes(character) && character !== '') return 'use the order % ... ! without spaces after them'
    return undefined
  }
}

/** The end of the input is where no character follows. */
function becomeEnd(reference: Reference): void {
  const operand: Expression = { kind: 'class', ranges: [], isNegated: true, count: ONCE, at: reference.at }
  Object.assign(reference, { kind: 'look', operand, isNegative: true } satisfies Partial<Look>)
}

function makeChoice(options: readonly Expression[], start: number): Expression {
  const { end } = (options.at(-1) as Expression).at
  return { kind: 'choice', options, isBracketed: false, at: { start, end } }
}

/** What stands on one side of `|`. */
function asOption(items: readonly Expression[]): Expression {
  const [only] = items
  if (items.length === 1 && only) return only
  const start = (items[0] as Expression).at.start
  const end = (items.at(-1) as Expression).at.end
  const group: Group = { kind: 'group', items, isBracketed: false, at: { start, end } }
  return group
}
