// What `xylem index` does: writes where the pages of a dump are.

import { buildIndex, makeIndexHead } from '../../mediawiki/index-builder.ts'
import { formatIndexEnd, formatIndexEntry, formatIndexHead } from '../../mediawiki/index-format.ts'
import { FileSource } from '../../stream/sources/node.ts'
import type { IndexOptions } from '../commands/index.ts'
import { InputError } from '../errors.ts'
import { nameFaults } from '../input.ts'
import { writeOutput } from '../output/output.ts'
import { ProgressLine } from '../progress.ts'

/** Lines that are put together before they are written. */
const BATCH = 1000

export async function writeIndex(dump: string, options: IndexOptions, signal: AbortSignal): Promise<void> {
  const { output: path = `${dump}.index`, jobs, maxRetained, quiet } = options
  const source = new FileSource(dump)
  const head = await makeIndexHead(source).catch((error) => {
    throw new InputError(dump, error)
  })
  const entries = nameFaults(dump, buildIndex(source, { signal, threads: jobs, limits: { maxRetained } }))
  const progress = new ProgressLine(!quiet && (path !== '-' || !process.stdout.isTTY))
  try {
    let next = await entries.next()
    await writeOutput(path === '-' ? undefined : path, dump, signal, async (output) => {
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
