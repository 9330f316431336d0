// New content as markup, for its place in a document. (For as long as `xml/write` is not there.)

import { escapeAttribute, escapeText } from '../../text/markup/xml-markup.ts'
import type { XmlNode } from '../tree/element.ts'
import type { Scope } from './scope.ts'

export interface RawXml {
  readonly xml: string
}
export type XmlContent = string | XmlNode | RawXml | readonly XmlContent[]

export interface ContentPlace {
  readonly scope: Scope | undefined
  readonly lastCodePoint: number
}

export function writeContent(content: XmlContent, place: ContentPlace): string {
  if (typeof content === 'string') return escapeText(content, place.lastCodePoint)
  if (Array.isArray(content)) return content.map((one) => writeContent(one, place)).join('')
  const node = content as XmlNode | RawXml
  if ('xml' in node) return node.xml
  if (node.type === 'text') return writeContent(node.text, place)
  if (node.type === 'comment') return `<!--${node.text}-->`
  if (node.type === 'instruction') return `<?${node.target}${node.data && ` ${node.data}`}?>`
  const attributes = [...node.attributes].map(
    ([name, value]) => ` ${name}="${escapeAttribute(value, place.lastCodePoint)}"`,
  )
  const inner = node.children.map((one) => writeContent(one, place)).join('')
  return `<${node.name}${attributes.join('')}>${inner}</${node.name}>`
}
