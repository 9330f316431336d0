// sax, strict.

import sax from 'sax'
import type { Engine } from './engine.ts'
import { readText } from './read-text.ts'
import { collectRecords } from './record-collector.ts'

export const saxStrict: Engine = {
  check: (file) => parse(file, makeParser()),
  async readEvents(file, strings) {
    const parser = makeParser()
    parser.onopentag = ({ name, attributes }) => {
      strings.start(name)
      for (const attribute in attributes) strings.attribute(attribute, attributes[attribute] as string)
    }
    parser.onclosetag = (name) => strings.end(name)
    parser.ontext = (text) => strings.text(text)
    parser.oncdata = (text) => strings.text(text)
    parser.oncomment = (text) => strings.comment(text)
    parser.onprocessinginstruction = ({ name, body }) => strings.instruction(name, body)
    await parse(file, parser)
  },
  async readRecords(file, kind, digest) {
    const parser = makeParser()
    const collector = collectRecords(kind, digest)
    parser.onopentag = ({ name }) => collector.open(name)
    parser.onclosetag = () => collector.close()
    parser.ontext = (text) => collector.text(text)
    parser.oncdata = (text) => collector.text(text)
    await parse(file, parser)
  },
}

function makeParser(): sax.SAXParser {
  const parser = sax.parser(true, { xmlns: false, position: false })
  parser.onerror = (error) => {
    throw error
  }
  return parser
}

async function parse(file: string, parser: sax.SAXParser): Promise<void> {
  for await (const text of readText(file)) parser.write(text)
  parser.close()
}
