// What a rule of another notation matches, as it is written here. Whatever has no counterpart gives nothing: then there is no translation.

import type { Notation } from './notation.ts'

/** Thrown at what cannot be translated. */
class Unknown extends Error {}

/** Brackets in brackets. */
const DEEPEST = 50

const IN_ANGLES = /<([^<>\n]+)>/y
const WORD = /[A-Za-z_](?:[\w-]*\w)?/y
const BLANK = /\s+/y
const TEXT = { escaped: /(["'])((?:\\.|(?!\1)[^\\])*)\1/y, plain: /(["'])((?:(?!\1)[\s\S])*)\1/y }
const CLASS = /\[((?:\\.|[^\]\\])+)\]/y
/** What is a class, also where brackets are options: `[a-z_]`. */
const SURE_CLASS = /\[(?:\^|(?:\w-\w)+[\W_]*\])/y
/** Not of several characters, as `%x0D.0A` is. */
const CODE = /%x([0-9A-Fa-f]+)(?:-([0-9A-Fa-f]+))?(?!\.?[0-9A-Fa-f])|#x([0-9A-Fa-f]+)/y
const COUNT = /[?*+]|\{\d+(?:,\d*)?\}/y
const COUNT_BEFORE = /(\d*)[ \t]*(\*?)[ \t]*(\d*)(?=[ \t]*["'\w(<[{%])/y
const LABEL = /([A-Za-z_]\w*)[ \t]*(?::(?![+*?])|\+?=)[ \t]*(?=["'\w([$!~.])/y
const NOTHING = /(?:EOF|ε|epsilon|%empty|EOI|SOI)(?!\w)/y

/** Undefined where it cannot be said. */
export function translate(body: string, notation: Notation): string | undefined {
  try {
    return new Translator(body, notation).translate()
  } catch (error) {
    if (error instanceof Unknown) return undefined
    throw error
  }
}

/** A name as names are here: with a letter at its beginning, and `_` in the place of dashes and blanks. */
export function nameOf(name: string): string {
  return (
    name
      .trim()
      .replace(/\W+/g, '_')
      .replace(/^[^A-Za-z]+/, '') || 'blank'
  )
}

class Translator {
  readonly #text: string
  readonly #notation: Notation
  #position = 0
  #depth = 0

  constructor(text: string, notation: Notation) {
    this.#text = text
    this.#notation = notation
  }

  translate(): string {
    this.#skipBlank()
    const isBraced = this.#notation.joint === '~' && this.#match(/[_@$!]?\{/y) !== undefined
    const written = this.#readChoice()
    if (isBraced && !this.#eat('}')) fail()
    this.#skipBlank()
    // A sign may end the rule, and what comes after it does not belong to it. Otherwise all must be understood.
    const isRead = this.#position === this.#text.length || /[;.}]|%%/y.test(this.#rest)
    if (written === '' || !isRead) fail()
    return written
  }

  get #rest(): string {
    return this.#text.slice(this.#position)
  }

  /** Options with brackets around those of several parts, because both dialects read that alike. An option that matches nothing makes all optional. */
  #readChoice(): string {
    const { bar } = this.#notation
    const options = [this.#readSequence()]
    while (this.#eat(bar)) options.push(this.#readSequence())
    const visible = options.filter((parts) => parts.length > 0)
    const isChoice = visible.length > 1
    const written = visible.map((parts) => (isChoice && parts.length > 1 ? bracket(parts.join(' ')) : parts.join(' ')))
    const all = written.join(' | ')
    return visible.length === options.length || all === '' ? all : `${bracket(all)}?`
  }

  #readSequence(): string[] {
    const parts: string[] = []
    for (this.#skipBlank(); !this.#isAtEnd(); this.#skipBlank()) {
      if (this.#notation.joint && this.#eat(this.#notation.joint)) continue
      const part = this.#readCounted()
      if (part !== '') parts.push(part)
    }
    return parts
  }

  #isAtEnd(): boolean {
    const { bar } = this.#notation
    const character = this.#text.charAt(this.#position)
    const isStop = character === '.' && (this.#notation.hasOptionBrackets || this.#rest.trim() === '.')
    return character === '' || character === bar || ';)]}'.includes(character) || isStop || this.#rest.startsWith('%%')
  }

  #readCounted(): string {
    const label = this.#notation.hasOptionBrackets ? undefined : this.#match(LABEL)?.[1]
    const prefix = this.#readPrefix()
    const before = this.#notation.hasOptionBrackets ? this.#readCountBefore() : ''
    const part = this.#readPart()
    // A condition in code has no counterpart.
    if (part === '') return prefix && fail()
    const after = this.#match(COUNT)?.[0] ?? this.#match(/:([+*?])/y)?.[1] ?? ''
    if (before !== '' && after !== '') fail()
    return `${label === undefined ? '' : `${label}:`}${prefix}${part}${before}${after}`
  }

  #readPrefix(): string {
    if (this.#notation.hasOptionBrackets) return ''
    if (this.#eat('$')) return '...'
    if (this.#eat('@') || this.#eat('_:')) return ''
    if (this.#eat('&')) return '&'
    return this.#eat('!') ? '&!' : ''
  }

  /** ABNF: `1*DIGIT`, `*DIGIT`, `2DIGIT`; ISO 14977: `3 * digit`. */
  #readCountBefore(): string {
    const match = this.#match(COUNT_BEFORE)
    const [all = '', least = '', star = '', most = ''] = match ?? []
    if (all.trim() === '') return ''
    this.#skipBlank()
    if (star === '' || this.#notation.bar !== '/') return least === '' || most !== '' ? fail() : `{${least}}`
    if (most === '') return least === '' || least === '0' ? '*' : least === '1' ? '+' : `{${least},}`
    return `{${least || '0'},${most}}`
  }

  #readPart(): string {
    const { hasOptionBrackets, joint, nothing, unknown } = this.#notation
    if (this.#match(NOTHING) || (nothing && this.#match(nothing))) return ''
    if (unknown && this.#match(unknown)) fail()
    if (this.#eat('(')) return bracket(this.#readInner(')'))
    if (hasOptionBrackets && this.#match(SURE_CLASS)) fail()
    if (hasOptionBrackets && this.#eat('[')) return `${bracket(this.#readInner(']'))}?`
    if (hasOptionBrackets && this.#eat('{')) return `${bracket(this.#readInner('}'))}*`
    if (!hasOptionBrackets && this.#text.charAt(this.#position) === '{') {
      return joint === '~' ? fail() : this.#skipCode()
    }
    if (!hasOptionBrackets && this.#eat('.')) return '[^]'
    const isNot = this.#eat('~')
    if (isNot && this.#text.charAt(this.#position) !== '[') fail()
    const inClass = hasOptionBrackets ? undefined : this.#match(CLASS)?.[1]
    if (inClass !== undefined) return `[${isNot ? '^' : ''}${this.#translateClass(inClass)}]`
    return this.#readCode() ?? this.#readText() ?? this.#readName()
  }

  #readInner(end: string): string {
    if (++this.#depth > DEEPEST) fail()
    const inner = this.#readChoice()
    this.#depth--
    if (!this.#eat(end) || inner === '') fail()
    return inner
  }

  /** Numbers of characters: `%x41`, `%x41-5A`, `#x41`. */
  #readCode(): string | undefined {
    const match = this.#match(CODE)
    if (!match) return undefined
    const [first = '', last] = match.slice(1).filter((part) => part !== undefined)
    return last === undefined ? `[\\u{${first}}]` : `[\\u{${first}}-\\u{${last}}]`
  }

  #readText(): string | undefined {
    const from = this.#matchText()
    if (!from) return from
    if (!this.#match(/[ \t]*\.\.[ \t]*/y)) {
      return this.#match(/i(?!\w)/y) || (this.#notation.bar === '/' && this.#notation.hasOptionBrackets)
        ? `~"${from}"`
        : `"${from}"`
    }
    const to = this.#matchText() ?? fail()
    return `"${from}"->"${to}"`
  }

  /** What stands in quotes, as it stands in double quotes here. */
  #matchText(): string | undefined {
    const { hasEscapes } = this.#notation
    const text = this.#match(hasEscapes ? TEXT.escaped : TEXT.plain)?.[2]
    if (text === undefined) return undefined
    if (!hasEscapes) return text.replace(/[\\"]/g, '\\$&')
    if (/\\(?:[^bfnrtv\\"'/xu-]|u\{)/.test(text)) fail()
    return text.replace(/\\'/g, "'").replace(/(\\.)|"/g, (found, escaped) => escaped ?? `\\${found}`)
  }

  #translateClass(text: string): string {
    const isUnsure = this.#notation.hasEscapes ? /\\[dDwWsSpPhHRN0]/ : /\\|^(?:[A-Za-z_]|[A-Za-z_]{3,})$/
    if (isUnsure.test(text) || this.#match(/i(?!\w)/y)) fail()
    return text.replace(/#x([0-9A-Fa-f]+)/g, '\\u{$1}')
  }

  #readName(): string {
    const { hasAngles } = this.#notation
    const inAngles = hasAngles && this.#match(IN_ANGLES)?.[1]
    if (inAngles) return nameOf(inAngles)
    let name = this.#match(WORD)?.[0] ?? fail()
    if (hasAngles) return `"${name}"`
    // ISO 14977 has names of several words.
    while (this.#notation.joint === ',') {
      const next = this.#match(/[ \t]+([A-Za-z]\w*)/y)
      if (!next) break
      name += `_${next[1]}`
    }
    return nameOf(name)
  }

  /** Code in braces, which may have braces in it. */
  #skipCode(): string {
    const brace = /[{}]/g
    brace.lastIndex = this.#position
    let depth = 0
    for (let match = brace.exec(this.#text); match; match = brace.exec(this.#text)) {
      depth += match[0] === '{' ? 1 : -1
      if (depth > 0) continue
      this.#position = brace.lastIndex
      return ''
    }
    fail()
  }

  #skipBlank(): void {
    while (this.#match(BLANK) || this.#match(this.#notation.comment)) {
      // Comments and blanks may alternate.
    }
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#text)
    if (!match || match[0] === '') return undefined
    this.#position = pattern.lastIndex
    return match
  }

  #eat(text: string): boolean {
    if (!this.#text.startsWith(text, this.#position)) return false
    this.#position += text.length
    return true
  }
}

function fail(): never {
  throw new Unknown()
}

function bracket(inner: string): string {
  return `( ${inner} )`
}
