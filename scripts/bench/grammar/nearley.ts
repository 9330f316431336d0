// nearley with moo, its tokenizer, as its documentation advises: characters as tokens are several times slower. Lists are left-recursive and grow in
// place. XML begins with the root: what may stand before it is left out.

import moo from 'moo'
import nearley from 'nearley'
import type { Values } from './digest.ts'
import type { Engine, Language } from './engine.ts'

export const nearleyJs: Engine = {
  compile(language) {
    const { rules, makeLexer } = GRAMMARS[language]
    const values = makeGrammar(rules, makeLexer())
    const bare = makeGrammar(rules.map(dropValues), makeLexer())
    return {
      recognize: ({ text }) => parse(bare, text).length === 1,
      readTree: ({ text }, digest) => digest.addValues(parse(values, text)[0] as Values),
    }
  },
}

function makeGrammar(rules: readonly Rule[], lexer: moo.Lexer): nearley.Grammar {
  const ParserRules = rules.map(({ name, symbols, make }) => ({
    name,
    symbols: symbols.map((symbol) => (symbol.startsWith('%') ? { type: symbol.slice(1) } : symbol)),
    postprocess: make,
  }))
  return nearley.Grammar.fromCompiled({ Lexer: lexer, ParserRules, ParserStart: 'program' } as nearley.CompiledRules)
}

function parse(grammar: nearley.Grammar, text: string): unknown[] {
  const parser = new nearley.Parser(grammar)
  parser.feed(text)
  return parser.results
}

/** What a symbol has given: a token, or what a rule made. */
type Item = moo.Token | Values

interface Rule {
  readonly name: string
  /** Names of rules, and with `%` of tokens. */
  readonly symbols: readonly string[]
  readonly make: (items: Item[]) => Values
}

function rule(name: string, symbols: string, make: (items: Item[]) => Values): Rule {
  return { name, symbols: symbols.split(' ').filter((symbol) => symbol !== ''), make }
}

function dropValues(rule: Rule): Rule {
  return { ...rule, make: () => null }
}

function valueAt(index: number): (items: Item[]) => Values {
  return (items) => items[index] as Values
}

function tokenAt(index: number): (items: Item[]) => Values {
  return (items) => (items[index] as moo.Token).value
}

/** Adds what stands at `index` to the list that stands first. */
function grow(index: number): (items: Item[]) => Values {
  return (items) => {
    const list = items[0] as Values[]
    list.push(items[index] as Values)
    return list
  }
}

const none = (): Values => []
const one = (items: Item[]): Values => [items[0] as Values]

const BLANK = /[ \t\r\n]+/

const JSON_TOKENS: moo.Rules = {
  blank: { match: BLANK, lineBreaks: true },
  string: {
    match: /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/,
    value: (text) => text.slice(1, -1),
  },
  number: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/,
  word: ['true', 'false', 'null'],
  open: '{',
  close: '}',
  openList: '[',
  closeList: ']',
  colon: ':',
  comma: ',',
}

const JSON_RULES = [
  rule('program', 'value', valueAt(0)),
  rule('value', 'object', valueAt(0)),
  rule('value', 'array', valueAt(0)),
  rule('value', '%string', tokenAt(0)),
  rule('value', '%number', tokenAt(0)),
  rule('value', '%word', tokenAt(0)),
  rule('object', '%open %close', none),
  rule('object', '%open members %close', valueAt(1)),
  rule('members', 'member', one),
  rule('members', 'members %comma member', grow(2)),
  rule('member', '%string %colon value', (items) => [(items[0] as moo.Token).value, items[2] as Values]),
  rule('array', '%openList %closeList', none),
  rule('array', '%openList values %closeList', valueAt(1)),
  rule('values', 'value', one),
  rule('values', 'values %comma value', grow(2)),
]

const CSV_TOKENS: moo.Rules = {
  quoted: {
    match: /"(?:[^"]|"")*"/,
    lineBreaks: true,
    value: (text) => text.slice(1, -1).replaceAll('""', '"'),
  },
  text: /[^,"\r\n]+/,
  comma: ',',
  newline: { match: /\r\n|\n/, lineBreaks: true },
}

const CSV_RULES = [
  rule('program', 'records', valueAt(0)),
  rule('records', '', none),
  rule('records', 'records record %newline', grow(1)),
  rule('record', 'cell', one),
  // A copy: with cells that can be empty, a record is made for each way to continue.
  rule('record', 'record %comma cell', (items) => [...(items[0] as Values[]), items[2] as Values]),
  rule('cell', '', () => ''),
  rule('cell', '%text', tokenAt(0)),
  rule('cell', '%quoted', tokenAt(0)),
]

