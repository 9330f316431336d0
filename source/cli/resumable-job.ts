// `--resume`: a plan, its ranges one after the other into a folder of parts, and its end. What an earlier run has finished is not read
// again.

import process from 'node:process'
import type { DumpInput } from './dump-inputs.ts'
import { type DumpCommandOptions, defaultJobs, type RecordKind } from './dump-options.ts'
import { FaultFound, UsageError } from './errors.ts'
import { PartFolder } from './part-folder.ts'
import { makePlan, type PlannedRange } from './plan.ts'
import { ProgressLine } from './progress.ts'
import { readRange } from './range-job.ts'

export async function runResumably(
  kind: RecordKind,
  inputs: readonly DumpInput[],
  options: DumpCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { output, limit, format = 'jsonl', rangeSize, jobs = defaultJobs(), quiet, stats, verify } = options
  if (output === undefined) throw new UsageError('--resume writes into a folder: --output DIR')
  if (limit !== undefined || format !== 'jsonl' || verify) {
    throw new UsageError('--resume does not go with --limit, --format and --verify')
  }
  const files = inputs.map(({ name, path }) => {
    if (path === undefined) throw new UsageError(`--resume reads files, not ${name}`)
    return path
  })
  const [, ...ranges] = await makePlan(files, { kind, records: options, rangeSize })
  const folder = new PartFolder(output)
  await folder.open(ranges)
  const progress = new ProgressLine(!quiet, kind)
  const totalBytes = ranges.reduce((sum, range) => sum + length(range), 0)
  const tell = (text: string): void => {
    progress.clear()
    process.stderr.write(`${text}\n`)
  }
  let bytesRead = 0
  let count = 0
  let kept = 0
  try {
    for (const range of ranges) {
      signal.throwIfAborted()
      const before = await folder.find(range)
      if (before) kept++
      const trailer = before ?? (await folder.write(range, readRange(range, { jobs, signal, tell })))
      bytesRead += length(range)
      count += trailer.records
      progress.update({ bytesRead, totalBytes }, count)
    }
  } finally {
    progress.clear()
  }
  const totals = await folder.finish(ranges)
  if (stats) {
    tell(
      `${totals.parts} parts (${kept} of them from before), ${totals.records.toLocaleString('en')} ${kind}, ${totals.bytes.toLocaleString('en')} bytes`,
    )
  }
  if (totals.faults > 0) throw new FaultFound(undefined)
}

function length({ start, end }: PlannedRange): number {
  return end - start
}
