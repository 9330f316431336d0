// Grammars that give values: JSON, CSV, log lines, rows of SQL and games of chess, beside peggy with actions.
//
// All run in one process, one after the other in each round, on the same text. Those that give all values must give the same, and those that add up what is in them the
// same sum. Ratios are of medians.

import { parse as parseCsv } from 'csv-parse/sync'
import Papa from 'papaparse'
import peggy from 'peggy'
import { Grammar } from 'xylem/grammar'
import { parseJson } from './grammar/parse-json.ts'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseNumber, parseOptions, UsageError } from './options.ts'
import { formatNumber, formatTable, summarize, writeRecord } from './report.ts'

const USAGE = `Usage: npm run bench -- values [options]

Makes values of JSON, CSV, log lines, SQL and PGN: by a grammar with fields, and by peggy with actions.

  --size MB      of each input (default 2.5)
  --rounds N     (default 9)
  --json FILE    where the record goes (default build/bench/values.json)
  --help         this text

Exit code 1: an answer was wrong, or a figure missed its mark.`

const encoder = new TextEncoder()

/** What is read, by whom, and how many times peggy's speed xylem's is to have. */
interface Kind {
  readonly name: string
  /** One of many pieces of the input. */
  readonly piece: (i: number) => string
  readonly join: (pieces: readonly string[]) => string
  readonly grammar: string
  readonly peggy: string
  readonly mark: number
  /** A number of each record, if records are only passed through: then what is compared is the sum, and nobody keeps records. */
  readonly add?: (record: never) => number
  /** Others, for comparison only; they need not give the same. */
  readonly others: Readonly<Record<string, (text: string) => unknown>>
}

const LOG_LINES: Kind = {
  name: 'log lines',
  piece: (i) =>
    `10.0.${i % 256}.${i % 13} - user${i % 97} [22/Nov/2026:12:00:${String(i % 60).padStart(2, '0')} +0000] "GET /page/${i} HTTP/1.1" ${200 + (i % 5)} ${(i * 7) % 5000}\n`,
  join: (pieces) => pieces.join(''),
  grammar: String.raw`
    program ::= line* ;
    line    ::= host:[^ ]+ %" - " user:[^ ]+ %" [" time:[^\]]+ %"] \"" request:[^"]+ %"\" " status:number %" " size:number %"\n" ;
    number  @integer ::= [0-9]+ ;`,
  peggy: String.raw`
    start = line*
    line = host:$[^ ]+ " - " user:$[^ ]+ " [" time:$[^\]]+ "] \"" request:$[^"]+ "\" " status:number " " size:number "\n" {
      return { host, user, time, request, status, size }
    }
    number = n:$[0-9]+ { return Number(n) }`,
  mark: 5.5,
  others: {},
}

/** Rows of a table of MediaWiki, as mysqldump writes them. */
const SQL_ROWS: Kind = {
  name: 'SQL',
  piece: (i) =>
    `(${i * 7},${i % 16},'Page_${i % 11 === 0 ? "of_O\\'Neil_" : ''}${i}${i % 9 === 0 ? '_é' : ''}',${i % 2},0.${String(123456789 + i * 7919).slice(0, 9)},'20261122120000',${i % 4 ? "'20261122130000'" : 'NULL'},${1e6 + i * 3},${(i * 37) % 90000},'wikitext',NULL)`,
  join: (pieces) => `INSERT INTO \`page\` VALUES ${pieces.join()};\n`,
  grammar: String.raw`
    program ::= insert* ;
    insert  ::= %"INSERT INTO \x60page\x60 VALUES " rows:row{+ %","} %";\n" ;
    row     ::= %"(" id:int %"," namespace:int %"," title:text %"," redirect:int %"," random:number %"," touched:text %"," links:( text | null ) %"," latest:int %"," length:int %"," model:text %"," language:( text | null ) %")" ;
    int     @integer ::= [0-9]+ ;
    number  @number ::= [0-9]+ "." [0-9]+ ;
    text    @c-string ::= "'" ( [^'\\] | "\\" [^] )* "'" ;
    null    ::= %"NULL" ;`,
  peggy: String.raw`
    start = insert*
    insert = "INSERT INTO \x60page\x60 VALUES " rows:row|1.., ","| ";\n" { return { rows } }
    row = "(" id:int "," namespace:int "," title:text "," redirect:int "," random:number "," touched:text "," links:(text / null) "," latest:int "," length:int "," model:text "," language:(text / null) ")" {
      return { id, namespace, title, redirect, random, touched, links, latest, length, model, language }
    }
    int = n:$[0-9]+ { return Number(n) }
    number = n:$([0-9]+ "." [0-9]+) { return Number(n) }
    text = "'" s:$([^'\\]+ / "\\" .)* "'" { return s.includes("\\") ? s.replace(/\\(.)/g, "$1") : s }
    null = "NULL" { return null }`,
  mark: 1.9,
  others: {},
}

