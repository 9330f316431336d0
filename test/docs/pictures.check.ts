import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { drawBenchmarks } from '../../scripts/draw-benchmarks.ts'
import { recordTerminal } from '../../scripts/record-terminal.ts'
import { parseXml } from '../../source/xml/tree/parse-xml.ts'
import { readPage, root } from '../support/markdown.ts'

// After a change that is meant, `npm run check:language -- --update` draws them again.
describe('the pictures of the README', () => {
  test.each([
    ['docs/terminal.svg', recordTerminal],
    ['docs/benchmarks.svg', drawBenchmarks],
  ])('%s shows what is really printed and recorded, as well-formed XML', async (path, draw) => {
    const picture = draw()
    await expect(picture).toMatchFileSnapshot(join(root, path))
    expect(parseXml(picture).root.childText('title')).not.toBe('')
    expect(readPage('README.md')).toContain(`](${path})`)
  })
})

const read = (name: string) => JSON.parse(readFileSync(join(root, `scripts/bench/record/${name}.json`), 'utf8'))
const { measurements } = read('xml') as { measurements: Measured<{ use: string; seconds: number[] }>[] }
const { figures } = read('dump') as { figures: Record<string, { rate: number }> }
const { recognizing } = read('grammar') as { recognizing: Measured<{ samples: { seconds: number }[] }>[] }
type Measured<What> = What & { readonly engine: string; readonly input: string; readonly bytes: number }

/** MB/s for one use of a dump, by the best run. */
function rateOfXml(use: string, engine: string): number {
  const found = measurements.find((one) => one.use === use && one.engine === engine && one.input === 'dump')
  return found ? found.bytes / 1e6 / Math.min(...found.seconds) : Number.NaN
}

const rateOfDump = (figure: string): number => figures[figure]?.rate ?? Number.NaN

/** MB/s of recognising 1 MB of log lines, by the median. */
function rateOfLog(engine: string): number {
  const found = recognizing.find((one) => one.engine === engine && one.input === 'log' && one.bytes > 1e6)
  const seconds = found?.samples.map((sample) => sample.seconds).sort((a, b) => a - b) ?? []
  return (found?.bytes ?? Number.NaN) / 1e6 / (seconds[Math.floor(seconds.length / 2)] ?? Number.NaN)
}

const ofXml = (use: string, engines: readonly string[]) =>
  engines.map((engine) => [engine, rateOfXml(use, engine)] as const)

describe('the table of speeds in the README', () => {
  test.each<[job: string, ours: number, others: readonly (readonly [name: string, rate: number])[]]>([
    [
      'pages of a dump to JSON lines',
      rateOfDump('xylem pages, plain'),
      [
        ["Python's iterparse", rateOfDump('python iterparse')],
        ['dumpster-dip', rateOfDump('dumpster-dip, reader')],
      ],
    ],
    [
      'three fields of each record of an XML file of 1 GB',
      rateOfXml('records', 'xylem'),
      ofXml('records', ['saxes', 'htmlparser2', 'sax', 'fast-xml-parser']),
    ],
    [
      'checking that XML of 1 GB is well-formed',
      rateOfXml('check', 'xylem'),
      ofXml('check', ['xmlwf', 'xmllint', 'saxes']),
    ],
    [
      'decompressing bzip2 on two threads',
      rateOfDump('xylem-2 (bare)'),
      [
        ['lbzip2', rateOfDump('lbzip2 -dc -n2')],
        ['bzip2', rateOfDump('bzip2 -dc')],
        ['unbzip2-stream', rateOfDump('unbzip2-stream (bare)')],
      ],
    ],
    [
      'recognising 1 MB of log lines by a grammar',
      rateOfLog('xylem'),
      ['peggy', 'nearley'].map((engine) => [engine, rateOfLog(engine)] as const),
    ],
  ])('has the recorded figures for %s', (job, ours, others) => {
    const row = readPage('README.md')
      .split('\n')
      .find((line) => line.startsWith(`| ${job} |`))
    const format = (rate: number) => Math.round(rate).toLocaleString('en')
    expect(row).toContain(`| ${format(ours)} |`)
    const said = row?.split('|')[3]?.replace('on one thread ', '').trim().split(/[,;] /)
    expect(said).toEqual(others.map(([name, rate]) => `${name} ${format(rate)}`))
  })
})
