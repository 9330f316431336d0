// fast-xml-parser: one string in, one tree out. Of processing instructions it keeps what looks like attributes, not the text.

import { readFile } from 'node:fs/promises'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { Engine } from './engine.ts'
import type { EventStrings } from './event-strings.ts'
import { collectRecords, type RecordCollector } from './record-collector.ts'

/** An object with one key, its name, and the reserved one for attributes. Text is a string under `#text`. */
type TreeNode = Readonly<Record<string, string | readonly TreeNode[] | Readonly<Record<string, string>>>>

const TEXT = '#text'
const CDATA = '#cdata'
const COMMENT = '#comment'
const ATTRIBUTES = ':@'

export const fastXmlParser: Engine = {
  async check(file) {
    const result = XMLValidator.validate(await readFile(file, 'utf8'))
    if (result !== true) throw new Error(result.err.msg)
  },
  async readEvents(file, strings) {
    tellEvents(await parse(file, false), strings)
  },
  async readRecords(file, kind, digest) {
    tellRecords(await parse(file, true), collectRecords(kind, digest))
  },
}

/** Nothing trimmed, no numbers made, the order kept. */
async function parse(file: string, ignoreAttributes: boolean): Promise<readonly TreeNode[]> {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    commentPropName: COMMENT,
    cdataPropName: CDATA,
    htmlEntities: true,
  })
  return parser.parse(await readFile(file, 'utf8')) as readonly TreeNode[]
}

function tellEvents(nodes: readonly TreeNode[], strings: EventStrings): void {
  for (const node of nodes) {
    const [name, content] = Object.entries(node)[0] as [string, string | readonly TreeNode[]]
    if (typeof content === 'string') strings.text(content)
    else if (name === CDATA) strings.text(textOf(content))
    else if (name === COMMENT) strings.comment(textOf(content))
    else if (name.startsWith('?')) strings.instruction(name.slice(1), '')
    else {
      strings.start(name)
      for (const [attribute, value] of Object.entries(node[ATTRIBUTES] ?? {})) strings.attribute(attribute, value)
      tellEvents(content, strings)
      strings.end(name)
    }
  }
}

function tellRecords(nodes: readonly TreeNode[], collector: RecordCollector): void {
  for (const node of nodes) {
    const [name, content] = Object.entries(node)[0] as [string, string | readonly TreeNode[]]
    if (typeof content === 'string') collector.text(content)
    else if (name === CDATA) collector.text(textOf(content))
    else if (name !== COMMENT && !name.startsWith('?')) {
      collector.open(name)
      tellRecords(content, collector)
      collector.close()
    }
  }
}

/** Of a comment or a CDATA section. */
function textOf([node]: readonly TreeNode[]): string {
  return (node?.[TEXT] as string | undefined) ?? ''
}
