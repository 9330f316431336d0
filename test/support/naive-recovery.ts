// What a document with errors has, found naively: it is cut before each start tag that reading may continue at, and each part is read alone after the head.

import type { XmlOptions } from '../../source/xml/options.ts'
import type { XmlShape } from '../../source/xml/question/shape.ts'
import { readXml } from '../../source/xml/reader.ts'

/** A document `head` + content, whose root `</r>` ends. `anchor` is the name of the outermost element of which something is read. */
export async function readParts(
  head: string,
  content: string,
  anchor: string,
  path: string,
  shape: XmlShape,
  options: XmlOptions = {},
): Promise<unknown[]> {
  const found: unknown[] = []
  for (const part of splitBefore(content, anchor)) {
    try {
      const text = `${head}${part}${part.includes('</r>') ? '' : '</r>'}`
      for await (const record of readXml(text, options).records(path, shape)) found.push(record)
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) throw error
    }
  }
  return found
}

function splitBefore(content: string, name: string): string[] {
  return content.split(new RegExp(`(?=<${name}[\\0-\\x20/><])`))
}
