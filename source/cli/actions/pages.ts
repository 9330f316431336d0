// What `xylem pages` and `xylem revisions` do: dumps to records, one a line.

import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import { ELEMENTS } from '../../mediawiki/shape/fields.ts'
import { ExitCode, InputError, UsageError } from '../errors/errors.ts'
import { findInputs } from '../inputs/inputs.ts'
import type { OpenInput } from '../inputs/read-inputs.ts'
import { type DumpCommandOptions, type GivenOptions, requireRecordOptions } from '../options/dump-options.ts'
import { requireFormatOptions } from '../options/format-options.ts'
import { listFiles, readLists } from '../options/list-options.ts'
import { guessFormat, requireFolderName, requireRecordsName } from '../output/file-formats.ts'
import { findMissing, reportMissing, requireGood } from '../output/findings.ts'
import { type Batch, writeBatches } from '../output/write-batches.ts'
import { ask } from '../read/ask.ts'
import { noteFaults } from '../read/fault-handler.ts'
import { type InputOptions, InputReader } from '../read/input-reader.ts'
import { requireAddedFields } from '../read/pages.ts'
import type { Asked, RecordCounts, Request } from '../read/question.ts'
import { describeUse, RANGE_SIZE } from '../read/range-sizes.ts'
import { MOST_DIFFERENCES } from '../read/verdicts.ts'
import { tell, tellAll } from '../terminal/terminal.ts'
import { alignNames } from '../terminal/word-list.ts'

/** Reads the dumps and writes their records. */
export async function runDumpCommand(
  kind: RecordKind,
  names: readonly string[],
  given: GivenOptions<DumpCommandOptions>,
  signal: AbortSignal,
): Promise<void> {
  requireRecordOptions(kind, given)
  requireAddedFields(kind, given)
  if (given.rangeSize !== undefined && !given.resume)
    throw new UsageError('--range-size sets the size of the parts that --resume writes; use it together with --resume')
  if (given.verifyInputs && !given.resume)
    throw new UsageError('--verify-inputs is about parts of earlier runs; use it together with --resume')
  if (given.maxInput !== undefined && given.resume)
    throw new UsageError(
      '--max-input counts all of a dump; it cannot be used together with --resume, which reads ranges',
    )
  if (given.resume) requireFolderName(given.output, given.format ?? 'jsonl', `${kind} --resume`)
  else requireRecordsName(given.output, given.format, kind)
  const format = given.format ?? (given.resume ? 'jsonl' : guessFormat(given.output))
  const written = requireFormatOptions(format, given)
  const inputs = await findInputs(names)
  const options = await readLists({ ...given, written }, signal)
  if (options.resume) {
    const { runResumably } = await import('../plan/resumable-job.ts')
    return await runResumably(kind, inputs, options, signal)
  }
  const { verify, stats } = options
  const request = { format, question: { ...options, kind }, verify, counts: stats && ('all' as const) }
  const { fields, report } = await ask(request)
  const describe = stats && (await measure())
  const found = await writeBatches({
    inputs,
    format,
    fields,
    setup: written,
    noun: kind,
    options,
    otherPaths: listFiles(given),
    signal,
    read: (input, limit, signal) => readDump(input, request, { jobs: options.jobs, limit, signal }, report),
    advise: async () => (await import('../inputs/other-xml.ts')).adviseOnLogs(inputs, signal),
    report: (records, advice) => {
      const missing = findMissing(options, { ...report.data, records })
      return reportMissing(kind, { records, missing }, options, advice)
    },
  })
  if (describe) tellAll(describe(report.data, found.bytesRead))
  tellAll(report.say())
  const { faults = 0, verification } = report.data
  if (faults > 0 || (verification?.counts.different ?? 0) > 0) requireGood(ExitCode.FAULTS)
  requireGood(found.exitCode)
}

/** The records of a dump. With `--verify`, texts that differ are said. */
async function* readDump(
  input: OpenInput,
  request: Request,
  options: Omit<InputOptions, 'rangeSize'>,
  total: Asked['report'],
): AsyncGenerator<Batch, void, undefined> {
  const asked = await ask(request, noteFaults(input.name, total))
  const known = total.read('verification')?.different.length ?? 0
  let told = 0
  const tellDifferences = () => {
    const { different = [] } = asked.report.read('verification') ?? {}
    for (const id of different.slice(told, MOST_DIFFERENCES - known))
      tell(`revision ${id ?? 'without an id'}: the text does not match its size or hash in the dump`)
    const isLast = known + told < MOST_DIFFERENCES && known + different.length >= MOST_DIFFERENCES
    if (isLast) tell('further differences are counted but not listed')
    told = different.length
  }
  try {
    for await (const batch of new InputReader(input, asked, { ...options, rangeSize: RANGE_SIZE }).batches()) {
      tellDifferences()
      yield batch
    }
  } catch (error) {
    // A text with elements in it is not the one that the dump describes.
    const isDifferent = request.verify && error instanceof Error && error.message.includes(ELEMENTS)
    throw isDifferent ? new InputError(input.name, error, ExitCode.FAULTS) : error
  } finally {
    tellDifferences()
    total.add(asked.report.data)
  }
}

/** Measures from here on the time, and how late the event loop is. What it returns describes that, with what was counted, in lines. */
async function measure(): Promise<(counts: Partial<RecordCounts>, bytesRead: number) => string[]> {
  const { monitorEventLoopDelay } = await import('node:perf_hooks')
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const start = performance.now()
  return (counts, bytesRead) => {
    const seconds = (performance.now() - start) / 1000
    delay.disable()
    const megabytes = bytesRead / 1e6
    const count = (name: 'pages' | 'revisions' | 'redirects' | 'missingTexts' | 'suppressed' | 'replaced' | 'faults') =>
      (counts[name] ?? 0).toLocaleString('en')
    return alignNames([
      ['pages', count('pages')],
      ['revisions', count('revisions')],
      ['redirects', count('redirects')],
      ['texts missing', `${count('missingTexts')} (empty in the dump, but with a size above 0)`],
      ['suppressed', count('suppressed')],
      ['characters replaced', count('replaced')],
      ['errors skipped', count('faults')],
      ...describeUse(counts),
      ['read', `${megabytes.toFixed(1)} MB in ${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(1)} MB/s`],
      ['memory', `${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB at the peak`],
      [
        'event loop',
        `${(delay.max / 1e6).toFixed(0)} ms late at most, ${(delay.mean / 1e6).toFixed(0)} ms in the mean`,
      ],
    ])
  }
}