const LOG_FIELDS: readonly (readonly [name: string, match: RegExp])[] = [
  ['time', /[0-9T:.Z+-]+ /],
  ['level', /(?:DEBUG|INFO|WARN|ERROR) /],
  ['host', /[a-z0-9.-]+ /],
  ['method', /[A-Z]+ /],
  ['path', /[^ \n]+ /],
  ['status', /[0-9]{3} /],
  ['size', /(?:[0-9]+|-) /],
  ['referrer', /"[^"\n]*" /],
  ['agent', /"[^"\n]*"\n/],
]

/** A state for each field: a line has one order. */
const LOG_STATES = Object.fromEntries(
  LOG_FIELDS.map(([name, match], index): [string, moo.Rules] => {
    const [next] = LOG_FIELDS[(index + 1) % LOG_FIELDS.length] as (typeof LOG_FIELDS)[number]
    const cut = index < 7 ? 0 : 1
    const value = (text: string) => text.slice(cut, -1 - cut)
    return [name, { [name]: { match, value, next, lineBreaks: name === 'agent' } }]
  }),
)

const LOG_RULES = [
  rule('program', '', none),
  rule('program', 'program entry', grow(1)),
  rule('entry', LOG_FIELDS.map(([name]) => `%${name}`).join(' '), (items) =>
    items.map((item) => (item as moo.Token).value),
  ),
]

const NAME = /[A-Za-z_:\u0080-\uffff][A-Za-z_:0-9.\-\u0080-\uffff]*/

const XML_STATES: Readonly<Record<string, moo.Rules>> = {
  content: {
    comment: { match: /<!--(?:[^-]|-(?!-))*-->/, lineBreaks: true, value: (text) => text.slice(4, -3) },
    cdata: { match: /<!\[CDATA\[(?:[^\]]|\](?!\]>))*\]\]>/, lineBreaks: true, value: (text) => text.slice(9, -3) },
    instruction: { match: new RegExp(`<\\?${NAME.source}(?:[ \\t\\r\\n]+(?:[^?]|\\?(?!>))*)?\\?>`), lineBreaks: true },
    end: { match: new RegExp(`</${NAME.source}[ \\t\\r\\n]*>`), lineBreaks: true },
    start: { match: new RegExp(`<${NAME.source}`), value: (text) => text.slice(1), push: 'tag' },
    text: { match: /[^<]+/, lineBreaks: true },
  },
  tag: {
    blank: { match: BLANK, lineBreaks: true },
    name: NAME,
    equals: '=',
    quoted: { match: /"[^"<]*"|'[^'<]*'/, lineBreaks: true, value: (text) => text.slice(1, -1) },
    empty: { match: '/>', pop: 1 },
    close: { match: '>', pop: 1 },
  },
}

const XML_RULES = [
  rule('program', 'element', valueAt(0)),
  rule('program', 'element %text', valueAt(0)),
  rule('element', '%start attributes %empty', (items) => [(items[0] as moo.Token).value, items[1] as Values]),
  rule('element', '%start attributes %close content %end', (items) => [
    (items[0] as moo.Token).value,
    items[1] as Values,
    items[3] as Values,
  ]),
  rule('attributes', '', none),
  rule('attributes', 'attributes attribute', grow(1)),
  rule('attribute', '%name %equals %quoted', (items) => [(items[0] as moo.Token).value, (items[2] as moo.Token).value]),
  rule('content', '', none),
  rule('content', 'content piece', grow(1)),
  rule('piece', 'element', valueAt(0)),
  rule('piece', '%text', tokenAt(0)),
  rule('piece', '%comment', tokenAt(0)),
  rule('piece', '%cdata', tokenAt(0)),
  rule('piece', '%instruction', (items) => splitInstruction((items[0] as moo.Token).value)),
]

/** Its target, and its data where there is any. */
function splitInstruction(text: string): Values {
  const [, target = '', data] = /^<\?([^ \t\r\n?]+)(?:[ \t\r\n]+([\s\S]*))?\?>$/.exec(text) ?? []
  return [target, data]
}

/** A lexer that leaves blanks out: moo has no word for it. */
function skipBlanks(lexer: moo.Lexer): moo.Lexer {
  const next = lexer.next.bind(lexer)
  lexer.next = () => {
    let token = next()
    while (token?.type === 'blank') token = next()
    return token
  }
  return lexer
}

const GRAMMARS: Readonly<Record<Language, { readonly rules: readonly Rule[]; readonly makeLexer: () => moo.Lexer }>> = {
  json: { rules: JSON_RULES, makeLexer: () => skipBlanks(moo.compile(JSON_TOKENS)) },
  csv: { rules: CSV_RULES, makeLexer: () => moo.compile(CSV_TOKENS) },
  log: { rules: LOG_RULES, makeLexer: () => moo.states(LOG_STATES, 'time') },
  xml: { rules: XML_RULES, makeLexer: () => skipBlanks(moo.states(XML_STATES, 'content')) },
}
