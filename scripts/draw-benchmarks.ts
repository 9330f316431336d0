// Writes docs/benchmarks.svg, the chart of the README, from the records that the benchmarks left.
//
//   npx tsx scripts/draw-benchmarks.ts

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BarGroup, drawBarChart } from './pictures/bar-chart.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface XmlRecord {
  /** Tools that accept documents that are not well-formed. */
  readonly credulous: readonly string[]
  readonly measurements: readonly {
    readonly use: string
    readonly engine: string
    readonly input: string
    readonly bytes: number
    readonly seconds: readonly number[]
  }[]
}

interface DumpRecord {
  readonly figures: Readonly<Record<string, { readonly rate: number }>>
}

/** What stands in a record without being a tool that somebody would use. */
const NOT_TOOLS = new Set(['reading alone', 'strings alone', 'xylem, no namespaces', 'xylem, whole elements'])

const DUMP_TOOLS: Readonly<Record<string, string>> = {
  xylem: 'xylem pages, plain',
  'Python iterparse': 'python iterparse',
  'dumpster-dip': 'dumpster-dip, reader',
}

export function drawBenchmarks(): string {
  const xml = readRecord<XmlRecord>('xml')
  const { figures } = readRecord<DumpRecord>('dump')
  const toolBars = Object.entries(DUMP_TOOLS).map(([name, figure]) => {
    const measured = figures[figure]
    if (!measured) throw new Error(`the record of dump has no figure ${figure}`)
    return { name, value: measured.rate, isOurs: name === 'xylem' }
  })
  const groups: BarGroup[] = [
    { title: 'Pages of a Wikipedia dump as records', bars: sort(toolBars) },
    { title: 'Three fields of each record of an XML file', bars: ratesOf(xml, 'records') },
    { title: 'Checking that XML is well-formed', bars: ratesOf(xml, 'check') },
  ]
  return drawBarChart(
    groups,
    'MB/s of XML, more is better',
    'Speed of xylem and of other tools',
    'scripts/draw-benchmarks.ts',
  )
}

/** MB/s of each tool for one use of a dump, by its best run. */
function ratesOf({ measurements, credulous }: XmlRecord, use: 'check' | 'records'): BarGroup['bars'] {
  // What accepts anything does not check.
  const left = new Set([...NOT_TOOLS, ...(use === 'check' ? credulous : [])])
  const wanted = measurements.filter((one) => one.use === use && one.input === 'dump' && !left.has(one.engine))
  return sort(
    wanted.map(({ engine, bytes, seconds }) => {
      return { name: engine, value: bytes / 1e6 / Math.min(...seconds), isOurs: engine === 'xylem' }
    }),
  )
}

function sort(bars: BarGroup['bars']): BarGroup['bars'] {
  return [...bars].sort((one, other) => other.value - one.value)
}

function readRecord<Content>(name: string): Content {
  return JSON.parse(readFileSync(`${root}scripts/bench/record/${name}.json`, 'utf8')) as Content
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(`${root}docs/benchmarks.svg`, drawBenchmarks())
