// What `xylem read` does: reads one range of a plan.

import { ReportedError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { readSmallInput } from '../inputs/read-inputs.ts'
import { requireFolderName } from '../output/file-formats.ts'
import { isStandardOutput, openOutput } from '../output/output.ts'
import { PartFolder } from '../plan/part-folder.ts'
import { formatOf, type PlannedRange, parseRange } from '../plan/plan.ts'
import { readRange } from '../plan/range-job.ts'
import { tell } from '../terminal/terminal.ts'

interface ReadOptions {
  output?: string
  jobs: number
}

export async function readPlanned(line: string, { output, jobs }: ReadOptions, signal: AbortSignal): Promise<void> {
  const range = parseRange(line === '-' ? new TextDecoder().decode((await readSmallInput(line, signal)).bytes) : line)
  requireFolderName(output, formatOf(range), 'read --output')
  const pieces = readRange(range, { jobs, signal, tell })
  const faults =
    output === undefined || isStandardOutput(output) ? await print(pieces, signal) : await commit(range, output, pieces)
  if (faults > 0) throw new ReportedError(ExitCode.FAULTS)
}

type Pieces = ReturnType<typeof readRange>

async function print(pieces: Pieces, signal: AbortSignal): Promise<number> {
  const output = await openOutput(undefined, undefined, signal)
  try {
    let next = await pieces.next()
    for (; !next.done; next = await pieces.next()) await output.write(next.value)
    await output.write(`${JSON.stringify({ trailer: next.value })}\n`)
    return next.value.faults
  } finally {
    await pieces.return(undefined as never)
  }
}

async function commit(range: PlannedRange, path: string, pieces: Pieces): Promise<number> {
  const folder = new PartFolder(path)
  await folder.open()
  const trailer = (await folder.find(range)) ?? (await folder.write(range, pieces))
  return trailer.faults
}
