// Tables: a dump to Arrow and Parquet beside JSON lines of the same fields, our package for Python, pyarrow fed by lxml, and hyparquet-writer fed with strings.

import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FormatName, formatNames } from '../../source/record/format/index.ts'
import { time } from './dump/measure.ts'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseNumber, parseOptions } from './options.ts'
import { formatNumber, formatTable, summarize, writeRecord } from './report.ts'
import { timeProcess } from './tables/process-time.ts'
import { type Sums, sumUp } from './tables/sums.ts'
import { makeInput } from './xml/inputs.ts'

const USAGE = `Usage: npm run bench -- tables [options]

Measures complete commands in rounds, with one job: each writes the same fields of all pages of a plain dump into a file. Times are medians. Ratios are
medians of the ratios of each round, of the time of processors: others who use the machine matter less to that.

  --size MB     size of the dump (default 256), in MB of 2^20 bytes
  --dump FILE   the dump whose pages are repeated (default: the small one among the fixtures)
  --rounds N    rounds (default 5)
  --json FILE   where the record goes (default build/bench/tables.json)
  --help        this text

XYLEM_PYTHON names a Python with pyarrow and lxml. Exit code 1: an answer was wrong, or a figure missed its mark.`

const FIELDS = [
  'id:integer=id',
  'ns:integer=ns',
  'title',
  'revision:integer=revision/id',
  'timestamp=revision/timestamp',
  'user=revision/contributor/username',
  'text=revision/text',
]
const MEBIBYTE = 1024 * 1024
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

interface Way {
  readonly name: string
  readonly file: string
  readonly args: (input: string, output: string) => readonly string[]
  readonly ending: string
  /** How many times as fast as which other way it should be. */
  readonly marks: readonly { readonly than: string; readonly atLeast: number }[]
}

