// Writing, editing and objects: to plain objects beside fast-xml-parser, xml2js and Bun.

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseOptions } from './options.ts'
import { formatNumber, formatTable, writeRecord } from './report.ts'
import { measureObjects } from './writing/objects.ts'

/** How fast a way is on a document. */
interface Figure {
  readonly document: string
  readonly way: string
  /** Median in 10^6 bytes a second. */
  readonly speed: number
  /** The median of the ratios to what is compared, of each round. */
  readonly ratio: number | undefined
  /** What the ratio should be at least. */
  readonly mark: number | undefined
}

const PARTS: Readonly<Record<string, (rounds: number) => readonly Figure[] | Promise<readonly Figure[]>>> = {
  objects: measureObjects,
}

const USAGE = `Usage: npm run bench -- writing [options]

Measures all ways in turns. Speeds are medians, in 10^6 bytes a second, and ratios are medians of the ratios of each round.

  --part NAME   only this part: ${Object.keys(PARTS).join(', ')}
  --rounds N    rounds (default 5)
  --json FILE   where the record goes (default build/bench/writing.json)
  --help        this text

Exit code 1: an answer was wrong, or a figure missed its mark.`

export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args, {
    part: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const rounds = parseCount('rounds', options.rounds, 5)
  const machine = describeMachine()
  console.log(`${formatMachine(machine)}, ${rounds} rounds`)
  const figures: Record<string, readonly Figure[]> = {}
  for (const [name, measure] of Object.entries(PARTS)) {
    if (options.part !== undefined && options.part !== name) continue
    const part = await measure(rounds)
    figures[name] = part
    console.log(`\n${formatTable([name, '', 'MB/s', 'ratio', 'at least', ''], part.map(formatFigure))}`)
  }
  const date = new Date().toISOString()
  const file = options.json ?? fileURLToPath(new URL('../../build/bench/writing.json', import.meta.url))
  await writeRecord(resolve(file), { benchmark: 'writing', date, machine, rounds, figures })
  return Object.values(figures).flat().some(hasMissed) ? 1 : 0
}

function formatFigure(figure: Figure): string[] {
  const { document, way, speed, ratio, mark } = figure
  const missed = hasMissed(figure) ? 'missed' : ''
  return [document, way, formatNumber(speed, 1), formatNumber(ratio, 2), formatNumber(mark, 1), missed]
}

function hasMissed({ ratio, mark }: Figure): boolean {
  return mark !== undefined && !(ratio !== undefined && ratio >= mark)
}
