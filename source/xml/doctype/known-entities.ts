// Entities that a document may refer to without declaring them.

import { withCode } from '../../stream/errors.ts'
import { isName, isXmlCharacter } from '../../text/markup/xml-characters.ts'
import { standsFor } from '../text/references.ts'
import type { EntityRules } from './document-type.ts'

/** What they stand for, by their names. */
export type KnownEntities = Readonly<Record<string, string>>

/** Those that were checked: a list is long, and documents may be many and small. */
const checked = new WeakSet<KnownEntities>()

/** Gives their declarations. Throws a `TypeError` with the code `invalid-option` for what is not a list of such entities. */
export function declareKnown(entities: KnownEntities): EntityRules['known'] {
  if (Symbol.iterator in entities)
    throw withCode(new TypeError('entities must be an object with texts by their names'), 'invalid-option')
  if (!checked.has(entities)) Object.entries(entities).forEach(check)
  checked.add(entities)
  return (name) => {
    if (!Object.hasOwn(entities, name)) return undefined
    // A text is no markup, and its blanks are kept in attributes.
    const text = (entities[name] as string).replace(/[&<>\s]/g, (character) => `&#${character.charCodeAt(0)};`)
    return { name, text, isExternalDeclaration: false }
  }
}

function check([name, text]: readonly [name: string, text: unknown]): void {
  const isText = typeof text === 'string' && Array.from(text, toPoint).every(isXmlCharacter)
  if (isText && isName(name) && text === (standsFor(name) ?? text)) return
  const message = `entities: ${JSON.stringify(name)} must be a name, without "&" and ";", and have the text for which it stands`
  throw withCode(new TypeError(message), 'invalid-option')
}

function toPoint(character: string): number {
  return character.codePointAt(0) as number
}
