// The same reading in Chromium and in Node: checks, records and lines of a dump, from memory and from a local server, beside other parsers.
//
// Chromium, which must be installed, and Node take turns, and their answers are compared. A page starts cold for the first record of the dump.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { chromiumPath, launchBrowser } from '../../test/support/browser.ts'
import type { Run } from './browser/measure.ts'
import { tasks } from './browser/tasks.ts'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseOptions, UsageError } from './options.ts'
import { makeInput } from './records/inputs.ts'
import { formatNumber, formatTable, summarize, writeRecord } from './report.ts'

const USAGE = `Usage: npm run bench -- browser [options]

  --size MB     of the document (default 100)
  --runs N      runs for each figure (default 5)
  --dump FILE   a plain dump whose pages are repeated (default: the small one among the fixtures)
  --json FILE   where the record goes (default build/bench/browser.json)
  --help        this text

Exit code 1: an answer was wrong, or Chromium reached less than 0.7 of the throughput of Node.`

/** What Chromium is to reach of Node's throughput. */
const MARK = 0.7
/** Bytes of the document of which trees are made. */
const SMALL = 16e6
const MEGABYTE = 1e6

/** Medians, in megabytes a second. */
interface Figure {
  readonly task: string
  readonly engine: string
  readonly from: 'memory' | 'server'
  readonly chromium: number
  /** Undefined of what only browsers have. */
  readonly node: number | undefined
}

