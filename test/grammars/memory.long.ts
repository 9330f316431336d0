import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { root } from '../support/markdown.ts'

const PIECES = [
  [
    'combined',
    '192.0.2.1 - frank [22/Nov/2026:12:00:00 +0000] "GET /wiki/größe HTTP/1.1" 200 2326 "https://example.org/" "curl/8.5.0"\n',
  ],
  ['csv', 'id,"größe, ""木""\n🌳",12.5,,\n'],
  ['json-lines', '{"name":"größe","height":12.5,"tags":["a","b"],"n":null}\n'],
  ['logfmt', 'at=info msg="größe \\"木\\"" flag empty= dur=3.2ms\n'],
  ['ntriples', '<http://example.org/ash> <http://example.org/label> "Gr\\u00F6ße"@de .\n'],
  ['syslog', '<165>1 2026-11-22T12:00:00.003Z web-1 app 8710 ID47 [a@1 x="y"] größe\n'],
  ['syslog-bsd', 'Nov 22 12:00:00 web-1 sshd[1291]: größe\n'],
] as const

/** Reads so many megabytes of an input made of the same piece over and over, as values or as lines of CSV; what was given, and the peak of memory in MB. */
function read(name: string, piece: string, how: 'values' | 'csv', megabytes: number): { given: number; peak: number } {
  const script = `
    import { Grammar } from 'xylem/grammar'
    const [text] = Object.values(await import('xylem/grammars/${name}'))
    const grammar = Grammar.from(text, { dialect: 'xylem' })
    const encoder = new TextEncoder()
    function* source() {
      const pieces = encoder.encode(${JSON.stringify(piece)}.repeat(1000))
      for (let written = 0; written < ${megabytes} * 1e6; written += pieces.length) yield pieces.slice()
    }
    let given = 0
    if ('${how}' === 'csv') for await (const { length } of grammar.lines(source(), { format: 'csv' })) given += length
    else for await (const batch of grammar.values(source()).batches()) given += batch.length
    console.log(JSON.stringify({ given, peak: process.resourceUsage().maxRSS / 1024 }))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' })
  return JSON.parse(printed) as { given: number; peak: number }
}

describe.each(PIECES)('@%s', (name, piece) => {
  // The logs of web servers are the longest.
  const most = name === 'combined' ? 1000 : 300

  test.each(['values', 'csv'] as const)(
    'takes as little memory for a long input as for a quarter of it, as %s',
    (how) => {
      const small = read(name, piece, how, most / 4)
      const large = read(name, piece, how, most)
      console.log(
        `@${name}, ${how}: ${small.peak.toFixed(0)} MB at ${most / 4} MB, ${large.peak.toFixed(0)} MB at ${most} MB`,
      )
      expect(large.given).toBeGreaterThan(3.9 * small.given)
      expect(large.peak).toBeLessThan(1.15 * small.peak + 20)
    },
  )
})
