// The dump tool: bzip2 against bzip2, lbzip2 and unbzip2-stream, pages to JSON lines against Python's iterparse, and time to the first page.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, inspect, time, timeFirstByte } from './dump/measure.ts'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseOptions, UsageError } from './options.ts'
import { formatNumber, formatTable, summarize, writeRecord } from './report.ts'
import { isInstalled } from './xml/measured-process.ts'

const HELP = `Usage: npm run bench -- dump --dump FILE.xml [options]

Options:
  --dump <file>   a dump that is not compressed, best of 500 MB and more; it is compressed by bzip2 once, into build/
  --runs <n>      runs of each; the best one counts (default 3)
  --json <file>   write the record

Every command's output is compared before anything is measured.`

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args, {
    help: { type: 'boolean' },
    dump: { type: 'string' },
    runs: { type: 'string' },
    json: { type: 'string' },
  })
  if (options.help) {
    console.log(HELP)
    return 0
  }
  if (options.dump === undefined) throw new UsageError('say which dump: --dump FILE.xml')
  const runs = parseCount('runs', options.runs, 3)
  const plain = options.dump
  const archive = compress(plain)
  const megabytes = statSync(plain).size / 1e6
  console.log(`${formatMachine(describeMachine())}\n${plain}: ${formatNumber(megabytes, 1)} MB, best of ${runs}\n`)

  const decompressors = listDecompressors(archive)
  const readers = listReaders(plain, archive)
  await compare(decompressors, readers)

  const figures: Record<string, { seconds: number; rate: number; peakMemory: number | undefined }> = {}
  const rows: string[][] = []
  for (const command of [...decompressors, ...readers]) {
    const timings = []
    for (let i = 0; i < runs; i++) timings.push(await time(command))
    const best = timings.reduce((one, other) => (other.seconds < one.seconds ? other : one))
    const rate = megabytes / best.seconds
    figures[command.name] = { ...best, rate }
    rows.push([command.name, formatNumber(best.seconds, 2), formatNumber(rate, 1), formatNumber(best.peakMemory, 0)])
  }
  console.log(formatTable(['', 'seconds', 'MB/s of XML', 'peak MB'], rows))

  const firstPages: Record<string, number> = {}
  for (const command of readers.filter(({ name }) => name.startsWith('xylem'))) {
    const times = []
    for (let i = 0; i < 5; i++) times.push(await timeFirstByte(command))
    firstPages[command.name] = summarize(times).median
  }
  const ratios = findRatios(figures)
  console.log(
    `\n${formatTable(
      ['', 'ratio'],
      Object.entries(ratios).map(([name, ratio]) => [name, formatNumber(ratio, 2)]),
    )}`,
  )
  console.log(
    `\n${formatTable(
      ['first page after', 'ms'],
      Object.entries(firstPages).map(([name, ms]) => [name, formatNumber(ms, 0)]),
    )}`,
  )
  if (options.json)
    await writeRecord(options.json, { machine: describeMachine(), megabytes, runs, figures, ratios, firstPages })
  return 0
}

function compress(plain: string): string {
  const folder = here('../../build/')
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, `bench-${statSync(plain).size}.xml.bz2`)
  if (!existsSync(archive))
    execFileSync('sh', ['-c', 'bzip2 -c "$1" > "$2.part" && mv "$2.part" "$2"', 'sh', plain, archive])
  return archive
}

function listDecompressors(archive: string): Command[] {
  const child = (engine: string): Command => ({
    name: `${engine} (bare)`,
    file: process.execPath,
    args: [here('./dump/decompress.mjs'), engine, archive],
  })
  const native: Command[] = [
    { name: 'bzip2 -dc', file: 'bzip2', args: ['-dc', archive] },
    { name: 'lbzip2 -dc -n1', file: 'lbzip2', args: ['-dc', '-n1', archive] },
    { name: 'lbzip2 -dc -n2', file: 'lbzip2', args: ['-dc', '-n2', archive] },
  ]
  return [
    child('xylem-1'),
    child('xylem-2'),
    child('unbzip2-stream'),
    ...native.filter(({ file }) => isInstalled(file)),
  ]
}

function listReaders(plain: string, archive: string): Command[] {
  const pages = (name: string, ...args: string[]): Command => ({
    name,
    file: process.execPath,
    args: [here('../../dist/cli.js'), 'pages', ...args, '--quiet'],
  })
  const python: Command = { name: 'python iterparse', file: 'python3', args: [here('./dump/iterparse.py'), plain] }
  const dumpster: Command = {
    name: 'dumpster-dip, reader',
    file: process.execPath,
    args: [here('./dump/dumpster.mjs'), plain],
  }
  return [
    pages('xylem pages, plain', plain, '--jobs', '1'),
    pages('xylem pages, plain, 2 jobs', plain, '--jobs', '2'),
    pages('xylem pages, bzip2, 1 job', archive, '--jobs', '1'),
    pages('xylem pages, bzip2, 2 jobs', archive, '--jobs', '2'),
    ...(isInstalled('python3') ? [python] : []),
    // No dependency of ours: npm install --no-save dumpster-dip
    ...(existsSync(here('../../node_modules/dumpster-dip')) ? [dumpster] : []),
  ]
}

/** All decompress to the same, and all readers find as many pages; those of xylem print the same. */
async function compare(decompressors: readonly Command[], readers: readonly Command[]): Promise<void> {
  const hashes = new Set<string>()
  for (const command of decompressors) hashes.add((await inspect(command)).hash)
  if (hashes.size > 1) throw new Error('the decompressors do not agree')
  const lines = new Set<number>()
  const outputs = new Set<string>()
  for (const command of readers) {
    const { lines: count, hash } = await inspect(command)
    lines.add(count)
    if (command.name.startsWith('xylem')) outputs.add(hash)
  }
  if (lines.size > 1 || outputs.size > 1) throw new Error('the readers do not agree')
  console.log(`the outputs agree: ${[...lines][0]} pages\n`)
}

function findRatios(figures: Record<string, { rate: number }>): Record<string, number> {
  const rate = (name: string) => figures[name]?.rate ?? Number.NaN
  const bare = rate('xylem-2 (bare)')
  const plain = rate('xylem pages, plain')
  const ratios = {
    'one thread : bzip2': rate('xylem-1 (bare)') / rate('bzip2 -dc'),
    'one thread : unbzip2-stream': rate('xylem-1 (bare)') / rate('unbzip2-stream (bare)'),
    'two threads : one thread': bare / rate('xylem-1 (bare)'),
    'two threads : lbzip2 -n2': bare / rate('lbzip2 -dc -n2'),
    'pages, plain : iterparse': plain / rate('python iterparse'),
    'pages, plain : dumpster-dip': plain / rate('dumpster-dip, reader'),
    'pages, plain, two jobs : one': rate('xylem pages, plain, 2 jobs') / plain,
    'pages, bzip2, 2 jobs : what two cores can': rate('xylem pages, bzip2, 2 jobs') * (1 / bare + 1 / (2 * plain)),
  }
  return Object.fromEntries(Object.entries(ratios).filter(([, ratio]) => !Number.isNaN(ratio)))
}