export async function run(args: string[]): Promise<number> {
  const options = parseOptions(args, {
    size: { type: 'string' },
    runs: { type: 'string' },
    dump: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  if (!chromiumPath) throw new UsageError('there is no Chromium on this machine: install the package chromium')
  const runs = parseCount('runs', options.runs, 5)
  const size = parseCount('size', options.size, 100) * MEGABYTE
  const dump = options.dump === undefined ? undefined : resolve(options.dump)
  if (dump !== undefined && !existsSync(dump)) throw new UsageError(`--dump: there is no file ${options.dump}`)
  const [document, small] = [await makeInput('dump', size, dump), await makeInput('dump', SMALL, dump)]
  const folder = mkdtempSync(join(tmpdir(), 'xylem-bench-'))
  let server: ChildProcess | undefined
  let browser: Browser | undefined
  try {
    await bundlePages(folder)
    const started = await startServer(folder, document, small)
    server = started.server
    browser = await launchBrowser()
    const machine = describeMachine()
    console.log(`${formatMachine(machine)}, Chromium ${browser.version()}, medians of ${runs}\n`)
    const place: Place = { browser, url: started.url, document, small }
    const figures = await measureTasks(place, runs)
    console.log(formatFigures(figures))
    const starts = await measureStarts(place, runs * 3)
    console.log(
      `\nFrom a cold page to the first record: xylem ${formatNumber(starts.xylem, 0)} ms, saxes ${formatNumber(starts.saxes, 0)} ms`,
    )
    const json = options.json ?? 'build/bench/browser.json'
    const bytes = statSync(document).size
    const date = new Date().toISOString()
    await writeRecord(resolve(json), {
      benchmark: 'browser',
      date,
      machine,
      chromium: browser.version(),
      bytes,
      runs,
      figures,
      starts,
    })
    console.log(`\nRecord: ${json}`)
    return figures.some(({ engine, node, chromium }) => engine === 'xylem' && chromium < MARK * (node ?? 0)) ? 1 : 0
  } finally {
    await browser?.close()
    server?.kill()
    rmSync(folder, { recursive: true })
  }
}

interface Place {
  readonly browser: Browser
  readonly url: string
  readonly document: string
  readonly small: string
}

/** What the server gives besides documents: all engines are bundled in the same way. */
async function bundlePages(folder: string): Promise<void> {
  const names = ['page', 'start-xylem', 'start-saxes']
  await build({
    entryPoints: names.map((name) => fileURLToPath(new URL(`browser/${name}.ts`, import.meta.url))),
    outdir: folder,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  for (const name of names) {
    const html = `<!doctype html><meta charset="utf-8"><title></title><script type="module" src="/${name}.js"></script>`
    writeFileSync(join(folder, `${name}.html`), html)
  }
  copyFileSync(findSaxWasm(), join(folder, 'sax-wasm.wasm'))
}

function findSaxWasm(): string {
  return createRequire(import.meta.url).resolve('sax-wasm/lib/sax-wasm.wasm')
}

async function startServer(...args: string[]): Promise<{ server: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL('browser/server.ts', import.meta.url))
  const server = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(server, 'exit').then(([code]) => {
    throw new Error(`the server ended with code ${code}`)
  })
  const [line] = (await Promise.race([once(server.stdout as NodeJS.ReadableStream, 'data'), exit])) as [Buffer]
  // It is ended when all is measured.
  exit.catch(() => {})
  return { server, url: line.toString().trim() }
}

/** Measures all tasks in turns. Throws an `Error` if an answer is not that of the others. */
async function measureTasks(place: Place, runs: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [index, task] of tasks.entries()) {
    for (const from of ['memory', 'server'] as const) {
      if (task.isWhole && from === 'server') continue
      const path = task.isWhole ? place.small : place.document
      const rate = (milliseconds: number) => statSync(path).size / MEGABYTE / (milliseconds / 1000)
      const there: number[] = []
      const here: number[] = []
      for (let turn = 0; turn < runs; turn++) {
        const inBrowser = await runInPage(place, index, from === 'memory', task.isWhole ? '/small' : '/document')
        const inNode = task.isWhole
          ? undefined
          : await runHere(index, from === 'memory' ? path : `${place.url}document`)
        if (inNode && !isDeepStrictEqual(inBrowser.answer, inNode.answer)) {
          const answers = [inBrowser, inNode].map(({ answer }) => JSON.stringify(answer))
          throw new Error(`${task.name} by ${task.engine}: Chromium finds ${answers[0]}, and Node ${answers[1]}`)
        }
        there.push(rate(inBrowser.milliseconds))
        if (inNode) here.push(rate(inNode.milliseconds))
      }
      const [chromium, node] = [there, here].map((rates) => (rates.length === 0 ? undefined : summarize(rates).median))
      figures.push({ task: task.name, engine: task.engine, from, chromium: chromium as number, node })
    }
  }
  return figures
}

async function runInPage(place: Place, index: number, isInMemory: boolean, address: string): Promise<Run> {
  const page = await place.browser.newPage()
  await page.goto(`${place.url}page.html`)
  await page.waitForFunction(() => 'runTask' in window)
  const job = [index, isInMemory, address] as const
  const run = await page.evaluate(([index, isInMemory, address]) => window.runTask(index, isInMemory, address), job)
  await page.close()
  return run
}

/** The same in a process of its own, as the page is one. `from` is a file or an address. */
async function runHere(index: number, from: string): Promise<Run> {
  const script = fileURLToPath(new URL('browser/child.ts', import.meta.url))
  const output = execFileSync(process.execPath, ['--import', 'tsx', script, String(index), from, findSaxWasm()])
  return JSON.parse(output.toString()) as Run
}

function formatFigures(figures: readonly Figure[]): string {
  const rows = figures.map(({ task, engine, from, chromium, node }) => [
    `${task}, ${engine}, from ${from}`,
    formatNumber(chromium, 0),
    formatNumber(node, 0),
    formatNumber(node && chromium / node, 2),
  ])
  return formatTable(['MB/s', 'Chromium', 'Node', 'ratio'], rows)
}

/** Medians of the milliseconds from the navigation of a cold page to its first record. */
async function measureStarts({ browser, url }: Place, runs: number): Promise<Record<'xylem' | 'saxes', number>> {
  const times = { xylem: [] as number[], saxes: [] as number[] }
  const titles = new Set<string>()
  for (let turn = 0; turn < runs; turn++) {
    for (const engine of ['xylem', 'saxes'] as const) {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(`${url}start-${engine}.html`)
      await page.waitForFunction(() => document.title !== '')
      const [time = '', ...title] = (await page.title()).split(' ')
      times[engine].push(Number(time))
      titles.add(title.join(' '))
      await context.close()
    }
  }
  if (titles.size !== 1) throw new Error(`the first records are not the same: ${[...titles].join(', ')}`)
  return { xylem: summarize(times.xylem).median, saxes: summarize(times.saxes).median }
}
