// Writing: documents from events beside builders, edits of a large dump beside a check of it, and plain objects beside fast-xml-parser, xml2js and Bun.

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseNumber, parseOptions } from './options.ts'
import { formatNumber, formatTable, writeRecord } from './report.ts'
import { measureEdits } from './writing/edits.ts'
import { measureObjects } from './writing/objects.ts'
import { measureWriters } from './writing/writers.ts'

/** How fast a way is on a document. */
interface Figure {
  readonly document: string
  readonly way: string
  /** Median in 10^6 bytes a second. */
  readonly speed: number
  /** The median of the ratios to what is compared, of each round. */
  readonly ratio: number | undefined
  /** What the ratio should be at least, or the speed where there is no ratio. */
  readonly mark: number | undefined
  /** Peak memory in MB, where each way has a process of its own. */
  readonly memory?: number
}

interface Extent {
  readonly rounds: number
  readonly megabytes: number
  readonly dump: string | undefined
}

const PARTS: Readonly<Record<string, (extent: Extent) => readonly Figure[] | Promise<readonly Figure[]>>> = {
  writers: ({ rounds }) => measureWriters(rounds),
  edits: ({ rounds, megabytes, dump }) => measureEdits(rounds, megabytes, dump),
  objects: ({ rounds }) => measureObjects(rounds),
}

const USAGE = `Usage: npm run bench -- writing [options]

Measures all ways in turns. Speeds are medians, in 10^6 bytes a second, and ratios are medians of the ratios of each round.

  --part NAME   only this part: ${Object.keys(PARTS).join(', ')}
  --rounds N    rounds (default 5)
  --size MB     size of the dump that is edited (default 256)
  --dump FILE   the dump whose pages are repeated (default: the small one among the fixtures)
  --json FILE   where the record goes (default build/bench/writing.json)
  --help        this text

Exit code 1: an answer was wrong, or a figure missed its mark.`

export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args, {
    part: { type: 'string' },
    rounds: { type: 'string' },
    size: { type: 'string' },
    dump: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const rounds = parseCount('rounds', options.rounds, 5)
  const megabytes = parseNumber('size', options.size, 256, 1)
  const dump = options.dump === undefined ? undefined : resolve(options.dump)
  const machine = describeMachine()
  console.log(`${formatMachine(machine)}, ${rounds} rounds`)
  const figures: Record<string, readonly Figure[]> = {}
  for (const [name, measure] of Object.entries(PARTS)) {
    if (options.part !== undefined && options.part !== name) continue
    const part = await measure({ rounds, megabytes, dump })
    figures[name] = part
    console.log(`\n${formatTable([name, '', 'MB/s', 'ratio', 'at least', 'memory', ''], part.map(formatFigure))}`)
  }
  const date = new Date().toISOString()
  const file = options.json ?? fileURLToPath(new URL('../../build/bench/writing.json', import.meta.url))
  await writeRecord(resolve(file), { benchmark: 'writing', date, machine, rounds, figures })
  return Object.values(figures).flat().some(hasMissed) ? 1 : 0
}

function formatFigure(figure: Figure): string[] {
  const { document, way, speed, ratio, mark, memory } = figure
  const missed = hasMissed(figure) ? 'missed' : ''
  return [
    document,
    way,
    formatNumber(speed, 1),
    formatNumber(ratio, 2),
    formatNumber(mark, 1),
    formatNumber(memory, 0),
    missed,
  ]
}

function hasMissed({ speed, ratio, mark }: Figure): boolean {
  return mark !== undefined && !((ratio ?? speed) >= mark)
}
