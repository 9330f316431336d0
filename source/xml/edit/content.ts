// New content as markup, for its place in a document. (For as long as `xml/write` is not there.)

import type { XmlNode } from '../tree/element.ts'
import type { XmlEditCode } from './edit-error.ts'
import type { Scope } from './scope.ts'

export interface RawXml {
  readonly xml: string
}
export type XmlContent = string | XmlNode | RawXml | readonly XmlContent[]

export interface ContentPlace {
  readonly scope: Scope | undefined
  readonly lastCodePoint: number
}

export function escapeFor(text: string, last: number, pattern: RegExp): string {
  return text
    .replace(pattern, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? `&#${c.charCodeAt(0)};`)
    .replace(/[\u0080-\u{10ffff}]/gu, (c) => ((c.codePointAt(0) as number) > last ? `&#${c.codePointAt(0)};` : c))
}

export function writeContent(content: XmlContent, place: ContentPlace): string {
  if (typeof content === 'string') return escapeFor(content, place.lastCodePoint, /[&<>\r]/g)
  if (Array.isArray(content)) return content.map((one) => writeContent(one, place)).join('')
  const node = content as XmlNode | RawXml
  if ('xml' in node) return node.xml
  if (node.type === 'text') return writeContent(node.text, place)
  if (node.type === 'comment') return `<!--${node.text}-->`
  if (node.type === 'instruction') return `<?${node.target}${node.data && ` ${node.data}`}?>`
  const attributes = [...node.attributes].map(
    ([name, value]) => ` ${name}="${escapeFor(value, place.lastCodePoint, /[&<>"\t\n\r]/g)}"`,
  )
  const inner = node.children.map((one) => writeContent(one, place)).join('')
  return `<${node.name}${attributes.join('')}>${inner}</${node.name}>`
}

export type { XmlEditCode }
