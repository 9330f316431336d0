// From what is in memory to a file: XmlWriter from events, and the builders of fast-xml-parser and xmlbuilder2 from what they take.

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { create } from 'xmlbuilder2'
import type { XMLBuilder as Node } from 'xmlbuilder2/lib/interfaces.js'
import { parseXml, readXml, type XmlEvent } from 'xylem/xml'
import { toXml, XmlWriter } from 'xylem/xml/write'
import { summarize } from '../report.ts'

/** How fast a way of writing is. */
export interface WriterFigure {
  readonly document: string
  readonly way: string
  /** Median in 10^6 bytes of the document a second of processors. */
  readonly speed: number
  /** The median of the ratios of our speed to this one, of each round; undefined for our own. */
  readonly ratio: number | undefined
  /** What the speed, or the ratio, should be at least. */
  readonly mark: number
}

const SPEED_MARK = 150
const RATIO_MARK = 2
/** Bytes of the document, about: what the builders can hold. */
const BYTES = 8_000_000
/** Rounds before those that count: what is measured is compiled by then. */
const WARM_UP = 3
const DOCUMENT = 'pages of 8 MB to a file'

/** Measures all ways in turns. Throws if they do not write the same. */
export async function measureWriters(rounds: number): Promise<WriterFigure[]> {
  const text = makeDocument(BYTES)
  const folder = mkdtempSync(join(tmpdir(), 'xylem-bench-'))
  const file = join(folder, 'written.xml')
  const ways = await makeWays(text, file)
  try {
    const expected = toXml(parseXml(text).root)
    const seconds = new Map<string, number[]>([...ways.keys()].map((name) => [name, []]))
    for (let round = -WARM_UP; round < rounds; round++) {
      for (const [name, way] of ways) {
        // To empty the file of the way before is no part of writing one.
        rmSync(file, { force: true })
        const before = process.cpuUsage()
        await way()
        const { user, system } = process.cpuUsage(before)
        if (round >= 0) seconds.get(name)?.push((user + system) / 1e6)
        else if (toXml(parseXml(readFileSync(file)).root) !== expected)
          throw new Error(`${name} has written another document`)
      }
    }
    const ours = seconds.get('XmlWriter') as number[]
    return Array.from(seconds, ([way, taken]): WriterFigure => {
      const ratio = summarize(taken.map((one, i) => one / (ours[i] as number))).median
      const speed = text.length / 1e6 / summarize(taken).median
      return way === 'XmlWriter'
        ? { document: DOCUMENT, way, speed, ratio: undefined, mark: SPEED_MARK }
        : { document: DOCUMENT, way, speed, ratio, mark: RATIO_MARK }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function makeWays(text: string, file: string): Promise<Map<string, () => Promise<void> | void>> {
  const events: XmlEvent[] = []
  for await (const batch of readXml(text).events().batches()) events.push(...batch)
  const options = {
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    trimValues: false,
    parseTagValue: false,
  }
  const object: unknown = new XMLParser(options).parse(text)
  const builder = new XMLBuilder({ ...options, suppressEmptyNode: true })
  return new Map<string, () => Promise<void> | void>([
    ['XmlWriter', () => writeEvents(events, file)],
    ['fast-xml-parser', () => writeFileSync(file, builder.build(object))],
    ['xmlbuilder2', () => writeFileSync(file, buildNodes(events))],
  ])
}

async function writeEvents(events: readonly XmlEvent[], file: string): Promise<void> {
  const writer = new XmlWriter()
  const output = openSync(file, 'w')
  const reading = (async () => {
    for await (const bytes of writer.readable) writeSync(output, bytes)
  })()
  for (const event of events) if (!writeEvent(writer, event)) await writer.ready
  writer.end()
  await reading
  closeSync(output)
}

function writeEvent(writer: XmlWriter, event: XmlEvent): boolean {
  switch (event.type) {
    case 'start':
      return writer.startElement(event.name, event.attributes)
    case 'end':
      return writer.endElement()
    case 'text':
      return writer.text(event.text)
    default:
      return writer.write(event)
  }
}

function buildNodes(events: readonly XmlEvent[]): string {
  const document = create()
  let node: Node = document
  for (const event of events) {
    if (event.type === 'start') node = node.ele(event.name, Object.fromEntries(event.attributes))
    else if (event.type === 'end') node = node.up()
    else if (event.type === 'text') node.txt(event.text)
  }
  return document.end({ headless: true })
}

/** Pages of a wiki, as a dump has them, each with some kilobyte of text. */
function makeDocument(bytes: number): string {
  let text = '<mediawiki version="0.11" xml:lang="en">\n'
  for (let id = 1; text.length < bytes; id++) {
    const sentence = `The [[ring ${id}]] is '''${(id * 7) % 31}''' mm wide, and older than those around it.&lt;ref&gt;{{cite|${id}}}&lt;/ref&gt; `
    const paragraph = `${sentence.repeat(4)}R &amp; D.\n\n`
    text += `  <page>\n    <title>Ring ${id}</title>\n    <ns>0</ns>\n    <id>${id}</id>\n    <revision>\n      <id>${id + 5}</id>\n`
    text += `      <timestamp>2026-01-01T00:00:00Z</timestamp>\n      <contributor>\n        <username>User ${id % 97}</username>\n        <id>${id % 97}</id>\n      </contributor>\n`
    text += `      <comment>grown</comment>\n      <text bytes="${paragraph.length}" xml:space="preserve">${paragraph.repeat(1 + (id % 4))}</text>\n    </revision>\n  </page>\n`
  }
  return `${text}</mediawiki>`
}
