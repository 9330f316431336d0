// Ohm: lexical rules, since blanks mean something in three of the four languages. A match keeps what it has tried, for each character:
// that is its tree, and recognising makes it too.

import * as ohm from 'ohm-js'
import type { Values } from './digest.ts'
import type { Engine, Language } from './engine.ts'

export const ohmJs: Engine = {
  compile(language) {
    const { rules, actions } = GRAMMARS[language]
    const grammar = ohm.grammar(rules)
    const semantics = grammar.createSemantics()
    semantics.addOperation<Values>('values', { ...COMMON_ACTIONS, ...actions })
    return {
      recognize: ({ text }) => grammar.match(text).succeeded(),
      readTree({ text }, digest) {
        const match = grammar.match(text)
        if (match.failed()) throw new Error(match.message)
        digest.addValues(semantics(match).values() as Values)
      },
    }
  },
}

type Actions = ohm.ActionDict<Values>

const COMMON_ACTIONS: Actions = {
  _iter: (...children) => children.map((child) => child.values() as Values),
  nonemptyListOf: (first, _, others) => [first.values(), ...others.children.map((child) => child.values() as Values)],
  emptyListOf: () => [],
}

// Ohm counts the parameters.
function textOf(this: ohm.Node, _: ohm.Node): Values {
  return this.sourceString
}

const JSON_RULES = String.raw`
  Json {
    program   = blank value
    value     = (object | array | string | number | word) blank
    object    = "{" blank listOf<member, comma> "}"
    member    = string blank ":" blank value
    array     = "[" blank listOf<value, comma> "]"
    string    = "\"" characters "\""
    characters = (plain | escape)*
    plain     = ~("\"" | "\\" | "\u0000".."\u001f") any
    escape    = "\\" ("\"" | "\\" | "/" | "b" | "f" | "n" | "r" | "t" | code)
    code      = "u" hexDigit hexDigit hexDigit hexDigit
    number    = "-"? whole fraction? exponent?
    whole     = "0" -- zero
              | "1".."9" digit* -- other
    fraction  = "." digit+
    exponent  = ("e" | "E") ("+" | "-")? digit+
    word      = "true" | "false" | "null"
    comma     = "," blank
    blank     = (" " | "\t" | "\n" | "\r")*
  }`

const JSON_ACTIONS: Actions = {
  program: (_, value) => value.values(),
  value: (value, _) => value.values(),
  object: (_1, _2, members, _3) => members.values(),
  member: (key, _1, _2, _3, value) => [key.values(), value.values()],
  array: (_1, _2, values, _3) => values.values(),
  string: (_1, characters, _2) => characters.sourceString,
  number(_1, _2, _3, _4) {
    return this.sourceString
  },
  word: textOf,
}

const CSV_RULES = String.raw`
  Csv {
    program   = nonemptyListOf<record, separator> newline?
    record    = nonemptyListOf<cell, ",">
    cell      = quoted | text
    quoted    = "\"" characters "\""
    characters = (~"\"" any | "\"\"")*
    text      = (~("," | "\"" | "\r" | "\n") any)*
    separator = newline &any
    newline   = "\r\n" | "\n"
  }`

const CSV_ACTIONS: Actions = {
  program: (records, _) => records.values(),
  record: (cells) => cells.values(),
  quoted: (_1, characters, _2) => characters.sourceString.replaceAll('""', '"'),
  text: textOf,
}

const LOG_RULES = String.raw`
  Log {
    program = entry*
    entry   = time " " level " " host " " method " " path " " status " " size " " quoted " " quoted "\n"
    time    = (digit | "T" | ":" | "." | "Z" | "+" | "-")+
    level   = "DEBUG" | "INFO" | "WARN" | "ERROR"
    host    = ("a".."z" | digit | "." | "-")+
    method  = "A".."Z"+
    path    = (~(" " | "\n") any)+
    status  = digit digit digit
    size    = number | "-"
    number  = digit+
    quoted  = "\"" characters "\""
    characters = (~("\"" | "\n") any)*
  }`

