// What `xylem read` does: reads one range of a plan.

import { type FormatName, formatNames } from '../../record/format/index.ts'
import { XmlError } from '../../xml/errors/errors.ts'
import { ExitCode, InputError, ReportedError, UsageError } from '../errors/errors.ts'
import { readSmallInput } from '../inputs/read-inputs.ts'
import { requireFolderName } from '../output/file-formats.ts'
import { isStandardOutput, openOutput } from '../output/output.ts'
import { PartFolder } from '../plan/part-folder.ts'
import { formatOf, type PlannedRange, parseRange } from '../plan/plan.ts'
import { findStart, type RangeJobOptions, type RangeTrailer, readRange } from '../plan/range-job.ts'
import { sealObject } from '../plan/seal.ts'
import { outcome } from '../terminal/outcome.ts'
import { markOfParent, takeFirstLine } from '../terminal/parent.ts'
import { tell } from '../terminal/terminal.ts'

interface ReadOptions {
  output?: string
  jobs: number
}

export async function readPlanned(line: string, { output, jobs }: ReadOptions, signal: AbortSignal): Promise<void> {
  const range = parseRange(line === '-' ? await readLine(signal) : line)
  requireFolderName(output, formatOf(range), 'read --output')
  const options = { jobs, signal, tell }
  const toOutput = output === undefined || isStandardOutput(output)
  if (toOutput) requireLines(formatOf(range))
  const trailer = toOutput ? await print(readRange(range, options), signal) : await commit(range, output, options)
  Object.assign(outcome(), { rows: trailer.records, range: sealObject(trailer) })
  if (trailer.faults > 0) throw new ReportedError(ExitCode.FAULTS)
}

/** The range on standard input. A program that starts xylem keeps that open, and gives nothing but a line. */
async function readLine(signal: AbortSignal): Promise<string> {
  if (markOfParent() === undefined) return new TextDecoder().decode((await readSmallInput('-', signal)).bytes)
  return await takeFirstLine(signal)
}

/** Throws a `UsageError` for a format that a last line with the trailer would damage. */
function requireLines(format: FormatName): void {
  if (markOfParent() !== undefined || !formatNames('columns').includes(format)) return
  throw new UsageError(
    `cannot print ${format}, because a line with the trailer follows on standard output; use --output`,
  )
}

async function print(pieces: ReturnType<typeof readRange>, signal: AbortSignal): Promise<RangeTrailer> {
  const output = await openOutput(undefined, undefined, signal)
  try {
    let next = await pieces.next()
    for (; !next.done; next = await pieces.next()) await output.write(next.value)
    const { value: trailer } = next
    if (markOfParent() === undefined) await output.write(`${JSON.stringify({ trailer })}\n`)
    return trailer
  } finally {
    await pieces.return(undefined as never)
  }
}

async function commit(range: PlannedRange, path: string, options: RangeJobOptions): Promise<RangeTrailer> {
  const folder = new PartFolder(path)
  await folder.open()
  return (await folder.find(range)) ?? (await writePart(folder, range, options))
}

async function writePart(folder: PartFolder, range: PlannedRange, options: RangeJobOptions): Promise<RangeTrailer> {
  try {
    return await folder.write(range, readRange(range, options))
  } catch (error) {
    const isOfDocument = error instanceof InputError && error.cause instanceof XmlError
    const { question } = range
    if (question.kind !== 'records' || range.start === 0 || range.cut || !isOfDocument) throw error
    // The range may begin in something that only looks like a record, such as a comment.
    const from = await findStart(range, question, options)
    return await folder.write(range, readRange(range, { ...options, from }))
  }
}