export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args, {
    size: { type: 'string' },
    dump: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const rounds = parseCount('rounds', options.rounds, 5)
  const size = Math.round(parseNumber('size', options.size, 256, 0.1) * MEBIBYTE)
  const { path: input } = await makeInput('dump', size, { dump: options.dump && resolve(options.dump) })
  const machine = describeMachine()
  console.log(`${formatMachine(machine)}, ${rounds} rounds\n`)

  const folder = here('../../build/bench/tables/')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    const ways = listWays()
    const outputOf = (way: Way) => join(folder, `${ways.indexOf(way)}.${way.ending}`)
    const makeLists = () => new Map<string, number[]>(ways.map(({ name }) => [name, []]))
    /** Of processors, and what a clock says. */
    const [seconds, elapsed] = [makeLists(), makeLists()]
    const peaks = new Map<string, number>()
    const bytes = new Map<string, number>()
    const faults: string[] = []
    let expected: Sums | undefined
    for (let round = -1; round < rounds; round++) {
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
        const output = outputOf(way)
        const command = { name: way.name, file: way.file, args: way.args(input, output) }
        if (round >= 0) {
          const timing = timeProcess(command)
          elapsed.get(way.name)?.push(timing.elapsed)
          seconds.get(way.name)?.push(timing.processors)
        } else peaks.set(way.name, (await time(command)).peakMemory ?? Number.NaN)
      }
      // The round before the first: files are in memory then, and what was written is added up.
      if (round >= 0) continue
      for (const way of ways) {
        const sums = await sumUp(outputOf(way))
        bytes.set(way.name, statSync(outputOf(way)).size)
        expected ??= sums
        if (JSON.stringify(sums) !== JSON.stringify(expected))
          faults.push(`${way.name}: ${JSON.stringify(sums)} instead of ${JSON.stringify(expected)}`)
      }
    }
    const megabytes = statSync(input).size / 1e6
    const rows = ways.map(({ name }) => {
      const median = summarize(seconds.get(name) ?? []).median
      const ratio = findRatio(seconds, 'JSON lines', name)
      return [
        name,
        formatNumber(summarize(elapsed.get(name) ?? []).median, 2),
        formatNumber(median, 2),
        formatNumber(megabytes / median, 0),
        formatNumber(peaks.get(name), 0),
        formatNumber((bytes.get(name) ?? 0) / 1e6, 0),
        formatNumber(ratio, 2),
      ]
    })
    console.log(`${JSON.stringify(expected)}\n`)
    console.log(
      formatTable(
        ['', 'seconds', 'of processors', 'MB/s of XML', 'peak MB', 'MB written', 'as fast as JSON lines'],
        rows,
      ),
    )
    const comparisons = ways.flatMap(({ name, marks }) =>
      marks
        .filter(({ than }) => seconds.has(than))
        .map(({ than, atLeast }) => ({ name, than, ratio: findRatio(seconds, than, name), atLeast })),
    )
    const marks = comparisons.map(({ name, than, ratio, atLeast }) => {
      return [`${name} : ${than}`, formatNumber(ratio, 2), formatNumber(atLeast, 2), ratio < atLeast ? 'missed' : '']
    })
    console.log(`\n${formatTable(['times as fast', 'is', 'at least', ''], marks)}`)
    const json = options.json ?? 'build/bench/tables.json'
    const figures = ways.map(({ name }) => ({
      name,
      seconds: seconds.get(name),
      elapsed: elapsed.get(name),
      peakMemory: peaks.get(name),
      bytes: bytes.get(name),
    }))
    await writeRecord(resolve(json), { benchmark: 'tables', machine, size, rounds, figures, comparisons, faults })
    console.log(`\nRecord: ${json}`)
    for (const fault of faults) console.error(`bench: ${fault}`)
    return faults.length > 0 || comparisons.some(({ ratio, atLeast }) => ratio < atLeast) ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function listWays(): Way[] {
  const hasZstd = process.versions.zstd !== undefined
  const { XYLEM_PYTHON: python } = process.env
  const names = formatNames() as readonly string[]
  const select = (name: string, ending: string, marks: Way['marks']): Way => ({
    name,
    file: process.execPath,
    args: (input, output) => [
      here('../../dist/cli.js'),
      ...[
        'select',
        'page',
        input,
        ...FIELDS.flatMap((field) => ['--field', field]),
        '--jobs',
        '1',
        '--quiet',
        '--output',
        output,
      ],
    ],
    ending,
    marks,
  })
  const marked = (name: string, format: FormatName | 'sqlite', ofZstd: number, ofSnappy: number): Way =>
    select(name, format, [{ than: 'JSON lines', atLeast: hasZstd ? ofZstd : ofSnappy }])
  const arrow: Way['marks'] = [
    { than: 'JSON lines', atLeast: 1.2 },
    { than: 'lxml and pyarrow', atLeast: 5 },
  ]
  return [
    select('JSON lines', 'jsonl', []),
    select('Arrow', 'arrow', arrow),
    marked('Parquet', 'parquet', 0.4, 0.2),
    ...(names.includes('sqlite') ? [marked('SQLite', 'sqlite', 0.4, 0.25)] : []),
    {
      name: 'hyparquet-writer from strings',
      file: process.execPath,
      args: (input, output) => [here('./tables/strings.mjs'), input, output],
      ending: 'parquet',
      marks: [],
    },
    ...(python
      ? [
          {
            name: 'Arrow through Python',
            file: python,
            args: (input: string, output: string) => [here('./tables/reader.py'), input, output, ...FIELDS],
            ending: 'arrow',
            marks: [{ than: 'lxml and pyarrow', atLeast: 2 }],
          },
          {
            name: 'lxml and pyarrow',
            file: python,
            args: (input: string, output: string) => [here('./tables/iterparse.py'), input, output],
            ending: 'arrow',
            marks: [],
          },
        ]
      : []),
  ]
}

/** How many times as fast a way is as another one: the median of all rounds. */
function findRatio(seconds: ReadonlyMap<string, readonly number[]>, than: string, name: string): number {
  const own = seconds.get(name) ?? []
  const others = seconds.get(than) ?? []
  return summarize(own.map((value, round) => (others[round] ?? Number.NaN) / value)).median
}
