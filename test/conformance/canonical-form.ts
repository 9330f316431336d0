// The suite's first canonical form of documents: what is in them after references, defaults and white space are dealt with.

import type { XmlEvent } from '../../source/xml/events.ts'

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

function formOf(event: XmlEvent, hasRoot: boolean): string {
  switch (event.type) {
    case 'start': {
      const attributes = [...event.attributes].sort(([one], [other]) => (one < other ? -1 : 1))
      return `<${event.name}${attributes.map(([name, value]) => ` ${name}="${escapeText(value)}"`).join('')}>`
    }
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
