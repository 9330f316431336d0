// The source of elements that do not stand in the input, because an entity brings them.

import type { XmlAttributes } from '../names/attributes.ts'

/** A start tag. */
export function startTagOf(name: string, attributes: XmlAttributes): string {
  const written = Array.from(attributes, ([attribute, value]) => ` ${attribute}="${escapeMarkup(value)}"`)
  return `<${name}${written.join('')}>`
}

/** Text, or the value of an attribute, as it would have to be written. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
