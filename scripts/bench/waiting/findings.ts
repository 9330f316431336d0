// What came out: whether every answer was right, and the few figures that the tables are for.

import { formatNumber, summarize } from '../report.ts'
import { isSameAnswer } from '../tally.ts'
import type { Measurement, Results } from './results.ts'

/** How many times faster than full async peeking must be. */
const LEAST_RATIO = 5

/** Async functions between the caller and the piece in full async. */
const FULL_ASYNC_DEPTH = 3

/** Times are nanoseconds a read, of the fastest run: others on the machine disturb it least. */
export interface Findings {
  /** Full async by peek; also by the median runs, and for bytes that are in memory. */
  readonly ratio: number
  readonly medianRatio: number
  readonly memoryRatio: number
  readonly fullAsync: number
  readonly peek: number
  readonly bare: number
  /** What each of the async functions adds. */
  readonly asyncFunction: number
  /** From memory, above touching the bytes: a view alone; peek and skip, the view among it. */
  readonly view: number
  readonly peekFromMemory: number
  /** Share of the reads of peek that waited, from 0 to 1. */
  readonly waited: number
  /** Nanoseconds of a clone and its release. */
  readonly clone: number
  /** What is wrong, in sentences; none when all is well. */
  readonly faults: readonly string[]
}

export function judge(results: Results): Findings {
  const { reading, pieces, cloning, expected, times } = results
  const fullAsync = fastest(reading, 'full async')
  const peek = fastest(reading, 'peek')
  const perRead = 1e9 / expected.pieces
  const perPiece = 1e9 / (find(pieces, 'bytes').samples[0]?.answer.pieces ?? Number.NaN)
  const touching = fastest(pieces, 'bytes')
  const ratio = fullAsync / peek
  return {
    ratio,
    medianRatio: median(reading, 'full async') / median(reading, 'peek'),
    memoryRatio: fastest(pieces, 'full async') / fastest(pieces, 'peek, skip'),
    fullAsync: fullAsync * perRead,
    peek: peek * perRead,
    bare: fastest(reading, 'bare') * perRead,
    asyncFunction: ((fullAsync - peek) * perRead) / FULL_ASYNC_DEPTH,
    view: (fastest(pieces, 'a view') - touching) * perPiece,
    peekFromMemory: (fastest(pieces, 'peek, skip') - touching) * perPiece,
    waited: summarize(find(reading, 'peek').samples.map((sample) => sample.waited)).median / expected.pieces,
    clone: (fastest(cloning, 'clone, release') * 1e9) / times,
    faults: [...findWrongAnswers(results), ...findSlowness(ratio)],
  }
}

/** In sentences. */
export function tellFindings(findings: Findings): string[] {
  const { ratio, medianRatio, memoryRatio, waited } = findings
  const ns = (value: number) => `${formatNumber(value, 0)} ns`
  const times = (value: number) => formatNumber(value, 1)
  return [
    `Peek is ${times(ratio)} times as fast as full async, ${times(medianRatio)} by the median runs, ${times(memoryRatio)} from memory (the study: 14).`,
    `A read costs ${ns(findings.fullAsync)} by full async, ${ns(findings.peek)} by peek; its bytes alone ${ns(findings.bare)}.`,
    `Each async function on the way to a piece adds ${ns(findings.asyncFunction)}.`,
    `Peek and skip themselves cost ${ns(findings.peekFromMemory)} (from memory); a bare subarray ${ns(findings.view)}.`,
    `${formatNumber(waited * 100, 3)} % of the reads waited (the study: 0.078 %).`,
    `A clone and its release cost ${ns(findings.clone)}.`,
  ]
}

function findSlowness(ratio: number): string[] {
  if (ratio >= LEAST_RATIO) return []
  return [`peek is ${formatNumber(ratio, 2)} times as fast as full async, which is less than ${LEAST_RATIO}`]
}

function findWrongAnswers({ expected, memory, reading, pieces, loops, fairness, cloning }: Results): string[] {
  const firstAnswer = pieces[0]?.samples[0]?.answer ?? expected
  const firstResult = loops[0]?.samples[0]?.result
  return [
    ...faultsOf(reading, ({ answer }) => isSameAnswer(answer, expected), 'read other pieces than there are'),
    ...faultsOf(pieces, ({ answer }) => isSameAnswer(answer, firstAnswer), 'read other pieces than the first way'),
    ...faultsOf(loops, ({ result }) => result === firstResult, 'came to another result than the first loop'),
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

type Timed = readonly Measurement<{ readonly seconds: number }>[]

/** Seconds of the fastest run. */
function fastest(measurements: Timed, name: string): number {
  return summarizeSeconds(measurements, name).min
}

function median(measurements: Timed, name: string): number {
  return summarizeSeconds(measurements, name).median
}

function summarizeSeconds(measurements: Timed, name: string) {
  return summarize(find(measurements, name).samples.map(({ seconds }) => seconds))
}

function find<Sample>(measurements: readonly Measurement<Sample>[], name: string): Measurement<Sample> {
  const found = measurements.find((measurement) => measurement.name === name)
  if (!found) throw new RangeError(`${name} was not measured`)
  return found
}
