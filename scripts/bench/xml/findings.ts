// What came out: whether every answer was right, and the figures that there are marks for.

import { formatNumber, summarize } from '../report.ts'
import type { Use } from './engine.ts'
import { COMMANDS, engines, OURS, REFERENCE } from './engines.ts'
import type { InputName } from './inputs.ts'
import { hasRightStrings, type LargeFile, mayDiffer, memoryAbove, type Results, ratioTo } from './results.ts'

/** Times as fast as the reference. */
const LEAST_RATIOS: Readonly<Record<Use, Readonly<Record<InputName, number>>>> = {
  check: { dump: 5, markup: 5, prose: 10 },
  events: { dump: 2.5, markup: 2, prose: 3 },
  records: { dump: 5, markup: 5, prose: 5 },
}
/** Times as fast as each of the commands. */
const LEAST_COMMAND_RATIO = 2
/** Above reading alone, in MB of 2^20 bytes. */
const MOST_MEMORY = 65
/** Between the largest file and the smallest. */
const MOST_MEMORY_GROWTH = 1.1
/** In ms. */
const LONGEST_FIRST_RECORD = 60

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
    figures: [...findRatios(results), ...results.large.flatMap(findMemory), ...findGrowth(results.large)],
    faults: [...findAnswerFaults(results), ...findRecordFaults(results.large)],
  }
}

/** In sentences. */
export function tellFindings({ figures }: Findings): string[] {
  return figures.map(({ what, value, unit, mark, isMet }) => {
    return `${isMet ? 'met   ' : 'MISSED'}  ${what}: ${formatNumber(value, 2)} ${unit} (mark: ${formatNumber(mark, 2)})`
  })
}

function findRatios({ measurements }: Results): Finding[] {
  const ours = measurements.filter(({ engine }) => engine === OURS)
  return ours.flatMap((measurement) => {
    const { use, input } = measurement
    const marks = [
      [REFERENCE, LEAST_RATIOS[use][input]] as const,
      ...(use === 'check' ? COMMANDS.map((command) => [command, LEAST_COMMAND_RATIO] as const) : []),
    ]
    return marks.flatMap(([engine, mark]) => {
      const value = ratioTo(engine, measurements, measurement)
      if (value === undefined) return []
      return { what: `${use}, ${input}`, value, unit: `times ${engine}`, mark, isMet: value >= mark }
    })
  })
}

function findMemory({ input, bytes, uses, bare, firstRecord }: LargeFile): Finding[] {
  const file = `${input}, ${formatNumber(bytes, 0)} bytes`
  const above = uses.flatMap((measurement) => {
    const value = memoryAbove(measurement, bare)
    if (value === undefined) return []
    return atMost(`memory above reading alone, ${measurement.use}, ${file}`, value, 'MB', MOST_MEMORY)
  })
  return [...above, atMost(`first record, ${file}`, summarize(firstRecord).median, 'ms', LONGEST_FIRST_RECORD)]
}

function findGrowth(large: readonly LargeFile[]): Finding[] {
  if (large.length < 2) return []
  const uses = [...new Set(large.flatMap(({ uses }) => uses.map(({ use }) => use)))]
  return uses.flatMap((name) => {
    const peaks = large.flatMap(({ uses }) => uses.find(({ use }) => use === name)?.peakMemory ?? [])
    if (peaks.length < large.length) return []
    // By size and not by peak: less memory for more input is not growth.
    const ratio = (peaks.at(-1) as number) / (peaks[0] as number)
    return atMost(`memory of the largest file by the smallest, ${name}`, ratio, 'times', MOST_MEMORY_GROWTH)
  })
}

function atMost(what: string, value: number, unit: string, mark: number): Finding {
  return { what, value, unit, mark, isMet: value <= mark }
}

function findAnswerFaults({ measurements, credulous, failures }: Results): string[] {
  const wrong = measurements.filter((measurement) => {
    return !mayDiffer(measurement.engine) && hasRightStrings(measurements, measurement) === false
  })
  return [
    ...wrong.map(({ engine, use, input }) => `${engine} has read other strings than ${REFERENCE}: ${use} of ${input}`),
    ...credulous
      .filter((engine) => !engines[engine]?.neverRefuses)
      .map((engine) => `${engine} accepts a document that is not well-formed`),
    ...failures
      .filter(({ engine }) => engine.startsWith(OURS))
      .map(({ engine, use, input, message }) => {
        return `${engine} failed at ${use} of ${input}: ${message}`
      }),
  ]
}

function findRecordFaults(large: readonly LargeFile[]): string[] {
  return large
    .filter(({ records, recordsRead }) => records !== recordsRead)
    .map(({ input, bytes, records, recordsRead }) => {
      return `${OURS} has read ${recordsRead} records of ${records} in ${input}, ${bytes} bytes`
    })
}
