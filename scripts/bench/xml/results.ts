// All that was measured, and its tables.

import { type DigestResult, isSameDigest } from '../grammar/digest.ts'
import { formatNumber, formatSummary, formatTable, summarize } from '../report.ts'
import type { Use } from './engine.ts'
import { engines, OURS, REFERENCE } from './engines.ts'
import type { InputName } from './inputs.ts'

/** What one engine took for one use of one input. */
export interface Measurement {
  readonly use: Use
  readonly engine: string
  readonly input: InputName
  /** Of the input. */
  readonly bytes: number
  /** Of each complete process. */
  readonly seconds: readonly number[]
  /** The largest of all processes, in MB; undefined where it is not known. */
  readonly peakMemory: number | undefined
  /** One for each process; none for checks. */
  readonly digests: readonly DigestResult[]
}

/** What could not be measured. */
export interface Failure {
  readonly use: Use
  readonly engine: string
  readonly input: InputName
  readonly message: string
}

/** Our engine on one large file, in one process for each use, beside the same file read and nothing done with it. */
export interface LargeFile {
  readonly input: InputName
  readonly bytes: number
  /** That the file has, and that were read. */
  readonly records: number
  readonly recordsRead: number
  readonly uses: readonly Measurement[]
  readonly bare: Measurement
  /** Milliseconds from the call to the first record, each in a process of its own. */
  readonly firstRecord: readonly number[]
}

export interface Results {
  readonly runs: number
  readonly measurements: readonly Measurement[]
  readonly large: readonly LargeFile[]
  readonly failures: readonly Failure[]
  /** Engines that accepted a document that is not well-formed. */
  readonly credulous: readonly string[]
  /** Commands that are not installed. */
  readonly missing: readonly string[]
}

const MEGABYTE = 1e6

const TITLES: Readonly<Record<Use, string>> = {
  check: 'Check: MB/s (of 10^6 bytes) of whole processes',
  events: 'All events, every string read: MB/s of whole processes',
  records: 'Records, their fields read: MB/s of whole processes',
}

export function formatTables(results: Results): string {
  const uses = (Object.keys(TITLES) as Use[]).filter((use) => results.measurements.some((other) => other.use === use))
  return [
    ...uses.flatMap((use) => [TITLES[use], formatSpeeds(results.measurements, use)]),
    ...(results.large.length > 0
      ? [
          `${OURS} on large files; peak memory in MB of 2^20 bytes`,
          formatLargeFiles(results.large),
          `First record of ${OURS}: milliseconds after the call`,
          formatFirstRecords(results.large),
        ]
      : []),
    formatNotes(results),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

function formatSpeeds(measurements: readonly Measurement[], use: Use): string {
  const rows = measurements
    .filter((measurement) => measurement.use === use)
    .map((measurement) => {
      const { engine, input, bytes, peakMemory } = measurement
      const { max, median } = summarize(speeds(measurement))
      return [
        `${input}, ${engine}${engines[engine]?.neverRefuses ? ' *' : ''}`,
        formatNumber(bytes, 0),
        formatNumber(max, 1),
        formatNumber(median, 1),
        formatNumber(ratioTo(REFERENCE, measurements, measurement), 2),
        formatNumber(peakMemory, 0),
        ...(use === 'check' ? [] : [describeStrings(measurements, measurement)]),
      ]
    })
  const head = ['input, engine', 'bytes', 'best', 'median', `x ${REFERENCE}`, 'peak MB']
  return formatTable(use === 'check' ? head : [...head, 'strings'], rows)
}

/** MB/s. */
function speeds({ bytes, seconds }: Measurement): number[] {
  return seconds.map((time) => bytes / time / MEGABYTE)
}

/** How many times as fast as another engine with the same, by the best runs; undefined where that was not measured. */
export function ratioTo(
  engine: string,
  measurements: readonly Measurement[],
  measurement: Measurement,
): number | undefined {
  const other = measurements.find(({ engine: name, use, input }) => {
    return name === engine && use === measurement.use && input === measurement.input
  })
  return other && summarize(speeds(measurement)).max / summarize(speeds(other)).max
}

/** Whether what was read is what the reference has read, or who else came first; undefined where nobody else has read the same. */
export function hasRightStrings(measurements: readonly Measurement[], measurement: Measurement): boolean | undefined {
  const peers = measurements.filter(({ engine, use, input, bytes }) => {
    return use === measurement.use && input === measurement.input && bytes === measurement.bytes && !mayDiffer(engine)
  })
  const expected = (peers.find(({ engine }) => engine === REFERENCE) ?? peers[0])?.digests[0]
  if (!expected || (peers.length === 1 && peers[0] === measurement)) return undefined
  return measurement.digests.every((digest) => isSameDigest(digest, expected))
}

export function mayDiffer(engine: string): boolean {
  return engines[engine]?.otherStrings !== undefined
}

function describeStrings(measurements: readonly Measurement[], measurement: Measurement): string {
  const isRight = hasRightStrings(measurements, measurement)
  return isRight === undefined ? '-' : isRight ? 'same' : 'OTHER'
}

function formatLargeFiles(large: readonly LargeFile[]): string {
  const rows = large.flatMap(({ input, bytes, uses, bare }) =>
    [bare, ...uses].map((measurement) => [
      `${input}, ${measurement === bare ? measurement.engine : measurement.use}`,
      formatNumber(bytes, 0),
      formatNumber(summarize(speeds(measurement)).max, 1),
      formatNumber(measurement.peakMemory, 0),
      measurement === bare ? '' : formatNumber(memoryAbove(measurement, bare), 0),
    ]),
  )
  return formatTable(['input, use', 'bytes', 'MB/s', 'peak MB', 'above reading'], rows)
}

/** Undefined where it is not known. */
export function memoryAbove(measurement: Measurement, bare: Measurement): number | undefined {
  if (measurement.peakMemory === undefined || bare.peakMemory === undefined) return undefined
  return measurement.peakMemory - bare.peakMemory
}

function formatFirstRecords(large: readonly LargeFile[]): string {
  const rows = large.map(({ input, bytes, firstRecord }) => [
    input,
    formatNumber(bytes, 0),
    ...formatSummary(summarize(firstRecord), 1),
  ])
  return formatTable(['input', 'bytes', 'min', 'median', 'mean', 'max'], rows)
}

function formatNotes({ measurements, failures, missing }: Results): string {
  const measured = Object.entries(engines).filter(([name]) => measurements.some(({ engine }) => engine === name))
  const notes = measured.flatMap(([name, { otherStrings, most, because }]) => [
    ...(otherStrings ? [`${name} may read other strings: ${otherStrings}`] : []),
    ...(because ? [`${name} gets no more than ${formatNumber(most, 0)} bytes: ${because}`] : []),
  ])
  return [
    ...(measured.some(([, { neverRefuses }]) => neverRefuses) ? ['* refuses no document: its check is none'] : []),
    ...notes,
    ...missing.map((name) => `${name} is not installed`),
    ...failures.map(({ engine, use, input, message }) => `${engine} failed at ${use} of ${input}: ${message}`),
  ].join('\n')
}
