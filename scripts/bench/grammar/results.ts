// All that was measured, and its tables.

import { formatNumber, formatSummary, formatTable, summarize } from '../report.ts'
import { engines, OURS, REFERENCE } from './engines.ts'
import type { CompileSample, FirstNodeSample, JobResult, ParseSample, StreamSample } from './job.ts'

export interface Measurement<Sample> extends JobResult<Sample> {
  readonly engine: string
  /** The input's name; where there is only one, what it is. */
  readonly input: string
  /** Bytes of the input. */
  readonly bytes: number
}

/** What could not be measured. */
export interface Failure {
  readonly engine: string
  readonly input: string
  readonly bytes: number
  readonly message: string
}

export interface Streaming {
  readonly input: string
  readonly bytes: number
  /** Nodes that the file has. */
  readonly nodes: number
  readonly partial: JobResult<StreamSample>
  readonly bare: JobResult<StreamSample>
}

export interface Results {
  readonly runs: number
  readonly recognizing: readonly Measurement<ParseSample>[]
  readonly tree: readonly Measurement<ParseSample>[]
  readonly small: readonly Measurement<ParseSample>[]
  readonly compiling: readonly Measurement<CompileSample>[]
  readonly firstNode: readonly Measurement<FirstNodeSample>[]
  readonly streaming: readonly Streaming[]
  readonly failures: readonly Failure[]
}

const MEGABYTE = 1e6

export function formatTables(results: Results): string {
  const sections: (readonly [title: string, rows: readonly unknown[], format: () => string])[] = [
    ['Recognising: MB/s (of 10^6 bytes)', results.recognizing, () => formatSpeeds(results.recognizing)],
    ['Whole tree, every string read: MB/s', results.tree, () => formatSpeeds(results.tree)],
    [
      'Whole tree of about 100 bytes, every string read: microseconds',
      results.small,
      () => formatTimes(results.small, 1e6),
    ],
    [
      'XML grammar made ready, and one parse of 4 bytes: milliseconds; max is the first of a process',
      results.compiling,
      () => formatTimes(results.compiling, 1e3),
    ],
    [
      'First node of a source that stalls: milliseconds after its last byte',
      results.firstNode,
      () => formatWaits(results.firstNode),
    ],
    [
      'Partial trees of a file, every string read; peak memory of the process in MB',
      results.streaming,
      () => formatStreaming(results),
    ],
  ]
  const tables = sections.filter(([, rows]) => rows.length > 0).flatMap(([title, , format]) => [title, format()])
  return [...tables, ...formatNotes(results)].join('\n\n')
}

const SPEED_HEAD = ['input, engine', 'bytes', 'min', 'median', 'mean', 'max', `x ${REFERENCE}`, 'peak MB']

function formatSpeeds(measurements: readonly Measurement<ParseSample>[]): string {
  const rows = measurements.map((measurement) => {
    const { engine, input, bytes, samples, peakMemory } = measurement
    return [
      `${input}, ${engine}`,
      formatNumber(bytes, 0),
      ...formatSummary(summarize(samples.map(({ seconds }) => bytes / seconds / MEGABYTE)), 2),
      formatNumber(ratioToReference(measurements, measurement), 2),
      formatNumber(peakMemory, 0),
    ]
  })
  return formatTable(SPEED_HEAD, rows)
}

/** How many times as fast as the reference on the same input, by the fastest runs; undefined where that was not measured. */
export function ratioToReference(
  measurements: readonly Measurement<ParseSample>[],
  { input, bytes, samples }: Measurement<ParseSample>,
): number | undefined {
  const reference = measurements.find((other) => {
    return other.engine === REFERENCE && other.input === input && other.bytes === bytes
  })
  return reference && fastest(reference.samples) / fastest(samples)
}

/** Seconds. */
export function fastest(samples: readonly { readonly seconds: number }[]): number {
  return summarize(samples.map(({ seconds }) => seconds)).min
}

function formatTimes(measurements: readonly Measurement<CompileSample>[], unit: number): string {
  const rows = measurements.map(({ engine, input, samples }) => [
    `${input}, ${engine}`,
    ...formatSummary(summarize(samples.map(({ seconds }) => seconds * unit)), 2),
  ])
  return formatTable(['input, engine', 'min', 'median', 'mean', 'max'], rows)
}

function formatWaits(measurements: readonly Measurement<FirstNodeSample>[]): string {
  const rows = measurements.map(({ input, samples }) => {
    const waits = samples.flatMap(({ wait }) => wait ?? [])
    const late = samples.length - waits.length
    return [
      input,
      ...(waits.length > 0 ? formatSummary(summarize(waits), 2) : ['-', '-', '-', '-']),
      formatNumber(late, 0),
    ]
  })
  return formatTable(['input', 'min', 'median', 'mean', 'max', 'did not come'], rows)
}

function formatStreaming({ streaming }: Results): string {
  const rows = streaming.map(({ input, bytes, nodes, partial, bare }) => [
    input,
    formatNumber(bytes, 0),
    formatNumber(nodes, 0),
    formatNumber(bytes / fastest(partial.samples) / MEGABYTE, 1),
    formatNumber(bytes / fastest(bare.samples) / MEGABYTE, 0),
    formatNumber(partial.peakMemory, 0),
    formatNumber(bare.peakMemory, 0),
    formatNumber(partial.peakMemory - bare.peakMemory, 0),
  ])
  return formatTable(['input', 'bytes', 'nodes', 'MB/s', 'bare MB/s', 'peak', 'bare peak', 'above it'], rows)
}

function formatNotes({ failures }: Results): string[] {
  const limits = Object.entries(engines).flatMap(([name, { because, most }]) => {
    return name === OURS ? [] : `${name} gets no more than ${formatNumber(most, 0)} bytes: ${because}`
  })
  const notes = [
    ...failures.map(({ engine, input, bytes, message }) => `${engine} failed on ${input}, ${bytes} bytes: ${message}`),
    ...limits,
  ]
  return [notes.join('\n')]
}
