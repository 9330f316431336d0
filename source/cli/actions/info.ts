// What `xylem info` does: tells of dumps from their first bytes.

import { type Compression, detectCompression, LONGEST_SIGNATURE } from '../../compression/detect.ts'
import { CompressionError } from '../../compression/errors.ts'
import { readDump } from '../../mediawiki/dump-reader.ts'
import type { SiteInfo } from '../../mediawiki/shape/site-info.ts'
import { SourceError } from '../../stream/errors.ts'
import { formatJson } from '../../text/json.ts'
import { ExitCode, InputError } from '../errors/errors.ts'
import type { Input, InputSource } from '../inputs/inputs.ts'
import { judgeInputs } from '../inputs/read-inputs.ts'
import { openOutput } from '../output/output.ts'
import { escapeLine } from '../terminal/terminal.ts'

interface InfoOptions {
  json?: true
  jobs: number
}

/** What is told of a dump. */
interface DumpInfo {
  file: string
  /** Absent where it is not known: of a stream that is longer than the sample. */
  bytes?: number
  compression: Compression
  site: SiteInfo
  /** From the beginning of the dump; absent where that is too short to tell, or the size of the dump is not known. */
  estimate?: { pages: number; xmlBytes: number }
}

/** Codes of what is wrong where a sample is cut off. */
const ENDINGS = ['truncated', 'unexpected-end']
/** Compressed bytes that are read for the estimate. */
const SAMPLE = 16 * 1024 * 1024

/** Prints what dumps are. */
export async function describeDumps(
  dumps: readonly string[],
  options: InfoOptions,
  signal: AbortSignal,
): Promise<void> {
  const output = await openOutput(undefined, undefined, signal)
  let separator = ''
  await judgeInputs(dumps, signal, async (input) => {
    const { info, fault } = await inspect(input, options, signal)
    await output.write(options.json ? `${formatJson(info)}\n` : separator + describe(info))
    separator = '\n'
    if (fault !== undefined) throw new InputError(input.name, fault)
    return ExitCode.GOOD
  })
}

/** What `info` prints of a dump, and the error that it reports after that. */
async function inspect(
  input: Input,
  { jobs }: InfoOptions,
  signal: AbortSignal,
): Promise<{ readonly info: DumpInfo; readonly fault: unknown }> {
  const faults: { readonly code: string }[] = []
  try {
    const sample = new Sample(input.open(signal), SAMPLE)
    // A sample is cut off, and a dump may be faulty further on.
    const reader = readDump(sample, { signal, threads: jobs, onFault: (fault) => faults.push(fault) })
    const site = await reader.siteInfo
    let pages = 0
    let end = 0
    try {
      for await (const place of reader.pageStarts()) {
        pages++
        end = place.end
      }
    } catch (error) {
      if (!isTruncated(error)) throw error
      faults.push(error.cause)
    }
    const fault = faults.find(({ code }) => !sample.isCut || !ENDINGS.includes(code))
    const { size: bytes, compression } = sample
    const info: DumpInfo = { file: input.name, ...(bytes !== undefined && { bytes }), compression, site }
    const share = (bytes ?? 0) / Math.max(sample.bytesRead, 1)
    if (pages > 0 && bytes !== undefined)
      info.estimate = { pages: Math.round(pages * share), xmlBytes: Math.round(end * share) }
    return { info, fault }
  } catch (error) {
    // What begins with a fault tells nothing of its wiki because of that.
    throw new InputError(input.name, faults[0] ?? error)
  }
}

/** Whether a source has failed because compressed data ends too soon. */
function isTruncated(error: unknown): error is { readonly cause: CompressionError } {
  return error instanceof SourceError && error.cause instanceof CompressionError && error.cause.code === 'truncated'
}

/** The first bytes of a source. */
class Sample implements AsyncIterable<Uint8Array> {
  readonly #source: InputSource
  readonly #length: number
  #head = new Uint8Array(0)
  #isComplete = false
  /** Whether there is more than the sample, as far as it is known. */
  isCut = false
  bytesRead = 0

  constructor(source: InputSource, length: number) {
    this.#source = source
    this.#length = length
  }

  /** Of the complete source, as far as it is known. */
  get size(): number | undefined {
    return this.#isComplete ? this.bytesRead : this.#source.progress.totalBytes
  }

  get compression(): Compression {
    return detectCompression(this.#head)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.#source) {
      const piece = chunk.subarray(0, this.#length - this.bytesRead)
      this.isCut = piece.length < chunk.length
      if (this.#head.length < LONGEST_SIGNATURE)
        this.#head = Uint8Array.of(...this.#head, ...piece.subarray(0, LONGEST_SIGNATURE))
      this.bytesRead += piece.length
      yield piece
      if (this.isCut) return
    }
    this.#isComplete = true
  }
}

function describe({ file, bytes, compression, site, estimate }: DumpInfo): string {
  const { siteName, dbName, base, generator, version, language, namespaces } = site
  const isWhole = bytes !== undefined && bytes <= SAMPLE
  const lines: [string, string | undefined][] = [
    ['file', file],
    ['size', bytes === undefined ? 'unknown' : describeSize(bytes)],
    ['compression', compression],
    ['site', siteName],
    ['database', dbName],
    ['language', language],
    ['main page', base],
    ['generator', generator],
    ['schema', version],
    ['pages', estimate && `${isWhole ? '' : 'about '}${estimate.pages.toLocaleString('en')}`],
    ['XML', estimate && `about ${describeSize(estimate.xmlBytes)}`],
    ['namespaces', namespaces.map(({ key, name }) => `${key} ${name}`.trimEnd()).join(', ') || undefined],
  ]
  return lines
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(12)}${escapeLine(value)}\n`]))
    .join('')
}

function describeSize(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
