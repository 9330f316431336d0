// Grammars in another notation: which one it is, and how the first rule is written here. This is asked only of texts that are no grammar here.

import { makeProblem, type Problem } from '../syntax/errors.ts'
import type { TextRange } from '../syntax/expression.ts'
import { type Dialect, type GrammarText, parseGrammar } from '../syntax/syntax.ts'
import { type Notation, nameNotation, withoutQuotes } from './notation.ts'
import { nameOf, translate } from './translate.ts'

/** Units of the text that are looked at. */
const MOST_READ = 20_000
/** Units of a rule that is written as it is here: of a longer one, only the beginning is. */
const LONGEST = 200

/** The beginning of a rule in any notation, at the beginning of a line: `[12] name "label" ::=`, `fragment name :`, `<the name> ::=`. Names may have blanks. */
const BEGINNING =
  /^\ufeff?[ \t]*(?:\[\d+\w?\][ \t]*)?(?:fragment[ \t]+)?[?!]?(?:<([A-Za-z][^<>\n]*)>|([A-Za-z_](?:[\w-]|[ \t]+(?=[A-Za-z]))*))(?:\.\d+)?(?:[ \t]+"[^"\n]*")?\s*(::=|:=|=\/|[:=←→]|<-|->)(?![^"'\w]?[:=>])/gm

/** A problem that says in which notation a grammar is written, if it has no rule of this one. */
export function recognizeNotation({ source, rules: own }: GrammarText, dialect: Dialect): Problem | undefined {
  if (own.length > 0) return undefined
  // Of a grammar for yacc, what comes before the first `%%` is code.
  const text = source.text.slice(0, MOST_READ)
  const from = /^%%/m.exec(text)?.index ?? 0
  const beginnings = Array.from(text.slice(from).matchAll(BEGINNING), (match) => readBeginning(match, from))
  const usual = findUsual(beginnings)
  const rules = beginnings.filter(({ kind }) => kind === usual)
  const [first, next] = rules
  if (!first || isOwn(beginnings, text) || !isLikely(rules, text)) return undefined
  const notation = nameNotation(first.sign, first.isInAngles, text)
  const written = write(first.name, text.slice(first.end, next?.start ?? text.length), notation, dialect)
  return makeProblem(source, {
    code: 'other-notation',
    message: `this looks like ${notation.name}`,
    suggestion: `write each rule as a name, "::=", what it matches, and ";":  ${written}`,
    at: first,
  })
}

interface Beginning extends TextRange {
  readonly name: string
  readonly sign: string
  readonly isInAngles: boolean
  /** Those of one notation have the same. */
  readonly kind: string
}

function readBeginning(
  { 0: all, 1: inAngles, 2: bare, 3: sign = '', index }: RegExpExecArray,
  from: number,
): Beginning {
  const isInAngles = inAngles !== undefined
  return {
    name: inAngles ?? bare ?? '',
    sign,
    isInAngles,
    kind: isInAngles ? '<>' : sign,
    start: from + index + Math.max(0, all.search(/\S/)),
    end: from + index + all.length,
  }
}

/** What most rules have after their names. A line of another sign may be code. */
function findUsual(beginnings: readonly Beginning[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { kind } of beginnings) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}

/** Whether it is this notation, with mistakes in it: it has the sign of this one, unless no rule of several ends with `;`. */
function isOwn(beginnings: readonly Beginning[], text: string): boolean {
  const own = beginnings.filter(({ kind }) => kind === '::=')
  if (own.length === 0) return false
  return own.length < Math.max(2, beginnings.length) || withoutQuotes(text).includes(';')
}

/** What stands for itself: a text in quotes, a class, a character by its number. */
const TERMINAL = /["'[]|%[xd]\d/
/** The sign between options, and no other one. */
const OPTIONS = /[\w"'*+?)\]}]\s*\|\s*[\w"'(~[{]/
const IN_QUOTES = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g
const WORDS = /[A-Za-z_](?:[\w-]*\w)?/g
/** What stands before names in programs. A rule of a grammar may be called `type name`, but not all of them begin so. */
const DECLARATION = /^(?:(?:export|declare)\s+)*(?:type|const|let|var)\s/

/** Whether a text with `=` or `:` after names is a grammar, and no program and no settings: something stands for itself, and there are options, or rules that others use. */
function isLikely(rules: readonly Beginning[], text: string): boolean {
  const [{ sign, isInAngles }] = rules as [Beginning]
  if (isInAngles || !/^[=:]$/.test(sign)) return true
  if (rules.every(({ name }) => DECLARATION.test(name))) return false
  const bodies = rules.map(({ end }, i) => text.slice(end, rules[i + 1]?.start)).join('\n')
  if (!TERMINAL.test(bodies)) return false
  if (rules.length === 1 || OPTIONS.test(withoutQuotes(bodies))) return true
  // A key below a key stands further in.
  const indents = new Set(rules.map(({ start }) => start - text.lastIndexOf('\n', start)))
  if (sign === ':' && indents.size > 1 && !/^%%/m.test(text)) return false
  const words = new Set(bodies.replace(IN_QUOTES, '').match(WORDS))
  return rules.some(({ name }) => (name.includes(' ') ? bodies.includes(name) : words.has(name)))
}

/** A rule as it is written here: all of it if it can be read and has few characters. */
function write(name: string, body: string, notation: Notation, dialect: Dialect): string {
  const own = nameOf(name)
  const translated = translate(body, notation)
  const rule = `${own} ::= ${translated} ;`
  const isKnown =
    translated !== undefined && rule.length <= LONGEST && parseGrammar(rule, dialect).found.errorCount === 0
  return isKnown ? rule : `${own} ::= … ;`
}
