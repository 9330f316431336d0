// saxes, without namespaces and positions, which it is fastest without.

import { SaxesParser } from 'saxes'
import type { Engine } from './engine.ts'
import { readText } from './read-text.ts'
import { collectRecords } from './record-collector.ts'

type Parser = SaxesParser<{ xmlns: false; position: false }>

export const saxes: Engine = {
  check: (file) => parse(file, makeParser()),
  async readEvents(file, strings) {
    const parser = makeParser()
    parser.on('opentag', ({ name, attributes }) => {
      strings.start(name)
      for (const attribute in attributes) strings.attribute(attribute, attributes[attribute] as string)
    })
    parser.on('closetag', ({ name }) => strings.end(name))
    parser.on('text', (text) => strings.text(text))
    parser.on('cdata', (text) => strings.text(text))
    parser.on('comment', (text) => strings.comment(text))
    parser.on('processinginstruction', ({ target, body }) => strings.instruction(target, body))
    await parse(file, parser)
  },
  async readRecords(file, kind, digest) {
    const parser = makeParser()
    const collector = collectRecords(kind, digest)
    parser.on('opentag', ({ name }) => collector.open(name))
    parser.on('closetag', () => collector.close())
    parser.on('text', (text) => collector.text(text))
    parser.on('cdata', (text) => collector.text(text))
    await parse(file, parser)
  },
}

function makeParser(): Parser {
  return new SaxesParser({ xmlns: false, position: false })
}

/** Without a handler for errors it throws the first one. */
async function parse(file: string, parser: Parser): Promise<void> {
  for await (const text of readText(file)) parser.write(text)
  parser.close()
}
