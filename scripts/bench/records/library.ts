// What is measured of the library, and of the parser that it is compared with. Each reads its document to the end, and every string of it.

import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import type * as Node from 'xylem/node'
import type * as Xml from 'xylem/xml'
import { EventStrings } from '../xml/event-strings.ts'
import { readText } from '../xml/read-text.ts'
import { saxes } from '../xml/saxes.ts'
import type { StringDigest } from '../xml/string-digest.ts'

/** The modules of the build that is measured. */
export type Library = typeof Xml & Pick<typeof Node, 'FileSource'>

/** What it returns is measured; what it does itself comes before. */
type LibraryTask = (library: Library, file: string, digest: StringDigest) => () => Promise<void> | void

const ROW = {
  id: '@Id',
  type: '@PostTypeId',
  created: '@CreationDate',
  score: '@Score',
  title: '@Title',
  body: '@Body',
} as const
const ROW_ATTRIBUTES = ['Id', 'PostTypeId', 'CreationDate', 'Score', 'Title', 'Body'] as const
const PAGE = { id: 'id', title: 'title', text: 'revision/text' } as const
const PAGE_ROW = { ...PAGE, id: { path: 'id', as: 'integer' }, timestamp: 'revision/timestamp' } as const
const LINE_FEED = 0x0a

const SMALL_DOCUMENT = '<feed><entry id="1"><title>One</title><body>Some text, and no more.</body></entry></feed>'
const SMALL_DOCUMENTS = 20_000

export const libraryTasks = {
  'records of rows': (library, file, digest) => async () => {
    for await (const rows of openReader(library, new library.FileSource(file)).records('row', ROW).batches()) {
      for (const { id, type, created, score, title, body } of rows)
        addAll(digest, [id, type, created, score, title, body])
    }
  },
  'rows by saxes': (_, file, digest) => async () => {
    const parser = makeParser()
    parser.on('opentag', ({ name, attributes }) => {
      if (name !== 'row') return
      const [id, type, created, score, title, body] = ROW_ATTRIBUTES.map((attribute) => attributes[attribute])
      const row = { id, type, created, score, title, body }
      addAll(digest, [row.id, row.type, row.created, row.score, row.title, row.body])
    })
    await parse(parser, file)
  },
  'elements of a dump': (library, file, digest) => async () => {
    const reader = openReader(library, new library.FileSource(file), { namespaces: false })
    for await (const all of reader.select('/mediawiki/page').batches()) for (const page of all) addElement(digest, page)
  },
  'trees by saxes': (_, file, digest) => () => readTrees(file, 'page', (tree) => addTree(digest, tree)),
  'elements of rows': (library, file, digest) => async () => {
    const reader = openReader(library, new library.FileSource(file), { namespaces: false })
    for await (const rows of reader.select('/posts/row').batches()) for (const row of rows) addElement(digest, row)
  },
  'trees of rows by saxes': (_, file, digest) => () => readTrees(file, 'row', (tree) => addTree(digest, tree)),
  events: (library, file, digest) => async () => {
    const strings = new EventStrings(digest)
    const reader = openReader(library, new library.FileSource(file), { namespaces: false })
    for await (const events of reader.events().batches()) for (const event of events) addEvent(strings, event)
  },
  'events by saxes': (_, file, digest) => () => saxes.readEvents(file, new EventStrings(digest)),
  'records from a file': (library, file, digest) => () => readPages(library, new library.FileSource(file), digest),
  'records from memory': (library, file, digest) => {
    const bytes = new Uint8Array(readFileSync(file))
    return () => readPages(library, bytes, digest)
  },
  'lines of a dump': (library, file, digest) => async () => {
    let records = 0
    for await (const bytes of library.readXml(new library.FileSource(file)).write('jsonl', '/mediawiki/page', PAGE_ROW))
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) records++
    digest.add(String(records))
  },
  'columns of a dump': (library, file, digest) => async () => {
    let records = 0
    for await (const { rows } of library.readXml(new library.FileSource(file)).columns('/mediawiki/page', PAGE_ROW))
      records += rows
    digest.add(String(records))
  },
  'small documents, parseXml': ({ parseXml }, _, digest) =>
    eachSmall(() => {
      const { root } = parseXml(SMALL_DOCUMENT)
      const entry = root.child('entry')
      addAll(digest, [entry?.attribute('id'), entry?.childText('title'), entry?.childText('body')])
    }),
  'small documents, select': ({ readXml }, _, digest) =>
    eachSmall(async () => {
      for await (const entry of readXml(SMALL_DOCUMENT).select('entry'))
        addAll(digest, [entry.attribute('id'), entry.childText('title'), entry.childText('body')])
    }),
  'small documents, records': ({ readXml }, _, digest) =>
    eachSmall(async () => {
      const reader = readXml(SMALL_DOCUMENT)
      for await (const { id, title, body } of reader.records('entry', { id: '@id', title: 'title', body: 'body' }))
        addAll(digest, [id, title, body])
    }),
} as const satisfies Record<string, LibraryTask>

