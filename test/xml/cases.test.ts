// The case files of XML (test/support/xml-cases.ts says how they are written), read in every way that there is.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { XmlError } from '../../source/xml/errors/errors.ts'
import { parseXml, readXml, type XmlOptions } from '../../source/xml/index.ts'
import type { XmlNode } from '../../source/xml/tree/element.ts'
import { sample } from '../support/extent.ts'
import { piecesOf, type Reading, read } from '../support/xml.ts'
import { parseCases, type XmlCase } from '../support/xml-cases.ts'

const folder = new URL('cases/', import.meta.url)
const WAYS = ['parseXml', 'select', 'check'] as const

/** What a case says, from what was read. */
function describeReading({ events, places, error }: Reading): string[] {
  const lines = events.map((event, i) => `${places[i]} ${event}`)
  return error ? [...lines, `error: ${error.code}`, error.message] : lines
}

/** Events without what trees do not have: declarations, what stands round the root, and how an empty element and a section are written. */
function contentOf(events: readonly string[]): string[] {
  const start = events.findIndex((event) => /^<[^!?]/.test(event))
  const end = events.findLastIndex((event) => event.startsWith('</'))
  return events.slice(start, end + 1).map((event) => event.replace(/^(<[^!?].*)\/>$/s, '$1>'))
}

/** A tree in the words of events. */
function describeNode(node: XmlNode): string[] {
  if (node.type === 'text') return [JSON.stringify(node.text)]
  if (node.type === 'comment') return [`<!--${node.text}-->`]
  if (node.type === 'instruction') return [`<?${node.target} ${node.data}?>`]
  const attributes = Array.from(node.attributes, ([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('')
  return [`<${node.name}${attributes}>`, ...node.children.flatMap(describeNode), `</${node.name}>`]
}

/** What a way gives of a document: its root in the words of events, nothing for a check, or the error. */
async function readBy(way: (typeof WAYS)[number], bytes: Uint8Array, options: XmlOptions, size: number) {
  try {
    if (way === 'parseXml') return describeNode(parseXml(bytes, options as Parameters<typeof parseXml>[1]).root)
    const reader = readXml(piecesOf(bytes, size), options)
    if (way === 'check') return await reader.check()
    const roots: string[] = []
    for await (const element of reader.select('/*')) roots.push(...describeNode(element))
    return roots
  } catch (error) {
    const { code, message, byteOffset, line, column } = error as XmlError
    return { code, message, byteOffset, line, column }
  }
}

async function run({ document, options: given, expected }: XmlCase): Promise<void> {
  const { bytes: _, files, cdata = false, ...rest } = given
  const options = { ...rest, ...(files && { resolve: ({ systemId }: { systemId: string }) => files[systemId] }) }
  const reading = await read(document, { ...options, cdata })
  expect(describeReading(reading)).toEqual(expected)
  const { error } = reading
  const refusal = error && {
    code: error.code,
    message: error.message,
    byteOffset: error.byteOffset,
    line: error.line,
    column: error.column,
  }
  const content = contentOf(cdata ? (await read(document, options)).events : reading.events)
  // A case that does not speak of namespaces is the same without them.
  for (const namespaces of rest.namespaces === undefined ? [true, false] : [rest.namespaces]) {
    for (const way of WAYS) {
      for (const size of sample([1, 3, 1 << 30], 2)) {
        const given = await readBy(way, document, { ...options, namespaces }, size)
        const wanted = way === 'check' ? undefined : content
        expect(given, `${way}, namespaces ${namespaces}, in pieces of ${size}`).toEqual(refusal ?? wanted)
      }
    }
  }
}

describe.each(readdirSync(folder))('%s', (file) => {
  const cases = parseCases(readFileSync(new URL(file, folder), 'utf8'))
  test.each(cases.map((one) => [one.title, one] as const))('%s', (_, one) => run(one))
})
