// What `xylem index` does: writes where the pages of dumps are.

import { buildIndex, makeIndexHead } from '../../mediawiki/multistream/index-builder.ts'
import { formatIndexEnd, formatIndexEntry, formatIndexHead } from '../../mediawiki/multistream/index-format.ts'
import { inInput, UsageError } from '../errors/errors.ts'
import { findInputs, type Input, openSeekable } from '../inputs/inputs.ts'
import { nameFaults } from '../inputs/read-inputs.ts'
import type { IndexOptions } from '../options/dump-options.ts'
import { requireFileName } from '../output/file-formats.ts'
import { writeOutput } from '../output/output.ts'
import { ProgressLine, showsProgress } from '../output/progress.ts'

/** Lines that are put together before they are written. */
const BATCH = 1000

export async function writeIndexes(
  dumps: readonly string[],
  options: IndexOptions,
  signal: AbortSignal,
): Promise<void> {
  requireFileName(options.output, ['index'], 'index')
  const inputs = await findInputs(dumps)
  if (options.output !== undefined && inputs.length > 1)
    throw new UsageError('--output names the index of one dump; without it, each dump gets an index of its own')
  const jobs = inputs.map((input) => ({
    input,
    source: openSeekable(input, 'an index finds pages in the middle of a dump', signal),
    output: options.output ?? placeIndex(input),
  }))
  for (const job of jobs) await writeIndex(job, options, signal)
}

/** An index that is to be written. */
interface IndexJob {
  readonly input: Input
  readonly source: ReturnType<typeof openSeekable>
  readonly output: string
}

/** The path of the index beside a dump. */
function placeIndex({ name, path }: Input): string {
  if (path === undefined) throw new UsageError(`the index of ${name} needs a name: use --output`)
  return `${path}.index`
}

async function writeIndex(
  { input: { name, path: inputPath }, source, output: path }: IndexJob,
  { jobs, maxRetained, maxInput, quiet }: IndexOptions,
  signal: AbortSignal,
): Promise<void> {
  const head = await inInput(name, () => makeIndexHead(source))
  const entries = nameFaults(name, buildIndex(source, { signal, threads: jobs, limits: { maxRetained, maxInput } }))
  const progress = new ProgressLine(showsProgress({ quiet, output: path }))
  try {
    let next = await entries.next()
    await writeOutput(path, inputPath, signal, async (output) => {
      let text = formatIndexHead(head)
      let count = 0
      try {
        for (; !next.done; next = await entries.next()) {
          text += formatIndexEntry(next.value)
          if (++count % BATCH > 0) continue
          await output.write(text)
          text = ''
          progress.update(source.progress, count)
        }
        text += formatIndexEnd(count)
      } finally {
        await output.write(text)
      }
    })
  } finally {
    progress.clear()
    await entries.return(undefined)
  }
}
