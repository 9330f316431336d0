// Starts and small documents: commands beside bare Node, the first document of a program, and documents of 88 bytes to 20 KB, warm.
//
// All take turns, so that all are measured at the same times: the differences say more than the times do. Answers are compared first.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseOptions } from './options.ts'
import { formatNumber, formatTable, summarize, writeRecord } from './report.ts'
import { documents, readers } from './start/small-documents.ts'

const USAGE = `Usage: npm run bench -- start [options]

  --runs N      processes, and turns of small documents, for each figure (default 10)
  --dump FILE   a plain dump for the first page (default: the small one among the fixtures)
  --json FILE   write the record
  --help        this text

Exit code 1: an answer was wrong, or a figure missed its mark.`

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** A figure: what it is compared with, and what it is to be at the most of that, in milliseconds more or in times as much. */
interface Figure {
  readonly name: string
  readonly value: number
  readonly mark: number | undefined
}

export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args, {
    runs: { type: 'string' },
    dump: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const runs = parseCount('runs', options.runs, 10)
  const machine = describeMachine()
  console.log(`${formatMachine(machine)}, medians of ${runs}\n`)
  const starts = measureStarts(runs, resolve(options.dump ?? here('../../fixtures/mediawiki/small-dump.xml')))
  const small = await measureSmall(runs)
  const rows = [...starts, ...small].map(({ name, value, mark }) => [
    name,
    formatNumber(value, 2),
    formatNumber(mark, 1),
    mark !== undefined && value > mark ? 'missed' : '',
  ])
  console.log(formatTable(['', 'is', 'at most', ''], rows))
  if (options.json !== undefined) {
    const date = new Date().toISOString()
    await writeRecord(resolve(options.json), { benchmark: 'start', date, machine, starts, small })
  }
  return rows.some((row) => row[3] === 'missed') ? 1 : 0
}

/** Milliseconds that commands take more than Node alone, and programs that import a parser and read a small document. */
function measureStarts(runs: number, dump: string): Figure[] {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-start-'))
  try {
    const small = join(folder, 'small.xml')
    writeFileSync(small, documents[88] as string)
    const command = here('../../dist/cli/main.js')
    const first = here('./start/first-document.mjs')
    const cases: [name: string, args: string[], mark: number | undefined][] = [
      ['node', ['-e', '0'], undefined],
      ['--version', [command, '--version'], 35],
      ['--help', [command, '--help'], 35],
      ['check of a small file', [command, 'check', small], 60],
      ['first page of a plain dump', [command, 'pages', '--limit', '1', '--quiet', dump], 70],
      ['first document, xylem', [first, 'xylem', small], 15],
      ['first document, saxes', [first, 'saxes', small], undefined],
    ]
    const times = cases.map((): number[] => [])
    // Once more than is counted: the first fills Node's cache of compiled code.
    for (let turn = 0; turn <= runs; turn++) {
      for (const [i, [name, args]] of cases.entries()) {
        const milliseconds = timeProcess(name, args)
        if (turn > 0) times[i]?.push(milliseconds)
      }
    }
    const [bare = 0, ...others] = times.map((all) => summarize(all).median)
    return [
      { name: 'node -e 0, ms', value: bare, mark: undefined },
      ...others.map((median, i) => {
        const [name, , mark] = cases[i + 1] as (typeof cases)[number]
        return { name: `${name}, ms more than Node`, value: median - bare, mark }
      }),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function timeProcess(name: string, args: readonly string[]): number {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const milliseconds = performance.now() - start
  if (status !== 0) throw new Error(`${name} has failed: ${stderr}`)
  return milliseconds
}

/** Bytes of input of each turn: a few milliseconds. */
const TURN = 200_000

/** Microseconds for a document, and how many times those of others that is. */
async function measureSmall(runs: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [size, text] of Object.entries(documents)) {
    const answers = new Set<string>()
    for (const read of Object.values(readers)) answers.add(JSON.stringify(await read(text)))
    if (answers.size !== 1) throw new Error(`the parsers do not agree on the document of ${size} bytes`)
    const times = new Map<string, number[]>(Object.keys(readers).map((name) => [name, []]))
    const count = Math.max(10, Math.round(TURN / text.length))
    // The first turns are for the compiler.
    for (let turn = -3; turn < runs; turn++) {
      for (const [name, read] of Object.entries(readers)) {
        const start = performance.now()
        for (let i = 0; i < count; i++) await read(text)
        if (turn >= 0) times.get(name)?.push(((performance.now() - start) / count) * 1000)
      }
    }
    const of = (name: string) => summarize(times.get(name) ?? []).median
    for (const name of times.keys()) {
      figures.push({ name: `${size} bytes: ${name}, µs`, value: of(name), mark: undefined })
    }
    const isSmall = size === '88'
    figures.push({
      name: `${size} bytes: parseXml, times saxes`,
      value: of('parseXml') / of('saxes'),
      mark: isSmall ? 2.5 : 1,
    })
    if (isSmall) {
      figures.push({ name: `${size} bytes: events, times parseXml`, value: of('events') / of('parseXml'), mark: 2 })
    }
  }
  return figures
}
