// bnf-parser, whose dialect ours is: its grammars are ours without the extensions. It always makes its tree; references are left out,
// which makes it ten times faster.

import { wasm } from 'bnf-parser'
import type { Digest } from './digest.ts'
import type { Engine, Input, Language } from './engine.ts'
import { readGrammar } from './xylem.ts'

type Instance = ReturnType<typeof wasm.Runner.Create>

interface Node {
  readonly value: string | Node[]
}

export const bnfParser: Engine = {
  compile(language) {
    const module = wasm.Compile2Wasm(GRAMMARS[language] ?? readGrammar(language))
    if (!('emitBinary' in module)) throw new Error(String(module))
    // One for all inputs, though it can read after the end of what is shorter than the one before: not where all of it matches.
    const instance = wasm.Runner.Create(new Uint8Array(module.emitBinary()))
    return {
      recognize: (input) => parse(instance, input) !== undefined,
      readTree: (input, digest) => feedNode(parse(instance, input), digest),
    }
  },
}

function parse(instance: Instance, { text }: Input): Node {
  const result = wasm.Runner.Parse(instance, text, false, 'program')
  if ('root' in result && !result.isPartial) return result.root as Node
  throw new Error(`bnf-parser: ${'root' in result ? 'the input is longer than what matches' : String(result)}`)
}

function feedNode({ value }: Node, digest: Digest): void {
  if (typeof value === 'string') digest.add(value)
  else for (const child of value) feedNode(child, digest)
}

// It has no look-ahead that could distinguish the last line break from the others: each record must have one.
const CSV_GRAMMAR = String.raw`
program ::= ( record %newline )* ;
record  ::= cell ( %"," cell )* ;
cell    ::= ...quoted | !( "," | "\"" | "\r" | "\n" )* ;
quoted  ::= %"\"" ( !"\""+ | ( %"\"" "\"" ) )* %"\"" ;
newline ::= "\r\n" | "\n" ;
`

const LOG_GRAMMAR = String.raw`
program  ::= entry* ;
entry    ::= time %" " level %" " host %" " method %" " path %" " status %" " size %" " referrer %" " agent %"\n" ;
time     ::= ...( "0"->"9" | "T" | ":" | "." | "Z" | "+" | "-" )+ ;
level    ::= "DEBUG" | "INFO" | "WARN" | "ERROR" ;
host     ::= ...( "a"->"z" | "0"->"9" | "." | "-" )+ ;
method   ::= "A"->"Z"+ ;
path     ::= !( " " | "\n" )+ ;
status   ::= ...( digit digit digit ) ;
digit    ::= "0"->"9" ;
size     ::= "0"->"9"+ | "-" ;
referrer ::= %"\"" !( "\"" | "\n" )* %"\"" ;
agent    ::= %"\"" !( "\"" | "\n" )* %"\"" ;
`

// Ranges are ranges of bytes.
const XML_GRAMMAR = String.raw`
program     ::= declaration? %space? misc* ( doctype misc* )? element %space? misc* ;
declaration ::= %"<?xml" %space attribute+ %"?>" ;
doctype     ::= %"<!DOCTYPE" %space ...name %space? external? %">" %space? ;
external    ::= ( "SYSTEM" | ( "PUBLIC" %space ...quoted ) ) %space ...quoted %space? ;
misc        ::= ( comment | instruction ) %space? ;
element     ::= %"<" ...name %space? attribute* ( empty | content ) ;
attribute   ::= ...name %space? %"=" %space? ...quoted %space? ;
empty       ::= %"/>" ;
content     ::= %">" ( text | element | comment | cdata | instruction )* %end ;
end         ::= "</" name space? ">" ;
text        ::= !"<"+ ;
comment     ::= %"<!--" !"--"* %"-->" ;
cdata       ::= %"<![CDATA[" !"]]>"* %"]]>" ;
instruction ::= %"<?" ...name ( %space !"?>"* )? %"?>" ;
quoted      ::= ( %"\"" !( "\"" | "<" )* %"\"" ) | ( %"'" !( "'" | "<" )* %"'" ) ;
name        ::= start ( start | "0"->"9" | "." | "-" )* ;
start       ::= "a"->"z" | "A"->"Z" | "_" | ":" | "\x80"->"\xFF" ;
space       ::= ( " " | "\t" | "\r" | "\n" )+ ;
`

/** Where the fixture is not in the plain dialect. */
const GRAMMARS: Readonly<Partial<Record<Language, string>>> = { csv: CSV_GRAMMAR, log: LOG_GRAMMAR, xml: XML_GRAMMAR }
