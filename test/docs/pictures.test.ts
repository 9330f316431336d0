import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { drawBenchmarks } from '../../scripts/draw-benchmarks.ts'
import { recordTerminal } from '../../scripts/record-terminal.ts'
import { parseXml } from '../../source/xml/document.ts'
import { readPage, root } from '../support/markdown.ts'

// After a change that is meant, `npx vitest run test/docs --update` draws them again.
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

describe('the table of speeds in the README', () => {
  const [table = ''] = readPage('README.md').match(/^\| job \| xylem .*?\n\n/ms) ?? []

  test('has no figure that is not recorded', () => {
    const figures = table.replace(/^\| [^|]* \|/gm, '').match(/\b[\d,]+\b/g) ?? []
    expect(figures.length).toBeGreaterThan(10)
    const recorded = recordedRates()
    for (const figure of figures.map((text) => Number(text.replaceAll(',', '')))) expect(recorded).toContain(figure)
  })
})

/** MB/s of all measurements, rounded: of XML and dumps the best run, of grammars the median. */
function recordedRates(): Set<number> {
  const read = (name: string) => JSON.parse(readFileSync(join(root, `scripts/bench/record/${name}.json`), 'utf8'))
  const { measurements } = read('xml') as { measurements: { bytes: number; seconds: number[] }[] }
  const { figures } = read('dump') as { figures: Record<string, { rate: number }> }
  const { recognizing } = read('grammar') as { recognizing: { bytes: number; samples: { seconds: number }[] }[] }
  const rates = [
    ...measurements.map(({ bytes, seconds }) => bytes / 1e6 / Math.min(...seconds)),
    ...Object.values(figures).map(({ rate }) => rate),
    ...recognizing.map(({ bytes, samples }) => {
      const sorted = samples.map(({ seconds }) => seconds).sort((a, b) => a - b)
      return bytes / 1e6 / (sorted[Math.floor(sorted.length / 2)] as number)
    }),
  ]
  return new Set(rates.map(Math.round))
}
