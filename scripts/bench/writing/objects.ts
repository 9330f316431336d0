// From text to a plain object: ours, fast-xml-parser and xml2js on one document of each size, and Bun's own where Bun is there.

import { deepStrictEqual } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { XMLParser } from 'fast-xml-parser'
import { Parser } from 'xml2js'
import { parseXml } from 'xylem/xml'
import { toObject } from 'xylem/xml/object'
import { summarize } from '../report.ts'

/** How fast a way is on a document. */
export interface ObjectFigure {
  readonly document: string
  readonly way: string
  /** Median in 10^6 bytes a second: of processors, or for Bun what its clock says. */
  readonly speed: number
  /** The median of the ratios of our speed to this one, of each round. */
  readonly ratio: number | undefined
  /** What the ratio should be at least. */
  readonly mark: number | undefined
}

/** Sizes in bytes, about, and how often a document is read in a turn. */
const SIZES: Readonly<Record<string, readonly [bytes: number, times: number]>> = {
  '300 B': [300, 10_000],
  '10 kB': [10_000, 400],
  '10 MB': [10_000_000, 1],
}
const MARK = 2

type Way = (text: string) => unknown

const fast = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false })
const ways: Readonly<Record<string, Way>> = {
  xylem: (text) => toObject(parseXml(text)),
  'fast-xml-parser': (text) => fast.parse(text),
  // It takes one document for each parser.
  xml2js: (text) => {
    let result: unknown
    new Parser({ explicitArray: false, mergeAttrs: true, charkey: '#text' }).parseString(text, (error, object) => {
      if (error) throw error
      result = object
    })
    return result
  },
}

/** Measures all ways in turns. Throws if they do not give the same. */
export function measureObjects(rounds: number): ObjectFigure[] {
  return Object.entries(SIZES).flatMap(([document, [bytes, times]]) => {
    const text = makeDocument(bytes)
    for (const way of Object.values(ways)) deepStrictEqual(plain(way(text)), plain(ways.xylem?.(text)))
    const seconds = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]))
    for (let round = -1; round < rounds; round++) {
      for (const [name, way] of Object.entries(ways)) {
        const before = process.cpuUsage()
        for (let i = 0; i < times; i++) way(text)
        const { user, system } = process.cpuUsage(before)
        if (round >= 0) seconds.get(name)?.push((user + system) / 1e6 / times)
      }
    }
    const ours = seconds.get('xylem') as number[]
    const figures = Array.from(seconds, ([way, taken]): ObjectFigure => {
      const ratio = summarize(taken.map((one, i) => one / (ours[i] as number))).median
      const isPeer = way !== 'xylem'
      return {
        document,
        way,
        speed: text.length / 1e6 / summarize(taken).median,
        ratio: isPeer ? ratio : undefined,
        mark: isPeer ? MARK : undefined,
      }
    })
    return [...figures, ...measureBun(document, text, times, rounds)]
  })
}

/** Entries of a feed, which differ. */
function makeDocument(bytes: number): string {
  let text = '<feed xml:lang="en">\n'
  for (let id = 1; text.length < bytes - 120; id++) {
    const body = `Ring ${id} is ${(id * 7) % 31} mm wide &amp; ${id % 2 ? 'light' : 'dark'}.`
    text += `  <entry id="${id}" kind="note"><title>Number ${id}</title><body>${body}</body></entry>\n`
  }
  return `${text}</feed>`
}

/** Attributes without their prefix, and names in one order. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [name.replace(/^@/, ''), plain(one)])
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** What Bun runs: the document comes as standard input. */
const IN_BUN = `
  const text = await Bun.stdin.text()
  const [times, rounds] = JSON.parse(process.env.XYLEM_BENCH)
  const seconds = []
  for (let round = -1; round < rounds; round++) {
    const start = performance.now()
    for (let i = 0; i < times; i++) Bun.XML.parse(text)
    if (round >= 0) seconds.push((performance.now() - start) / 1000 / times)
  }
  console.log(JSON.stringify(seconds))`

/** Nothing where there is no Bun that has it. */
function measureBun(document: string, text: string, times: number, rounds: number): ObjectFigure[] {
  const env = { ...process.env, XYLEM_BENCH: JSON.stringify([times, rounds]) }
  const { status, stdout } = spawnSync('bun', ['-e', IN_BUN], { input: text, env, encoding: 'utf8' })
  if (status !== 0) return []
  const seconds = summarize(JSON.parse(stdout) as number[]).median
  return [{ document, way: 'Bun.XML', speed: text.length / 1e6 / seconds, ratio: undefined, mark: undefined }]
}
