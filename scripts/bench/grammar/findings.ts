// What came out: whether every answer was right, and the figures that there are marks for.

import { MEBIBYTE } from '../corpus.ts'
import { formatNumber, summarize } from '../report.ts'
import { isSameDigest } from './digest.ts'
import { OURS } from './engines.ts'
import type { ParseSample } from './job.ts'
import { fastest, type Measurement, type Results, ratioToReference } from './results.ts'

/** Times as fast as peggy, from so many bytes up: in less, the time is that of the calls. */
const LEAST_RECOGNIZING_RATIO = 30
const LEAST_TREE_RATIO = 3
const LEAST_BYTES = 1_000_000
/** The inputs that the first ratio is asked of. */
const RECOGNIZED_FAST = ['log', 'xml', 'markup']
/** In seconds. */
const LONGEST_SMALL_PARSE = 20e-6
const LONGEST_COMPILING = 10e-3
/** Above a bare read loop, in MB of 2^20 bytes. */
const MOST_MEMORY = 65
/** Between two sizes of an input. */
const MOST_MEMORY_GROWTH = 1.1

/** A figure with a mark. */
interface Finding {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly mark: number
  readonly isMet: boolean
}

export interface Findings {
  readonly figures: readonly Finding[]
  /** Wrong answers, in sentences. */
  readonly faults: readonly string[]
}

export function judge(results: Results): Findings {
  return {
    figures: [
      ...findRatios('recognising', results.recognizing, LEAST_RECOGNIZING_RATIO, RECOGNIZED_FAST),
      ...findRatios('whole tree', results.tree, LEAST_TREE_RATIO),
      ...ours(results.small).map(({ input, samples }) => {
        return atMost(`small parse, ${input}`, fastest(samples) * 1e6, 'µs', LONGEST_SMALL_PARSE * 1e6)
      }),
      ...ours(results.compiling).flatMap(({ input, samples }) => [
        // What a program pays that does it once, and what the compiler takes when the engine has compiled the compiler.
        atMost(`grammar of ${input}, first`, (samples[0]?.seconds ?? Number.NaN) * 1e3, 'ms', LONGEST_COMPILING * 1e3),
        atMost(`grammar of ${input}, at best`, fastest(samples) * 1e3, 'ms', LONGEST_COMPILING * 1e3),
      ]),
      ...findMemory(results),
    ],
    faults: [...findDigestFaults(results), ...findLateNodes(results), ...findNodeFaults(results)],
  }
}

/** In sentences. */
export function tellFindings({ figures }: Findings): string[] {
  return figures.map(({ what, value, unit, mark, isMet }) => {
    return `${isMet ? 'met   ' : 'MISSED'}  ${what}: ${formatNumber(value, 2)} ${unit} (mark: ${formatNumber(mark, 2)})`
  })
}

function findRatios(
  what: string,
  measurements: readonly Measurement<ParseSample>[],
  mark: number,
  inputs?: readonly string[],
): Finding[] {
  return ours(measurements).flatMap((measurement) => {
    const { input, bytes } = measurement
    const value = ratioToReference(measurements, measurement)
    if (value === undefined || bytes < LEAST_BYTES || (inputs && !inputs.includes(input))) return []
    const name = `${what}, ${input}, ${formatNumber(bytes, 0)} bytes`
    return [{ what: name, value, unit: 'times peggy', mark, isMet: value >= mark }]
  })
}

function findMemory({ streaming }: Results): Finding[] {
  const above = streaming.map(({ input, bytes, partial, bare }) => {
    const name = `memory above a bare loop, ${input}, ${formatNumber(bytes, 0)} bytes`
    return atMost(name, partial.peakMemory - bare.peakMemory, 'MB', MOST_MEMORY)
  })
  const inputs = [...new Set(streaming.map(({ input }) => input))]
  const growth = inputs.flatMap((input) => {
    const peaks = streaming.filter((other) => other.input === input).map(({ partial }) => partial.peakMemory)
    if (peaks.length < 2) return []
    const { min, max } = summarize(peaks)
    return atMost(`memory of ${input}, the largest peak by the smallest`, max / min, 'times', MOST_MEMORY_GROWTH)
  })
  return [...above, ...growth]
}

function atMost(what: string, value: number, unit: string, mark: number): Finding {
  return { what, value, unit, mark, isMet: value <= mark }
}

function ours<Sample>(measurements: readonly Measurement<Sample>[]): Measurement<Sample>[] {
  return measurements.filter(({ engine }) => engine === OURS)
}

/** All engines must have read the same strings of the same input. */
function findDigestFaults({ tree, small }: Results): string[] {
  const all = [...tree, ...small]
  return all.flatMap(({ engine, input, bytes, samples }) => {
    const first = all.find((other) => other.input === input && other.bytes === bytes)
    const expected = first?.samples[0]?.digest
    const isRight = expected && samples.every(({ digest }) => digest && isSameDigest(digest, expected))
    return isRight ? [] : [`${engine} has read other strings than ${first?.engine} in ${input}, ${bytes} bytes`]
  })
}

function findLateNodes({ firstNode }: Results): string[] {
  return firstNode.flatMap(({ input, samples }) => {
    return samples.every(({ wait }) => wait !== undefined)
      ? []
      : [`the first node of ${input} did not come when it was certain`]
  })
}

function findNodeFaults({ streaming }: Results): string[] {
  return streaming.flatMap(({ input, bytes, nodes, partial, bare }) => {
    const { samples } = partial
    const [first] = samples
    const isRight = (sample: (typeof samples)[number]) => {
      return sample.nodes === nodes && sample.bytes === bytes && first && isSameDigest(sample.digest, first.digest)
    }
    return [
      ...(samples.every(isRight) ? [] : [`${input} of ${bytes / MEBIBYTE} MB: other nodes than there are`]),
      ...(bare.samples.every((sample) => sample.bytes === bytes)
        ? []
        : [`${input}: the bare loop has read other bytes`]),
    ]
  })
}