const LOG_ACTIONS: Actions = {
  entry: (time, _1, level, _2, host, _3, method, _4, path, _5, status, _6, size, _7, referrer, _8, agent, _9) =>
    [time, level, host, method, path, status, size, referrer, agent].map((field) => field.values() as Values),
  time: textOf,
  level: textOf,
  host: textOf,
  method: textOf,
  path: textOf,
  status(_1, _2, _3) {
    return this.sourceString
  },
  size: textOf,
  quoted: (_1, characters, _2) => characters.sourceString,
}

const XML_RULES = String.raw`
  Xml {
    program     = declaration? blank* misc* doctype? misc* element blank* misc*
    declaration = "<?xml" blank+ attribute+ "?>"
    doctype     = "<!DOCTYPE" blank+ name blank* external? ">" blank*
    external    = identifier blank+ quoted blank*
    identifier  = "SYSTEM" -- system
                | "PUBLIC" blank+ quoted -- public
    misc        = (comment | instruction) blank*
    element     = "<" name blank* attribute* (empty | content)
    attribute   = name blank* "=" blank* quoted gap
    empty       = "/>"
    content     = ">" (text | element | comment | cdata | instruction)* "</" name blank* ">"
    text        = (~"<" any)+
    comment     = "<!--" inComment "-->"
    inComment   = (~"--" any)*
    cdata       = "<![CDATA[" inCdata "]]>"
    inCdata     = (~"]]>" any)*
    instruction = "<?" name data? "?>"
    data        = blank+ inData
    inData      = (~"?>" any)*
    quoted      = "\"" inDouble "\"" -- double
                | "'" inSingle "'" -- single
    inDouble    = (~("\"" | "<") any)*
    inSingle    = (~("'" | "<") any)*
    name        = start (start | digit | "." | "-")*
    start       = "a".."z" | "A".."Z" | "_" | ":" | "\u0080".."\u{10ffff}"
    gap         = blank+ | &(">" | "/" | "?")
    blank       = " " | "\t" | "\r" | "\n"
  }`

const XML_ACTIONS: Actions = {
  program: (declaration, _1, misc, doctype, more, element, _2, last) =>
    [declaration, misc, doctype, more, element, last].map((part) => part.values() as Values),
  declaration: (_1, _2, attributes, _3) => attributes.values(),
  doctype: (_1, _2, name, _3, external, _4, _5) => [name.values(), external.values()],
  external: (identifier, _1, system, _2) => [identifier.values(), system.values()],
  identifier_system: (name) => name.sourceString,
  identifier_public: (_1, _2, id) => id.values(),
  misc: (content, _) => content.values(),
  element: (_1, name, _2, attributes, rest) => [name.values(), attributes.values(), rest.values()],
  attribute: (name, _1, _2, _3, value, _4) => [name.values(), value.values()],
  empty: (_) => [],
  content: (_1, content, _2, _3, _4, _5) => content.values(),
  text: textOf,
  comment: (_1, content, _2) => content.sourceString,
  cdata: (_1, content, _2) => content.sourceString,
  instruction: (_1, target, data, _2) => [target.values(), data.values()],
  data: (_, content) => content.sourceString,
  quoted_double: (_1, content, _2) => content.sourceString,
  quoted_single: (_1, content, _2) => content.sourceString,
  name(_1, _2) {
    return this.sourceString
  },
}

const GRAMMARS: Readonly<Record<Language, { readonly rules: string; readonly actions: Actions }>> = {
  json: { rules: JSON_RULES, actions: JSON_ACTIONS },
  csv: { rules: CSV_RULES, actions: CSV_ACTIONS },
  log: { rules: LOG_RULES, actions: LOG_ACTIONS },
  xml: { rules: XML_RULES, actions: XML_ACTIONS },
}
