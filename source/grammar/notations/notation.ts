// Other notations for grammars: what they are called, and what in them is written in another way than here.

/** A notation, as far as a rule of it can be written here. */
export interface Notation {
  /** After "this looks like". */
  readonly name: string
  /** What stands between options. */
  readonly bar: '|' | '/'
  /** `[x]` may be absent, and `{x}` repeats. Otherwise `[x]` is a class of characters, and `{x}` code. */
  readonly hasOptionBrackets: boolean
  /** Whether a backslash in quotes means something. */
  readonly hasEscapes: boolean
  /** Names stand in angle brackets: other words stand for themselves. */
  readonly hasAngles?: true
  /** A comment, where one begins. */
  readonly comment: RegExp
  /** What does not count between two parts. */
  readonly joint?: string
  /** What matches nothing, besides what does in all notations. */
  readonly nothing?: RegExp
  /** What has no counterpart here. */
  readonly unknown?: RegExp
}

const C_COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/y
const HASH_COMMENT = /#.*/y
const ISO_COMMENT = /\(\*[\s\S]*?\*\)/y

const BRACKETS = { bar: '|', hasOptionBrackets: true, hasEscapes: false, comment: ISO_COMMENT } as const
const CLASSES = { bar: '|', hasOptionBrackets: false, hasEscapes: true, comment: C_COMMENT } as const

const CLASSIC: Notation = { ...BRACKETS, name: 'BNF with names in angle brackets', hasAngles: true, comment: /;.*/y }
const W3C: Notation = { ...CLASSES, name: 'EBNF of the W3C, whose rules end without ";"', hasEscapes: false }
const ISO: Notation = { ...BRACKETS, name: 'EBNF as in ISO 14977', joint: ',' }
/** With names of one word, and nothing between two parts. */
const LOOSE_ISO: Notation = { ...BRACKETS, name: ISO.name }
const WIRTH: Notation = { ...BRACKETS, name: 'EBNF with a full stop after each rule', hasEscapes: true }
const PLAIN: Notation = { ...BRACKETS, name: 'EBNF with "="', hasEscapes: true, comment: HASH_COMMENT }
const UNENDED: Notation = { ...PLAIN, name: 'EBNF whose rules end without ";"' }
const ABNF: Notation = { ...BRACKETS, name: 'ABNF', bar: '/', comment: /;.*/y }
const PEST: Notation = {
  ...CLASSES,
  name: 'a grammar for pest',
  joint: '~',
  unknown: /(?:PUSH|PEEK|POP|DROP)(?:_\w+)?(?!\w)/y,
}
const OHM: Notation = { ...CLASSES, name: 'a grammar for Ohm' }
const PEGGY: Notation = { ...CLASSES, name: 'a PEG as for Peggy', bar: '/' }
const PEG: Notation = { ...CLASSES, name: 'a PEG with "<-"', bar: '/', comment: HASH_COMMENT }
const ARROWS: Notation = { ...BRACKETS, name: 'a grammar with arrows', hasEscapes: true, comment: HASH_COMMENT }
const NEARLEY: Notation = { ...CLASSES, name: 'a grammar for nearley', comment: HASH_COMMENT, nothing: /null(?!\w)/y }
const ASSIGNED: Notation = { ...BRACKETS, name: 'BNF with ":="', hasEscapes: true, comment: HASH_COMMENT }
// What names an option or a part, or gives a precedence, is left out as comments are.
const YACC: Notation = {
  ...CLASSES,
  name: 'a grammar for yacc or Bison',
  comment: /\/\*[\s\S]*?\*\/|\/\/.*|%prec\s+\S+|\[\w+\]/y,
}
const ANTLR: Notation = { ...CLASSES, name: 'a grammar for ANTLR', comment: /\/\*[\s\S]*?\*\/|\/\/.*|#\s*\w+/y }
const LARK: Notation = {
  ...BRACKETS,
  name: 'a grammar with ":", as for Lark',
  hasEscapes: true,
  comment: /\/\/.*|->\s*\w+|%(?:import|ignore|declare)\b.*/y,
}

/** Quotes, classes and comments: signs in them mean nothing. */
const QUOTED = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\[(?:\\.|[^\]\\\n])*\]|\/\*[\s\S]*?\*\/|\(\*[\s\S]*?\*\)|#.*/g

/** Brackets around what may be absent: no class begins so. */
const OPTION = /^\[(?:\s|(["'])[^"']+\1[\s\]])/

/** A text with empty quotes in place of what is in quotes, classes and comments. */
export function withoutQuotes(text: string): string {
  return text.replace(QUOTED, '""')
}

/** The notation of a text, by the sign that its rules have after their names, and by what else is in it. */
export function nameNotation(sign: string, isInAngles: boolean, text: string): Notation {
  const bare = withoutQuotes(text)
  const has = (pattern: RegExp): boolean => pattern.test(bare)
  if (isInAngles) return CLASSIC
  switch (sign) {
    case '::=':
      // A class has no line ends, and there is no code.
      return has(/[[{]/) || text.match(QUOTED)?.some((part) => OPTION.test(part)) ? UNENDED : W3C
    case '<-':
    case '←':
      return PEG
    case '->':
    case '→':
      return has(/\{%|:[+*?]/) ? NEARLEY : ARROWS
    case ':=':
      return ASSIGNED
    case ':':
      if (has(/^%%/m)) return YACC
      return has(/;[ \t]*$/m) ? ANTLR : LARK
    default:
      return nameByRest(has)
  }
}

/** Two rules in braces one after the other, without a sign after the first. */
const BRACED = /^\s*\w+\s*=\s*\{[^{}]*\}\s*\w+\s*=\s*[_@$!]?\{/m

/** Many notations have `=`. */
function nameByRest(has: (pattern: RegExp) => boolean): Notation {
  if (has(/=\s*[_@$!]?\{/) && (has(/~|[_@$!]\{/) || has(BRACED))) return PEST
  if (has(/^\s*[A-Z]\w*\s*(?:<:\s*\w+\s*)?\{/)) return OHM
  if (has(/%[xdb]\d|(?:^|[\s(])\d*\*\d*[\w(]|^[ \t]*\w+-[\w-]+[ \t]*=/m)) return ABNF
  if (has(/[\w")*+?]\s*\/\s*[\w"(!&.]/)) return has(/[)\w"][*+?]/) || !has(/;/) ? PEGGY : ABNF
  if (has(/,\s/)) return ISO
  if (has(/;[ \t]*$/m)) return LOOSE_ISO
  return has(/\.[ \t]*$/m) ? WIRTH : PLAIN
}
