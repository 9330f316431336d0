// Records: every way from XML to records, of dumps and of the library, beside saxes and beside an earlier build of xylem.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseNumber, parseOptions, UsageError } from './options.ts'
import { type InputName, makeInput } from './records/inputs.ts'
import { type Measured, measureAll, type Side } from './records/rounds.ts'
import { type Task, tasks } from './records/tasks.ts'
import { formatNumber, formatTable, summarize, writeRecord } from './report.ts'

const USAGE = `Usage: npm run bench -- records [options]

Measures complete commands, and readings by the library in processes of their own, in rounds. Times are medians. Ratios are
medians of the ratios of each round: what they compare was measured one after the other.

  --baseline DIR  another checkout of xylem that is built: its commands and its library take turns with these
  --size MB       size of the inputs as XML (default 256), in MB of 2^20 bytes
  --dump FILE     the dump whose pages are repeated (default: the small one among the fixtures)
  --tasks REGEXP  only tasks whose name matches; what they are compared with has to match as well
  --rounds N      rounds (default 5)
  --json FILE     where the record goes (default build/bench/records.json)
  --help          this text

Exit code 1: an answer was wrong, or a figure missed its mark.`

const MEBIBYTE = 1024 * 1024
const INPUTS: readonly InputName[] = ['dump', 'bzip2', 'stubs', 'history', 'rows']
const OWN_BUILD = fileURLToPath(new URL('../../dist/', import.meta.url))

/** A figure beside what it is compared with, and what it may be of that. */
interface Comparison {
  readonly task: string
  readonly than: string
  readonly ratio: number
  readonly atMost: number
}

export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args, {
    baseline: { type: 'string' },
    size: { type: 'string' },
    dump: { type: 'string' },
    tasks: { type: 'string' },
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
  const pattern = parsePattern(options.tasks ?? '')
  const chosen = tasks.filter(({ name }) => pattern.test(name))
  const machine = describeMachine()
  const date = new Date().toISOString()
  console.log(`${date}\n${formatMachine(machine)}, ${rounds} rounds\n`)

  const files = await makeInputs(size, options.dump && resolve(options.dump))
  const builds = { own: OWN_BUILD, ...(options.baseline && { baseline: resolve(options.baseline, 'dist') }) }
  const measured = await measureAll(chosen, { rounds, builds, files })
  const comparisons = chosen.flatMap((task) => compareWithAim(task, measured))
  const faults = findFaults(chosen, measured)
  console.log(formatFigures(chosen, measured, files))
  console.log(`\n${formatComparisons(comparisons)}`)
  const json = options.json ?? 'build/bench/records.json'
  await writeRecord(resolve(json), { benchmark: 'records', date, machine, size, rounds, measured, comparisons, faults })
  console.log(`\nRecord: ${json}`)
  for (const fault of faults) console.error(`bench: ${fault}`)
  return faults.length > 0 || comparisons.some(({ ratio, atMost }) => ratio > atMost) ? 1 : 0
}

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text)
  } catch (error) {
    throw new UsageError(`--tasks: ${(error as Error).message}`)
  }
}

/** One after the other: some are made of others. */
async function makeInputs(size: number, dump: string | undefined): Promise<Record<InputName, string>> {
  const files: Partial<Record<InputName, string>> = {}
  for (const name of INPUTS) files[name] = await makeInput(name, size, dump)
  return files as Record<InputName, string>
}

function find(measured: readonly Measured[], name: string, side: Side): Measured | undefined {
  return measured.find((one) => one.task === name && one.side === side && one.seconds.length > 0)
}

/** The median of the ratios of each round. */
function findRatio(one: Measured | undefined, other: Measured | undefined): number {
  if (!one || !other) return Number.NaN
  return summarize(one.seconds.map((seconds, round) => seconds / (other.seconds[round] ?? Number.NaN))).median
}

function compareWithAim({ name, aim }: Task, measured: readonly Measured[]): Comparison[] {
  if (!aim) return []
  const { than, isOfBaseline, atMost } = aim
  const ratio = findRatio(find(measured, name, 'own'), find(measured, than, isOfBaseline ? 'baseline' : 'own'))
  if (Number.isNaN(ratio)) return []
  return [{ task: name, than: isOfBaseline ? `${than} of the baseline` : than, ratio, atMost }]
}

/** What failed, or has another answer than the baseline or than a task that does the same. */
function findFaults(chosen: readonly Task[], measured: readonly Measured[]): string[] {
  const answerOf = (name: string, side: Side) => find(measured, name, side)?.answer
  const faults = measured.flatMap(({ task, side, failure }) =>
    failure === undefined ? [] : [`${task}, ${side}: ${failure}`],
  )
  for (const { name, sameAs = '' } of chosen) {
    const own = answerOf(name, 'own')
    const before = answerOf(name, 'baseline')
    const same = answerOf(sameAs, 'own')
    if (own !== undefined && before !== undefined && own !== before)
      faults.push(`${name}: not the answer of the baseline`)
    if (own !== undefined && same !== undefined && own !== same) faults.push(`${name}: not the answer of ${sameAs}`)
  }
  return faults
}

function formatFigures(
  chosen: readonly Task[],
  measured: readonly Measured[],
  files: Record<InputName, string>,
): string {
  const xml = { ...files, bzip2: files.dump }
  const rows = chosen.map(({ name, input }) => {
    const own = find(measured, name, 'own')
    const before = find(measured, name, 'baseline')
    const seconds = own && summarize(own.seconds).median
    const megabytes = name.startsWith('small documents') ? undefined : statSync(xml[input]).size / 1e6
    return [
      name,
      formatNumber(seconds, 2),
      formatNumber(seconds && megabytes && megabytes / seconds, 0),
      formatNumber(own?.peakMemory, 0),
      formatNumber(before && summarize(before.seconds).median, 2),
      formatNumber(findRatio(own, before), 2),
      formatNumber(before?.peakMemory, 0),
    ]
  })
  return formatTable(['', 'seconds', 'MB/s of XML', 'peak MB', 'baseline, seconds', 'ratio', 'peak MB'], rows)
}

function formatComparisons(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ task, than, ratio, atMost }) => [
    `${task} : ${than}`,
    formatNumber(ratio, 2),
    formatNumber(atMost, 2),
    ratio > atMost ? 'missed' : '',
  ])
  return formatTable(['time', 'is', 'at most', ''], rows)
}