/** Moves of chess with what may stand after them. */
const MOVES = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Ba4', 'Nf6', 'O-O', 'Be7', 'Re1', 'Bxb7', 'Nbd2+', 'Qxd5#']
const GAMES: Kind = {
  name: 'PGN',
  piece: (i) =>
    `[Event "Game ${i}"]\n[White "player${i % 71}"]\n[Result "1-0"]\n\n${Array.from({ length: 30 }, (_, n) => `${n + 1}. ${MOVES[(i + n * 5) % 14]}${n % 10 === 3 ? ' $1' : ''} ${MOVES[(i + n * 3) % 14]}${n % 15 === 4 ? ' {a good move}' : ''}${n % 20 === 7 ? ' (8. d4 exd4)' : ''}`).join(' ')} 1-0\n\n`,
  join: (pieces) => pieces.join(''),
  grammar: String.raw`
    program ::= game* ;
    game    ::= tags:tag* %ws moves:move* result:result %ws ;
    tag     ::= %"[" name:[A-Za-z]+ %" \"" value:[^"]* %"\"]" %ws ;
    move    ::= ( number:integer %"." %ws )? san:san %ws nags:nag* comments:comment* lines:line* ;
    san     ::= [a-hNBRQKO] [a-h0-9xNBRQKO\-+#=]* ;
    integer @integer ::= [0-9]+ ;
    nag     @integer ::= %"$" [0-9]+ %ws ;
    comment ::= %"{" [^}]* %"}" %ws ;
    line    ::= %"(" moves:move* %")" %ws ;
    result  ::= "1-0" | "0-1" | "1/2-1/2" | "*" ;
    ws      ::= [ \n]* ;`,
  peggy: String.raw`
    start = game*
    game = tags:tag* ws moves:move* result:result ws { return { tags, moves, result } }
    tag = "[" name:$[A-Za-z]+ " \"" value:$[^"]* "\"]" ws { return { name, value } }
    move = number:(n:integer "." ws { return n })? san:san ws nags:nag* comments:comment* lines:line* {
      return { number: number ?? undefined, san, nags, comments, lines }
    }
    san = $([a-hNBRQKO] [a-h0-9xNBRQKO\-+#=]*)
    integer = n:$[0-9]+ { return Number(n) }
    nag = "$" n:integer ws { return n }
    comment = "{" c:$[^}]* "}" ws { return c }
    line = "(" moves:move* ")" ws { return { moves } }
    result = "1-0" / "0-1" / "1/2-1/2" / "*"
    ws = [ \n]*`,
  mark: 1.5,
  others: {},
}

const KINDS: readonly Kind[] = [
  {
    name: 'JSON',
    piece: (i) =>
      JSON.stringify({
        id: i,
        name: `sap ${i}`,
        rings: [i, i / 4, -i * 1e3],
        wet: i % 2 === 0,
        none: null,
        tags: { a: 'x"y', ü: '木' },
      }),
    join: (pieces) => `[${pieces.join()}]`,
    grammar: String.raw`
      program ::= %ws value ;
      value   ::= ( object | array | string | number | true | false | nothing ) %ws ;
      object  @map ::= %"{" %ws member{* %"," %ws} %"}" ;
      member  ::= key:string %ws %":" %ws value:value ;
      array   ::= %"[" %ws value{* %"," %ws} %"]" ;
      string  @json-string ::= "\"" ( [^"\\] | ( "\\" [^] ) )* "\"" ;
      number  @number ::= "-"? [0-9]+ ( "." [0-9]+ )? ( [eE] [+\-]? [0-9]+ )? ;
      true    @boolean ::= "true" ;
      false   @boolean ::= "false" ;
      nothing ::= %"null" ;
      ws      ::= [ \n\t\r]* ;`,
    peggy: String.raw`
      start = ws v:value { return v }
      value = v:(object / array / string / number / "true" { return true } / "false" { return false } / "null" { return null }) ws { return v }
      object = "{" ws m:member|.., "," ws| "}" { const made = {}; for (const [k, v] of m) made[k] = v; return made }
      member = k:string ws ":" ws v:value { return [k, v] }
      array = "[" ws v:value|.., "," ws| "]" { return v }
      string = s:$("\"" ([^"\\]+ / "\\" .)* "\"") { return s.includes("\\") ? JSON.parse(s) : s.slice(1, -1) }
      number = n:$("-"? [0-9]+ ("." [0-9]+)? ([eE] [+-]? [0-9]+)?) { return Number(n) }
      ws = [ \t\r\n]*`,
    mark: 2.8,
    others: { 'JSON.parse': (text) => JSON.parse(text), 'by hand': parseJson },
  },
  {
    name: 'CSV',
    piece: (i) => `${i},"a ""quoted"" ${i}",plain text,${i * 3.5},,end\n`,
    join: (pieces) => pieces.join(''),
    grammar: String.raw`
      program ::= row* ;
      row     ::= cells:( quoted | plain ){+ %","} %"\n" ;
      quoted  @sql-string ::= %"\"" ...( !"\"" | "\"\"" )* %"\"" ;
      plain   ::= [^,\n"]* ;`,
    peggy: String.raw`
      start = row*
      row = cells:(quoted / plain)|1.., ","| "\n" { return { cells } }
      quoted = "\"" s:$([^"]+ / "\"\"")* "\"" { return s.replaceAll('""', '"') }
      plain = $[^,\n"]*`,
    mark: 3,
    others: { 'csv-parse': (text) => parseCsv(text), papaparse: (text) => Papa.parse(text).data },
  },
  SQL_ROWS,
  GAMES,
  LOG_LINES,
  { ...LOG_LINES, name: 'log lines, added up', add: ({ size }: { size: number }) => size },
]

