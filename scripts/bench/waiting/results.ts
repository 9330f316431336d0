// All that was measured, and its tables.

import { formatNumber, formatSummary, formatTable, summarize } from '../report.ts'
import type { Answer } from '../tally.ts'
import type { CloningSample, FairnessSample, JobResult, LoopSample, PiecesSample, ReadingSample } from './job.ts'

export interface Measurement<Sample> extends JobResult<Sample> {
  readonly name: string
}

export interface Results {
  /** Size of the file, and of a piece. */
  readonly bytes: number
  readonly piece: number
  /** In each process; and how many processes each way of reading the file had, taking turns. */
  readonly runs: number
  readonly rounds: number
  /** Steps of a control loop. */
  readonly steps: number
  /** Bytes that were read from memory. */
  readonly memory: number
  /** Clones of a run. */
  readonly times: number
  /** Peak memory of a process that did nothing, in MB. */
  readonly idleMemory: number
  readonly expected: Answer
  readonly reading: readonly Measurement<ReadingSample>[]
  readonly pieces: readonly Measurement<PiecesSample>[]
  readonly loops: readonly Measurement<LoopSample>[]
  readonly fairness: readonly Measurement<FairnessSample>[]
  readonly cloning: readonly Measurement<CloningSample>[]
}

const SUMMARY_HEAD = ['min', 'median', 'mean', 'max']

export function formatTables(results: Results): string {
  const { bytes, piece, expected, runs, rounds, steps, memory, times } = results
  const count = (value: number) => formatNumber(value, 0)
  return [
    `Reading ${count(bytes)} bytes, ${piece} at a time: ${count(expected.pieces)} reads; seconds, ${rounds} rounds of ${runs} runs`,
    formatReading(results),
    'The same from memory: nanoseconds a piece',
    formatPieces(results),
    `Control loops of ${count(steps)} steps: nanoseconds a step; what a timer set for 1 ms waited, in ms`,
    formatLoops(results),
    `Reading ${count(memory)} bytes that are in memory: seconds; what a timer set for 1 ms waited, in ms`,
    formatFairness(results),
    `Clones of a cursor, ${count(times)}: nanoseconds each`,
    formatCloning(results),
  ].join('\n\n')
}

function formatReading({ reading, expected }: Results): string {
  const rows = reading.map(({ name, samples, peakMemory }) => {
    const seconds = summarize(samples.map((sample) => sample.seconds))
    const waited = summarize(samples.map((sample) => sample.waited)).median / expected.pieces
    const firstResult = summarize(samples.map((sample) => sample.firstResult)).median
    return [
      name,
      ...formatSummary(seconds, 3),
      formatNumber((seconds.min / expected.pieces) * 1e9, 0),
      `${formatNumber(waited * 100, 3)} %`,
      formatNumber(firstResult, 2),
      formatNumber(peakMemory, 0),
    ]
  })
  return formatTable(['strategy', ...SUMMARY_HEAD, 'ns/read', 'waited', 'first ms', 'peak MB'], rows)
}

function formatPieces({ pieces }: Results): string {
  const rows = pieces.map(({ name, samples }) => [
    name,
    ...formatSummary(summarize(samples.map(({ seconds, answer }) => (seconds / answer.pieces) * 1e9)), 1),
  ])
  return formatTable(['way to a piece', ...SUMMARY_HEAD], rows)
}

function formatLoops({ loops, steps }: Results): string {
  const rows = loops.map(({ name, samples, peakMemory }) => [
    name,
    ...formatSummary(summarize(samples.map((sample) => (sample.seconds / steps) * 1e9)), 0),
    ...formatDelay(samples),
    formatNumber(peakMemory, 0),
  ])
  return formatTable(['loop', ...SUMMARY_HEAD, ...DELAY_HEAD, 'peak MB'], rows)
}

function formatFairness({ fairness }: Results): string {
  const rows = fairness.map(({ name, samples }) => [
    name,
    ...formatSummary(summarize(samples.map((sample) => sample.seconds)), 3),
    ...formatDelay(samples),
  ])
  return formatTable(['way of reading', ...SUMMARY_HEAD, ...DELAY_HEAD], rows)
}

function formatCloning({ cloning, times }: Results): string {
  const rows = cloning.map(({ name, samples, peakMemory }) => [
    name,
    ...formatSummary(summarize(samples.map((sample) => (sample.seconds / times) * 1e9)), 0),
    formatNumber(peakMemory, 0),
  ])
  return formatTable(['use', ...SUMMARY_HEAD, 'peak MB'], rows)
}

const DELAY_HEAD = ['timers fired', 'mean wait', 'longest', 'monitor max']

/** Over all runs: how many timers fired in the median run, the mean of the means, and the longest of all. */
function formatDelay(samples: readonly (LoopSample | FairnessSample)[]): string[] {
  const delays = samples.map((sample) => sample.delay)
  return [
    formatNumber(summarize(delays.map((delay) => delay.timersFired)).median, 0),
    formatNumber(summarize(delays.map((delay) => delay.meanWait)).mean, 1),
    formatNumber(Math.max(...delays.map((delay) => delay.longestWait)), 1),
    formatNumber(Math.max(...delays.map((delay) => delay.longestSample)), 1),
  ]
}
