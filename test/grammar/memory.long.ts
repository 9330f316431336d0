import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { fixturePath } from '../support/fixtures.ts'

/** Streams so many gigabytes of an input made of the same piece over and over; the nodes, and the peak of memory in MB. */
function streamLarge(language: string, emit: string, gigabytes: number): { nodes: number; peak: number } {
  const script = `
    import { readFileSync } from 'node:fs'
    import { Grammar } from 'xylem'
    const grammar = Grammar.from(readFileSync(${JSON.stringify(fixturePath('grammar'))} + '/${language}/${language}.bnf', 'utf8'))
    const [head, piece, tail] = ${JSON.stringify(PIECES[language])}
    const encoder = new TextEncoder()
    function* source() {
      yield head
      const pieces = encoder.encode(piece.repeat(1000))
      for (let written = 0; written < ${gigabytes} * 1e9; written += pieces.length) yield pieces.slice()
      yield tail
    }
    let nodes = 0
    let text = 0
    for await (const batch of grammar.stream(source(), { emit: '${emit}' }).batches()) {
      for (const node of batch) {
        nodes++
        text += node.text.length
      }
    }
    console.log(JSON.stringify({ nodes, text, peak: process.resourceUsage().maxRSS / 1024 }))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

const PIECES: Record<string, readonly [head: string, piece: string, tail: string]> = {
  log: ['', '2026-01-01T00:00:00Z INFO web-1 GET /wiki/größe 200 1234 "-" "curl/8.5.0"\n', ''],
  xml: ['<root>', '<page><title>größe</title><text xml:space="preserve">a &lt;b&gt; c</text></page>\n', '</root>'],
}

describe.each([
  ['log', 'entry'],
  ['xml', 'element'],
])('a grammar for %s', (language, emit) => {
  test('takes as little memory for 4 GB as for 1 GB', () => {
    const small = streamLarge(language, emit, 1)
    const large = streamLarge(language, emit, 4)
    console.log(`${language}: ${small.peak.toFixed(0)} MB at 1 GB, ${large.peak.toFixed(0)} MB at 4 GB`)
    expect(large.nodes).toBeGreaterThan(3.9 * small.nodes)
    expect(large.peak).toBeLessThan(1.1 * small.peak)
  })
})
