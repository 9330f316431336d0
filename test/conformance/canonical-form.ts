// The suite's first canonical form of documents: what is in them after references, defaults and white space are dealt with.

import type { XmlEvent } from '../../source/xml/events.ts'
import type { XmlElement, XmlNode } from '../../source/xml/tree/element.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** From the root on: what stands before it differs with the declarations of notations. */
export async function canonicalForm(batches: AsyncIterable<readonly XmlEvent[]>): Promise<string> {
  let form = ''
  for await (const events of batches) for (const event of events) form += formOf(event, form !== '')
  return form
}

/** The same of an element. */
export function formOfElement(root: XmlElement): string {
  const parts: string[] = []
  // Without recursion, so trees may be of any depth.
  const stack: (XmlNode | string)[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === 'string') parts.push(node)
    else if (node.type === 'text') parts.push(escapeText(node.text))
    else if (node.type === 'instruction') parts.push(`<?${node.target} ${node.data}?>`)
    else if (node.type === 'element') {
      parts.push(startTag(node.name, node.attributes))
      stack.push(`</${node.name}>`, ...node.children.toReversed())
    }
  }
  return parts.join('')
}

function startTag(name: string, attributes: Iterable<readonly [name: string, value: string]>): string {
  const sorted = [...attributes].sort(([one], [other]) => (one < other ? -1 : 1))
  return `<${name}${sorted.map(([own, value]) => ` ${own}="${escapeText(value)}"`).join('')}>`
}

function formOf(event: XmlEvent, hasRoot: boolean): string {
  switch (event.type) {
    case 'start':
      return startTag(event.name, event.attributes)
    case 'end':
      return `</${event.name}>`
    case 'text':
      return escapeText(event.text)
    case 'instruction':
      return hasRoot ? `<?${event.target} ${event.data}?>` : ''
    default:
      return ''
  }
}

function escapeText(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] as string)
}

/** A file with a canonical form, from the root on. */
export function fromRoot(text: string): string {
  return text.slice(text.search(/<[^?!]/))
}
