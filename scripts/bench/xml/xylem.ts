// The engine of this project: the built package, by its public names.

import { FileSource } from 'xylem/node'
import { readXml, type XmlElement, type XmlEvent } from 'xylem/xml'
import type { Engine, RecordKind } from './engine.ts'
import type { EventStrings } from './event-strings.ts'
import type { StringTaker } from './string-digest.ts'

const FIELDS = {
  pages: { title: 'title', id: 'id', texts: ['revision/text'] },
  'third level': { name: 'name()', text: '.' },
} as const
const PATHS = { pages: '/mediawiki/page', 'third level': '/*/*/*' } as const

export const withNamespaces = makeEngine(true)
export const withoutNamespaces = makeEngine(false)
/** With complete elements, whose strings are asked for, instead of records of fields. */
export const withElements: Engine = {
  ...withNamespaces,
  async readRecords(file, kind, digest) {
    for await (const element of readXml(new FileSource(file)).select(PATHS[kind])) digestElement(element, kind, digest)
  },
}

function makeEngine(namespaces: boolean): Engine {
  return {
    check: (file) => readXml(new FileSource(file), { namespaces }).check(),
    async readEvents(file, strings) {
      for await (const events of readXml(new FileSource(file), { namespaces }).events().batches()) {
        for (const event of events) tellEvent(event, strings)
      }
    },
    async readRecords(file, kind, digest) {
      const reader = readXml(new FileSource(file), { namespaces })
      if (kind === 'pages') {
        for await (const records of reader.records(PATHS[kind], FIELDS[kind]).batches()) {
          for (const { title, id, texts } of records) {
            digest.add(title ?? '')
            digest.add(id ?? '')
            digest.add(texts.at(-1) ?? '')
          }
        }
      } else {
        for await (const records of reader.records(PATHS[kind], FIELDS[kind]).batches()) {
          for (const { name, text } of records) {
            digest.add(name ?? '')
            digest.add(text ?? '')
          }
        }
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

function digestElement(element: XmlElement, kind: RecordKind, digest: StringTaker): void {
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
  for await (const _ of readXml(new FileSource(file)).records(PATHS[kind], FIELDS[kind]))
    return performance.now() - start
  throw new Error(`there is no record in ${file}`)
}
