// htmlparser2 in its mode for XML.

import { type Handler, Parser } from 'htmlparser2'
import type { Engine } from './engine.ts'
import { readText } from './read-text.ts'
import { collectRecords } from './record-collector.ts'

export const htmlparser2: Engine = {
  check: (file) => parse(file, {}),
  readEvents: (file, strings) =>
    parse(file, {
      onopentag(name, attributes) {
        strings.start(name)
        for (const attribute in attributes) strings.attribute(attribute, attributes[attribute] as string)
      },
      onclosetag: (name) => strings.end(name),
      ontext: (text) => strings.text(text),
      oncomment: (text) => strings.comment(text),
      onprocessinginstruction(name, text) {
        // Both begin with the mark, as in `?target` and `?target data`; declarations come this way too.
        if (name.startsWith('?')) strings.instruction(name.slice(1), text.slice(name.length).trimStart())
      },
    }),
  readRecords(file, kind, digest) {
    const collector = collectRecords(kind, digest)
    return parse(file, {
      onopentag: (name) => collector.open(name),
      onclosetag: () => collector.close(),
      ontext: (text) => collector.text(text),
    })
  },
}

async function parse(file: string, handler: Partial<Handler>): Promise<void> {
  const parser = new Parser(handler, { xmlMode: true, decodeEntities: true })
  for await (const text of readText(file)) parser.write(text)
  parser.end()
}
