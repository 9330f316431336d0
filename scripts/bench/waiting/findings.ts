// What came out: whether every answer was right, and the few figures that the tables are for.

import { formatNumber, summarize } from '../report.ts'
import { isSameAnswer } from '../tally.ts'
import type { Measurement, Results } from './results.ts'

/** How many times faster than full async peeking must be. */
const LEAST_RATIO = 5

export interface Findings {
  /** Full async by peek, by the fastest runs, which others on the machine disturb least; and by the median runs. */
  readonly ratio: number
  readonly medianRatio: number
  /** The same for what each adds to the bare stream: the cost of being able to wait, without that of the disk. */
  readonly addedRatio: number
  /** Nanoseconds a read. */
  readonly fullAsyncPerRead: number
  readonly peekPerRead: number
  /** Of those: the bare stream with its touching of the bytes, the view made for each piece, the cursor. */
  readonly barePerRead: number
  readonly viewPerRead: number
  readonly cursorPerRead: number
  /** Share of the reads of peek that waited, from 0 to 1. */
  readonly waited: number
  /** Nanoseconds of a clone and its release. */
  readonly clonePerUse: number
  /** What is wrong, in sentences; none when all is well. */
  readonly faults: readonly string[]
}

export function judge(results: Results): Findings {
  const { expected, reading } = results
  const perRead = (name: string) => (summarize(secondsOf(reading, name)).min / expected.pieces) * 1e9
  const [full, peek, views, bare] = [
    perRead('full async'),
    perRead('peek'),
    perRead('bare, with views'),
    perRead('bare'),
  ]
  const medianRatio = summarize(secondsOf(reading, 'full async')).median / summarize(secondsOf(reading, 'peek')).median
  const ratio = full / peek
  const faults = findWrongAnswers(results)
  if (!(ratio >= LEAST_RATIO)) {
    faults.push(`peek was ${formatNumber(ratio, 2)} times as fast as full async, not ${LEAST_RATIO}`)
  }
  return {
    ratio,
    medianRatio,
    addedRatio: (full - bare) / (peek - bare),
    fullAsyncPerRead: full,
    peekPerRead: peek,
    barePerRead: bare,
    viewPerRead: views - bare,
    cursorPerRead: peek - views,
    waited: summarize(find(reading, 'peek').samples.map((sample) => sample.waited)).median / expected.pieces,
    clonePerUse: (summarize(secondsOf(results.cloning, 'clone, release')).min / results.times) * 1e9,
    faults,
  }
}

/** In sentences. */
export function tellFindings(findings: Findings): string[] {
  const ns = (value: number) => formatNumber(value, 0)
  const { ratio, medianRatio, addedRatio } = findings
  return [
    `Peek is ${formatNumber(ratio, 1)} times as fast as full async (${formatNumber(medianRatio, 1)} by the medians; the study: 14).`,
    `A read costs ${ns(findings.fullAsyncPerRead)} ns by full async and ${ns(findings.peekPerRead)} ns by peek:`,
    `  ${ns(findings.barePerRead)} for the bytes themselves, ${ns(findings.viewPerRead)} for the view, ${ns(findings.cursorPerRead)} for the cursor.`,
    `What is added to the bare stream is ${formatNumber(addedRatio, 1)} times as much by full async as by peek.`,
    `${formatNumber(findings.waited * 100, 3)} % of the reads waited (the study: 0.078 %).`,
    `A clone and its release cost ${ns(findings.clonePerUse)} ns.`,
  ]
}

function findWrongAnswers({ expected, memory, reading, loops, fairness, cloning }: Results): string[] {
  const result = loops[0]?.samples[0]?.result
  return [
    ...faultsOf(reading, ({ answer }) => isSameAnswer(answer, expected), 'read other pieces than there are'),
    ...faultsOf(loops, (sample) => sample.result === result, 'came to another result than the first loop'),
    ...faultsOf(fairness, ({ bytes }) => bytes === memory, 'read more or fewer bytes than there are'),
    ...faultsOf(cloning, ({ right }) => right, 'clones moved their origin, or stood elsewhere'),
  ]
}

function faultsOf<Sample>(
  measurements: readonly Measurement<Sample>[],
  isRight: (sample: Sample) => boolean,
  fault: string,
): string[] {
  return measurements.filter(({ samples }) => !samples.every(isRight)).map(({ name }) => `${name}: ${fault}`)
}

function secondsOf(measurements: readonly Measurement<{ seconds: number }>[], name: string): number[] {
  return find(measurements, name).samples.map(({ seconds }) => seconds)
}

function find<Sample>(measurements: readonly Measurement<Sample>[], name: string): Measurement<Sample> {
  const found = measurements.find((measurement) => measurement.name === name)
  if (!found) throw new RangeError(`${name} was not measured`)
  return found
}