export type LibraryTaskName = keyof typeof libraryTasks

/** Reads a small document again and again: what the first ones take longer does not matter among so many. */
function eachSmall(read: () => Promise<void> | void): () => Promise<void> {
  return async () => {
    for (let i = 0; i < SMALL_DOCUMENTS; i++) await read()
  }
}

async function readPages(
  library: Library,
  source: Parameters<Library['readXml']>[0],
  digest: StringDigest,
): Promise<void> {
  for await (const pages of openReader(library, source).records('/mediawiki/page', PAGE).batches())
    for (const { id, title, text } of pages) addAll(digest, [id, title, text])
}

function addAll(digest: StringDigest, values: readonly (string | undefined)[]): void {
  for (const value of values) digest.add(value ?? '')
}

function addElement(digest: StringDigest, { name, attributes, children }: Xml.XmlElement): void {
  digest.add(name)
  for (const [attribute, value] of attributes) {
    digest.add(attribute)
    digest.add(value)
  }
  for (const child of children) {
    if (child.type === 'text') digest.add(child.text)
    else if (child.type === 'element') addElement(digest, child)
  }
}

/** A reader. Those of earlier versions have methods of their own for arrays. */
function openReader(library: Library, ...input: Parameters<Library['readXml']>): Xml.XmlReader {
  const reader = library.readXml(...input)
  const methods = reader as unknown as Record<string, (...args: unknown[]) => unknown>
  const { recordBatches: records, selectBatches: select, eventBatches: events } = methods
  for (const [name, read] of Object.entries({ records, select, events }))
    if (read) methods[name] = (...args) => ({ batches: () => read.apply(reader, args) })
  return reader
}

function addEvent(strings: EventStrings, event: Xml.XmlEvent): void {
  switch (event.type) {
    case 'start':
      strings.start(event.name)
      for (const [name, value] of event.attributes) strings.attribute(name, value)
      break
    case 'end':
      strings.end(event.name)
      break
    case 'text':
      strings.text(event.text)
      break
  }
}

// ---- What a program makes of saxes.

type Parser = SaxesParser<{ xmlns: false; position: false }>

interface Tree {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (Tree | string)[]
}

function makeParser(): Parser {
  return new SaxesParser({ xmlns: false, position: false })
}

/** Without a handler for errors it throws the first one. */
async function parse(parser: Parser, file: string): Promise<void> {
  for await (const text of readText(file)) parser.write(text)
  parser.close()
}

/** The elements of a name, each with all that is in it, as soon as it has ended. */
async function readTrees(file: string, wanted: string, take: (tree: Tree) => void): Promise<void> {
  const parser = makeParser()
  const open: Tree[] = []
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === 0 && name !== wanted) return
    const tree: Tree = { name, attributes, children: [] }
    open.at(-1)?.children.push(tree)
    open.push(tree)
  })
  parser.on('text', (text) => open.at(-1)?.children.push(text))
  parser.on('cdata', (text) => open.at(-1)?.children.push(text))
  parser.on('closetag', () => {
    const tree = open.pop()
    if (tree && open.length === 0) take(tree)
  })
  await parse(parser, file)
}

function addTree(digest: StringDigest, { name, attributes, children }: Tree): void {
  digest.add(name)
  for (const attribute in attributes) {
    digest.add(attribute)
    digest.add(attributes[attribute] as string)
  }
  for (const child of children) {
    if (typeof child === 'string') digest.add(child)
    else addTree(digest, child)
  }
}
