// What it costs to be able to wait: small pieces read by promises and by peeking, loops over async functions, saved positions.
//
// It repeats the study this project starts from, on the machine at hand.
//
// Each line of each table is measured in a process of its own (isolated.ts), each run with a fresh source, cache and cursor, and
// each answer is compared.

import { resolve } from 'node:path'
import { MEBIBYTE, makeCorpus, tallyFile } from './corpus.ts'
import { runIsolated } from './isolated.ts'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseNumber, parseOptions } from './options.ts'
import { writeRecord } from './report.ts'
import { clonings } from './waiting/cloning.ts'
import { loops } from './waiting/control-loops.ts'
import { fairnessCases } from './waiting/fairness.ts'
import { judge, tellFindings } from './waiting/findings.ts'
import type {
  CloningSample,
  FairnessSample,
  Job,
  JobResult,
  LoopSample,
  PiecesSample,
  ReadingSample,
} from './waiting/job.ts'
import { pieceReadings } from './waiting/pieces.ts'
import { PIECE, readings } from './waiting/reading.ts'
import { formatTables, type Measurement, type Results } from './waiting/results.ts'

/** How often the ways of reading a file take turns. */
const ROUNDS = 3

const USAGE = `Usage: npm run bench -- waiting [options]

Reads a file in pieces of ${PIECE} bytes, runs loops over asynchronous steps, watches the event loop, clones cursors.

  --size MB     size of the file (default 256), in MB of 2^20 bytes
  --runs N      runs in each process (default 5); files are read in ${ROUNDS} rounds of so many
  --steps N     steps of the control loops, and half as many clones (default 1,000,000)
  --json FILE   where the record goes (default build/bench/waiting.json)
  --help        this text

Exit code 1: an answer was wrong, or peeking was not 5 times faster than full async.`

/** The most that is read from memory: enough for some tenths of a second. */
const LARGEST_MEMORY = 128 * MEBIBYTE

interface Settings {
  readonly bytes: number
  readonly runs: number
  readonly steps: number
  readonly json: string
}

export async function run(args: string[]): Promise<number> {
  const values = parseOptions(args, {
    size: { type: 'string' },
    runs: { type: 'string' },
    steps: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  return runAll({
    bytes: Math.round(parseNumber('size', values.size, 256, 0.1) * MEBIBYTE),
    runs: parseCount('runs', values.runs, 5),
    steps: parseCount('steps', values.steps, 1_000_000),
    json: values.json ?? 'build/bench/waiting.json',
  })
}

async function runAll(settings: Settings): Promise<number> {
  const date = new Date().toISOString()
  const machine = describeMachine()
  console.log(`${date}\n${formatMachine(machine)}\n`)
  const results = await measureAll(settings)
  const findings = judge(results)
  console.log(`${formatTables(results)}\n\n${tellFindings(findings).join('\n')}`)
  await writeRecord(resolve(settings.json), { benchmark: 'waiting', date, machine, ...results, findings })
  console.log(`\nRecord: ${settings.json}`)
  for (const fault of findings.faults) console.error(`bench: ${fault}`)
  return findings.faults.length > 0 ? 1 : 0
}

async function measureAll({ bytes, runs, steps }: Settings): Promise<Results> {
  const file = await makeCorpus(bytes)
  // Also brings the file into the cache of the operating system, so that no way of reading is the one that waits for the disk.
  const expected = tallyFile(file, PIECE)
  const memory = Math.min(bytes, LARGEST_MEMORY)
  const times = Math.ceil(steps / 2)
  const idle = await runIsolated<JobResult<undefined>>(CHILD, { measure: 'nothing', runs: 1 } satisfies Job)
  return {
    bytes,
    piece: PIECE,
    runs,
    rounds: ROUNDS,
    steps,
    memory,
    times,
    idleMemory: idle.peakMemory,
    expected,
    reading: await measureInRounds<ReadingSample>(readings, (name) => ({ measure: 'reading', name, file, runs })),
    pieces: await measureEach<PiecesSample>(pieceReadings, (name) => ({
      measure: 'pieces',
      name,
      bytes: memory,
      runs,
    })),
    loops: await measureEach<LoopSample>(loops, (name) => ({ measure: 'loop', name, steps, runs })),
    fairness: await measureEach<FairnessSample>(fairnessCases, (name) => ({
      measure: 'fairness',
      name,
      bytes: memory,
      runs,
    })),
    cloning: await measureEach<CloningSample>(clonings, (name) => ({ measure: 'cloning', name, times, runs })),
  }
}

const CHILD = new URL('waiting/child.ts', import.meta.url)

/** One process after the other: they must not share the machine. */
async function measureEach<Sample>(named: object, makeJob: (name: string) => Job): Promise<Measurement<Sample>[]> {
  const measurements: Measurement<Sample>[] = []
  for (const name of Object.keys(named)) {
    const job = makeJob(name)
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${job.measure}: ${name} …`)
    measurements.push({ name, ...(await runIsolated<JobResult<Sample>>(CHILD, job)) })
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  return measurements
}

/**
 * The same several times over, with the samples of all rounds. What is compared with each other is then measured at the same
 * times: a machine that is shared drifts by a third within minutes, and the verdict must not depend on when whose turn was.
 */
async function measureInRounds<Sample>(named: object, makeJob: (name: string) => Job): Promise<Measurement<Sample>[]> {
  const rounds: Measurement<Sample>[][] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureEach<Sample>(named, makeJob))
  return Object.keys(named).map((name, index) => {
    const measurements = rounds.flatMap((round) => round[index] ?? [])
    return {
      name,
      samples: measurements.flatMap(({ samples }) => samples),
      peakMemory: Math.max(...measurements.map(({ peakMemory }) => peakMemory)),
    }
  })
}
