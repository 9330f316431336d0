// How much a browser fetches of xylem until a program has its first result: bundled and minified by esbuild, and compressed by gzip. Exits with 1 if it
// is more than it may be.
//
//   tsx scripts/check-sizes.ts

import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

interface Program {
  readonly name: string
  /** It prints `first`, its first result. */
  readonly code: string
  /** Kilobytes that it may take, compressed. A limit is raised only with the reason beside it. */
  readonly limit: number
}

const DOCUMENT = '<r><a><b>first</b></a></r>'
const programs: readonly Program[] = [
  {
    name: 'readXml, to the first record',
    code: `import { readXml } from 'xylem/xml/streaming'
      for await (const { b } of readXml('${DOCUMENT}').records('a', { b: 'b' })) console.log(b)`,
    // 65 until there were all nested matches, nested fields in linear time, fields that stand alone, exact numbers, names in any namespace, a table of formats, a parser and a projector in parts, fields that are required, and dates;
    // 69 until paths asked for children, and conditions were not(…), above and below; 70 until matches in records could be counted, the table of formats had Arrow, Parquet and SQLite, and there were whole numbers of 64 bits.
    // 70.7 until readers could be given entities; 71 until fields could be objects, and XML was a format; 71.1 until elements were escaped as by all writers; 71.2 until fields with dots in their names were found in records in records; 71.3 until null elements, more forms of dates, conditions and fields that are checked, encodings known from outside, errors at once, halves of surrogate pairs,
    // chunks that are copied, and messages with characters that nobody sees.
    // 76.5 until kinds were one table with decimals, functions got views of records, and reading could continue after errors;
    // 83 until the kernel marked records that have more than an inferred shape, and wrote lines where a record is around records.
    // 84 until characters that are no text could be replaced in any XML, and lines passed as the kernel wrote them.
    limit: 85,
  },
  {
    name: 'readXml, to the first element',
    code: `import { readXml } from 'xylem/xml/streaming'
      for await (const { text } of readXml('${DOCUMENT}').select('a')) console.log(text)`,
    // 59 until paths asked for children, and conditions were not(…), above and below; 60 until the table of formats had Arrow, Parquet and SQLite, and conditions were on whole numbers of 64 bits;
    // 60.4 until readers could be given entities; 60.6 until elements knew what was left out in them; 60.7 until they knew
    // their parents, and XML was a format; 60.9 until they were escaped as by all writers; 61 until what holds around an element was kept and counted, encodings known from outside, errors at once, halves of surrogate pairs,
    // chunks that are copied, and messages with characters that nobody sees.
    // 66.7 until kinds were one table, and reading could continue after errors.
    // 71 until characters that are no text could be replaced in any XML.
    limit: 72,
  },
  {
    name: 'parseXml',
    code: `import { parseXml } from 'xylem/xml'
      console.log(parseXml('${DOCUMENT}').root.text)`,
    // 72 until elements were compared by content, and the parser was in parts; 72.4 until paths asked for children;
    // 73 until the table of formats had Arrow, Parquet and SQLite; 73.3 until readers could be given entities; 73.7 until documents and
    // elements knew what was left out in them; 74.2 until elements were escaped as by all writers; 74.3 until plain data in itself was refused; 74.4 until what holds around an element was kept, encodings were known from outside, and messages had characters that nobody sees.
    // 78.2 until all that writes XML did so in one place, and reading could continue after errors: that is loaded late, but shares files with parseXml.
    // 81 until characters that are no text could be replaced in any XML.
    limit: 82,
  },
  {
    name: 'a grammar',
    code: `import { Grammar } from 'xylem/grammar'
      console.log(Grammar.from('program ::= "first" ;').parse('first').value[0].value)`,
    // 62 until nodes were compared by content, messages named blanks last, lists of words took linear time, cursors read lines, and items had batches; 63.6 until
    // grammars gave values, which `Grammar.value` makes without waiting, and maps; 77.2 until the table of formats had Arrow, Parquet and SQLite;
    // 77.4 until grammars in other notations were recognised, and rules that begin with themselves were rewritten; 81.1 until only what means the same was translated;
    // 81.2 until programs and settings were known from grammars; 81.6 until brackets that are too deep for the stack were refused in words;
    // 81.7 until messages had all that a look-ahead asks for; 82 until chunks were copied, and messages had characters that nobody sees.
    // 83.8 until kinds were one table with decimals.
    // 86.7 until a grammar without a dialect was warned of where the other one reads it otherwise, and classes had letters.
    // 87.5 until grammars read on after errors, called functions with values, joined fields, had escapes of their own, and made records of templates.
    // 94 until paths said which rules are emitted.
    limit: 95,
  },
  {
    name: 'a cursor over a stream',
    code: `import { StreamCache } from 'xylem/stream'
      const cursor = StreamCache.from(['first']).cursor()
      await cursor.fill(5)
      console.log(new TextDecoder().decode(cursor.peekChunk()))`,
    // 8 until cursors read lines, inputs had a limit (`maxInput`), and requests of servers were left open; 8.4 until chunks were copied, sockets were left open, and errors said what was given.
    // 9.3 until streams had gaps, where blocks of a dump are lost.
    limit: 9.5,
  },
]

/** Writes down which files are loaded. */
const HOOK = `import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`
  import { appendFileSync } from 'node:fs'
  export function load(url, context, next) {
    appendFileSync(process.env.LOADED, url + '\\\\n')
    return next(url, context)
  }\`))
`

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'xylem-sizes-'))
try {
  await writeFile(join(folder, 'hook.mjs'), HOOK)
  for (const [i, program] of programs.entries()) await measure(program, join(folder, String(i)))
} finally {
  await rm(folder, { recursive: true })
}

async function measure({ name, code, limit }: Program, outdir: string): Promise<void> {
  await build({
    stdin: { contents: code, resolveDir: root, sourcefile: 'program.js' },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    absWorkingDir: root,
    logLevel: 'error',
  })
  const loaded = join(outdir, 'loaded')
  const printed = execFileSync(process.execPath, ['--import', join(folder, 'hook.mjs'), join(outdir, 'stdin.mjs')], {
    env: { ...process.env, LOADED: loaded, NODE_OPTIONS: '' },
    encoding: 'utf8',
  })
  if (printed !== 'first\n') throw new Error(`${name} has printed ${JSON.stringify(printed)}`)
  const urls = (await readFile(loaded, 'utf8')).trimEnd().split('\n')
  const files = await Promise.all(urls.filter((url) => url.startsWith('file:')).map((url) => readFile(new URL(url))))
  const bytes = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)
  const plain = files.reduce((sum, file) => sum + file.length, 0)
  const isTooMuch = bytes > 1000 * limit
  const size = `${(bytes / 1000).toFixed(1)} KB of at most ${limit}, ${Math.round(plain / 1000)} KB before compression`
  console.log(`${isTooMuch ? 'too much: ' : ''}${name}: ${size}, ${files.length} files`)
  if (isTooMuch) process.exitCode = 1
}
