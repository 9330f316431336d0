// The engine of this project: the built package, by its public names.

import { FileSource } from 'xylem/node'
import { readXml, type XmlElement, type XmlEvent } from 'xylem/xml'
import type { Engine, RecordKind } from './engine.ts'
import type { EventStrings } from './event-strings.ts'
import type { StringDigest } from './string-digest.ts'

const PATHS = { pages: '/mediawiki/page', 'third level': '/*/*/*' } as const

export const withNamespaces = makeEngine(true)
export const withoutNamespaces = makeEngine(false)

function makeEngine(namespaces: boolean): Engine {
  return {
    check: (file) => readXml(new FileSource(file), { namespaces }).check(),
    async readEvents(file, strings) {
      for await (const events of readXml(new FileSource(file), { namespaces }).events()) {
        for (const event of events) tellEvent(event, strings)
      }
    },
    async readRecords(file, kind, digest) {
      for await (const element of readXml(new FileSource(file), { namespaces }).select(PATHS[kind])) {
        readRecord(element, kind, digest)
      }
    },
  }
}

function tellEvent(event: XmlEvent, strings: EventStrings): void {
  switch (event.type) {
    case 'start':
      strings.start(event.name)
      if (event.attributes.size > 0) {
        for (const [name, value] of event.attributes) strings.attribute(name, value)
      }
      break
    case 'end':
      strings.end(event.name)
      break
    case 'text':
      strings.text(event.text)
      break
    case 'comment':
      strings.comment(event.text)
      break
    case 'instruction':
      strings.instruction(event.target, event.data)
      break
  }
}

function readRecord(element: XmlElement, kind: RecordKind, digest: StringDigest): void {
  if (kind === 'pages') {
    digest.add(element.childText('title') ?? '')
    digest.add(element.childText('id') ?? '')
    digest.add(element.childrenNamed('revision').at(-1)?.childText('text') ?? '')
  } else {
    digest.add(element.name)
    digest.add(element.text)
  }
}

/** Milliseconds from the call to the first record. The engine is loaded before, and nothing of it has run. */
export async function timeFirstRecord(file: string, kind: RecordKind): Promise<number> {
  const start = performance.now()
  for await (const _ of readXml(new FileSource(file)).select(PATHS[kind])) return performance.now() - start
  throw new Error(`there is no record in ${file}`)
}