interface Row {
  readonly kind: string
  readonly engine: string
  readonly megabytesPerSecond: number
  /** How many times as fast as peggy. */
  readonly ratio: number
}

export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args, {
    size: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  })
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const bytes = parseNumber('size', options.size, 2.5, 0.01) * 1e6
  const rounds = parseCount('rounds', options.rounds, 9)
  const machine = describeMachine()
  console.log(formatMachine(machine))
  const rows: Row[] = []
  for (const kind of KINDS) rows.push(...(await measure(kind, bytes, rounds)))
  console.log(
    formatTable(
      ['values', 'MB/s', 'of peggy'],
      rows.map(({ kind, engine, megabytesPerSecond, ratio }) => [
        `${kind}: ${engine}`,
        formatNumber(megabytesPerSecond, 1),
        formatNumber(ratio, 2),
      ]),
    ),
  )
  await writeRecord(options.json ?? 'build/bench/values.json', { machine, rows })
  const missed = KINDS.filter(({ name, mark }) => {
    return rows.some(({ kind, engine, ratio }) => kind === name && engine === 'xylem' && ratio < mark)
  })
  for (const { name, mark } of missed) console.log(`${name}: less than ${mark} times peggy`)
  return missed.length > 0 ? 1 : 0
}

async function measure(
  { name, piece, join, grammar: rules, peggy: peer, add, others }: Kind,
  size: number,
  rounds: number,
): Promise<Row[]> {
  const length = encoder.encode(piece(1000)).length
  const text = join(Array.from({ length: Math.ceil(size / length) }, (_, i) => piece(i)))
  const input = encoder.encode(text)
  const grammar = Grammar.from(rules, { dialect: 'xylem' })
  const parser = peggy.generate(peer)
  const sum = (records: readonly unknown[]) =>
    records.reduce<number>((all, record) => all + (add?.(record as never) ?? 0), 0)
  const engines: Record<string, () => unknown> = {
    xylem: add ? async () => sumOf(grammar.values(input).batches(), sum) : () => grammar.value(input),
    peggy: add ? () => sum(parser.parse(text) as unknown[]) : () => parser.parse(text),
    ...Object.fromEntries(Object.entries(others).map(([engine, read]) => [engine, () => read(text)])),
  }
  const [ours, theirs] = [await engines.xylem?.(), engines.peggy?.()].map((value) => JSON.stringify(value))
  if (ours !== theirs) throw new UsageError(`${name}: xylem and peggy give different values`)
  const times = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [engine, make] of Object.entries(engines)) {
      const began = performance.now()
      await make()
      times.set(engine, [...(times.get(engine) ?? []), performance.now() - began])
    }
  }
  const medianOf = (engine: string) => summarize(times.get(engine) ?? []).median
  return Object.keys(engines).map((engine) => ({
    kind: name,
    engine,
    megabytesPerSecond: input.length / 1e3 / medianOf(engine),
    ratio: medianOf('peggy') / medianOf(engine),
  }))
}

async function sumOf(
  batches: AsyncIterable<readonly unknown[]>,
  sum: (records: readonly unknown[]) => number,
): Promise<number> {
  let all = 0
  for await (const records of batches) all += sum(records)
  return all
}
