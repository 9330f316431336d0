// peggy: classes, `$`, `@`, repetitions with a delimiter; what it makes are arrays of strings. Its second grammar has no actions and
// `$` around everything, so that nothing is kept: it builds the least that peggy can.

import peggy from 'peggy'
import type { Values } from './digest.ts'
import type { Engine, Language } from './engine.ts'

export const plain: Engine = makeEngine(false)

/** With its option `cache`: packrat parsing. */
export const caching: Engine = makeEngine(true)

function makeEngine(cache: boolean): Engine {
  return {
    compile(language) {
      const rules = GRAMMARS[language]
      const values = peggy.generate(rules, { cache })
      let bare: peggy.Parser | undefined
      return {
        recognize({ text }) {
          bare ??= peggy.generate(`start = $program\n${dropValues(rules)}`, { cache, allowedStartRules: ['start'] })
          bare.parse(text)
          return true
        },
        readTree: ({ text }, digest) => digest.addValues(values.parse(text) as Values),
      }
    },
  }
}

/** The same grammar without what makes values. One pick is left in a line: a sequence with one makes no array of its parts. */
function dropValues(rules: string): string {
  return rules.replaceAll(/@(?=[^\n]*@)|\{ return [^}]*\}/g, '')
}

const JSON_GRAMMAR = String.raw`
program = _ @value
value   = @(object / array / string / number / word) _
object  = "{" _ @member|.., comma| "}"
member  = @string _ ":" _ @value
array   = "[" _ @value|.., comma| "]"
string  = '"' @$([^"\\\0-\x1F]+ / escape)* '"'
escape  = "\\" (["\\/bfnrt] / "u" [0-9a-fA-F]|4|)
number  = $("-"? ("0" / [1-9] [0-9]*) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?)
word    = "true" / "false" / "null"
comma   = "," _
_       = [ \t\n\r]*
`

const CSV_GRAMMAR = String.raw`
program   = @record|1.., separator| newline?
record    = cell|1.., ","|
cell      = '"' @quoted '"' / $[^,"\r\n]*
quoted    = text:$([^"]+ / '""')* { return text.replaceAll('""', '"') }
separator = newline &.
newline   = "\r\n" / "\n"
`

const LOG_GRAMMAR = String.raw`
program = entry*
entry   = @time " " @level " " @host " " @method " " @path " " @status " " @size " " @quoted " " @quoted "\n"
time    = $[0-9T:.Z+-]+
level   = "DEBUG" / "INFO" / "WARN" / "ERROR"
host    = $[a-z0-9.-]+
method  = $[A-Z]+
path    = $[^ \n]+
status  = $[0-9]|3|
size    = $[0-9]+ / "-"
quoted  = '"' @$[^"\n]* '"'
`

const XML_GRAMMAR = String.raw`
program     = @declaration? _ @misc* @(@doctype @misc*)? @element _ @misc*
declaration = "<?xml" __ @attribute+ "?>"
doctype     = "<!DOCTYPE" __ @name _ @external? ">" _
external    = @("SYSTEM" / @"PUBLIC" __ @quoted) __ @quoted _
misc        = @(comment / instruction) _
element     = "<" @name _ @attribute* @(empty / content)
attribute   = @name _ "=" _ @quoted gap
empty       = "/>" { return [] }
content     = ">" @(text / element / comment / cdata / instruction)* "</" name _ ">"
text        = $[^<]+
comment     = "<!--" @$([^-] / "-" !"-")* "-->"
cdata       = "<![CDATA[" @$([^\]] / "]" !"]>")* "]]>"
instruction = "<?" @name @(__ @$([^?] / "?" !">")*)? "?>"
quoted      = '"' @$[^"<]* '"' / "'" @$[^'<]* "'"
name        = $([A-Za-z_:\u0080-\uFFFF] [A-Za-z_:0-9.\-\u0080-\uFFFF]*)
gap         = __ / &[>/?]
__          = [ \t\r\n]+
_           = [ \t\r\n]*
`

const GRAMMARS: Readonly<Record<Language, string>> = {
  json: JSON_GRAMMAR,
  csv: CSV_GRAMMAR,
  log: LOG_GRAMMAR,
  xml: XML_GRAMMAR,
}
