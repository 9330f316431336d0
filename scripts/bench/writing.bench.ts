// What writing costs, and what objects and edits cost: each beside programs that do the same. One file for each part in writing/.
//
// All run in one process, in turns, and each answer is compared.

import { resolve } from 'node:path'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseNumber, parseOptions } from './options.ts'
import { formatNumber, formatTable, writeRecord } from './report.ts'
import { measureEdits } from './writing/edits.ts'
import { measureObjects } from './writing/objects.ts'
import { measureWriters } from './writing/writers.ts'

const USAGE = `Usage: npm run bench -- writing [options]

Writes a document from memory to a file, makes objects of documents, with xylem and with other programs, and edits a dump.

  --runs N      rounds (default 5)
  --size MB     size of the dump that is edited (default 256), in MB of 2^20 bytes
  --dump FILE   a MediaWiki dump whose pages it has; otherwise they are made up
  --json FILE   where the record goes (default build/bench/writing.json)
  --help        this text

Exit code 1: an answer was wrong, or a mark was missed.`

/** A line of the table. */
interface Figure {
  readonly part: string
  readonly way: string
  readonly speed: number
  readonly ratio: number | undefined
  /** What the ratio should be at least, or the speed where there is no ratio; undefined for nothing. */
  readonly mark: number | undefined
}

export async function run(args: string[]): Promise<number> {
  const values = parseOptions(args, {
    runs: { type: 'string' },
    size: { type: 'string' },
    dump: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const runs = parseCount('runs', values.runs, 5)
  const json = values.json ?? 'build/bench/writing.json'
  const date = new Date().toISOString()
  const machine = describeMachine()
  console.log(`${date}\n${formatMachine(machine)}\n`)
  const figures = await measureAll(runs, parseNumber('size', values.size, 256, 1), values.dump)
  console.log(formatTable(['part', 'way', 'MB/s', 'xylem is faster', 'mark'], figures.map(formatFigure)))
  await writeRecord(resolve(json), { benchmark: 'writing', date, machine, runs, figures })
  console.log(`\nRecord: ${json}`)
  const missed = figures.filter(({ speed, ratio, mark }) => mark !== undefined && (ratio ?? speed) < mark)
  for (const { part, way } of missed) console.error(`bench: ${part}, ${way}: the mark was missed`)
  return missed.length > 0 ? 1 : 0
}

async function measureAll(runs: number, size: number, dump?: string): Promise<Figure[]> {
  const writers = await measureWriters(runs)
  const objects = measureObjects(runs)
  const edits = await measureEdits(runs, size, dump)
  return [
    ...writers.map((figure) => ({ part: 'events to a file', ...figure })),
    ...objects.map(({ document, ...figure }) => ({ part: `${document} to an object`, ...figure })),
    ...edits.map(({ document, ...figure }) => ({ part: `editing ${document}`, ...figure })),
  ]
}

function formatFigure({ part, way, speed, ratio, mark }: Figure): string[] {
  return [part, way, formatNumber(speed, 0), formatNumber(ratio, 1), formatNumber(mark, ratio === undefined ? 0 : 1)]
}
