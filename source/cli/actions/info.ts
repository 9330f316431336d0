// What `xylem info` does: tells of a dump from its first bytes.

import { stat } from 'node:fs/promises'
import { type Compression, detectCompression, LONGEST_SIGNATURE } from '../../compression/detect.ts'
import { readDump } from '../../mediawiki/dump-reader.ts'
import type { SiteInfo } from '../../mediawiki/site-info.ts'
import { FileSource } from '../../stream/sources/node.ts'
import type { InfoOptions } from '../commands/info.ts'
import { defaultJobs } from '../dump-options.ts'
import { InputError } from '../errors.ts'
import { formatJsonLine } from '../output/json-lines.ts'
import { readHead } from '../read-head.ts'
import { escapeLine } from '../terminal.ts'

/** What is told of a dump. */
interface DumpInfo {
  file: string
  bytes: number
  compression: Compression
  site: SiteInfo
  /** From the beginning of the dump; absent where that is too short to tell. */
  estimate?: { pages: number; xmlBytes: number }
}

/** Compressed bytes that are read for the estimate. */
const SAMPLE = 16 * 1024 * 1024

/** Prints what a dump is. */
export async function printInfo(dump: string, { json }: InfoOptions, signal: AbortSignal): Promise<void> {
  const info = await inspect(dump, signal)
  process.stdout.write(json ? formatJsonLine(info) : describe(info))
}

async function inspect(file: string, signal: AbortSignal): Promise<DumpInfo> {
  const faults: unknown[] = []
  try {
    const { size: bytes } = await stat(file)
    const compression = detectCompression(await readHead(file, LONGEST_SIGNATURE))
    const reader = readDump(new FileSource(file, { end: Math.min(bytes, SAMPLE) }), {
      signal,
      threads: defaultJobs(),
      // A sample is cut off, and a dump may be faulty further on.
      onFault: (fault) => faults.push(fault),
    })
    const site = await reader.siteInfo
    let pages = 0
    let end = 0
    for await (const place of reader.places()) {
      pages++
      end = place.end
    }
    const { bytesRead } = reader.progress
    const share = bytes / Math.max(bytesRead, 1)
    const info: DumpInfo = { file, bytes, compression, site }
    if (pages > 0) info.estimate = { pages: Math.round(pages * share), xmlBytes: Math.round(end * share) }
    return info
  } catch (error) {
    // What begins with a fault tells nothing of its wiki because of that.
    throw new InputError(file, faults[0] ?? error)
  }
}

function describe({ file, bytes, compression, site, estimate }: DumpInfo): string {
  const { siteName, dbName, base, generator, version, language, namespaces } = site
  const isWhole = bytes <= SAMPLE
  const lines: [string, string | undefined][] = [
    ['file', file],
    ['size', describeSize(bytes)],
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
