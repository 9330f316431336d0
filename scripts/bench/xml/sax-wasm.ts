// sax-wasm. It decodes no references and leaves line feeds and white space out, so its strings are not those of the others.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Attribute, type Detail, type ProcInst, SAXParser, SaxEventType, type Tag, type Text } from 'sax-wasm'
import type { Engine } from './engine.ts'
import { readBytes } from './read-text.ts'
import { collectRecords } from './record-collector.ts'

const MODULE = createRequire(import.meta.url).resolve('sax-wasm/lib/sax-wasm.wasm')
const { OpenTag, CloseTag, Cdata, Comment, ProcessingInstruction } = SaxEventType

export const saxWasm: Engine = {
  check: (file) => parse(file, 0),
  readEvents: (file, strings) =>
    parse(file, OpenTag | CloseTag | SaxEventType.Text | Cdata | Comment | ProcessingInstruction, (event, detail) => {
      if (event === OpenTag) {
        const { name, attributes } = detail as Tag
        strings.start(name)
        for (const attribute of attributes as Attribute[])
          strings.attribute(attribute.name.value, attribute.value.value)
      } else if (event === CloseTag) strings.end((detail as Tag).name)
      else if (event === Comment) strings.comment((detail as Text).value)
      else if (event === ProcessingInstruction) {
        const { target, content } = detail as ProcInst
        strings.instruction(target.value, content.value)
      } else strings.text((detail as Text).value)
    }),
  readRecords(file, kind, digest) {
    const collector = collectRecords(kind, digest)
    return parse(file, OpenTag | CloseTag | SaxEventType.Text | Cdata, (event, detail) => {
      if (event === OpenTag) collector.open((detail as Tag).name)
      else if (event === CloseTag) collector.close()
      else collector.text((detail as Text).value)
    })
  },
}

async function parse(
  file: string,
  events: number,
  handle?: (event: SaxEventType, detail: Detail) => void,
): Promise<void> {
  const parser = new SAXParser(events)
  if (handle) parser.eventHandler = handle
  await parser.prepareWasm(new Uint8Array(await readFile(MODULE)))
  for await (const bytes of readBytes(file)) parser.write(bytes)
  parser.end()
}
