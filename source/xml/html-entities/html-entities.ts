// The named characters of HTML 5.

import { NAMED_CHARACTERS } from './generated/named-characters.ts'

/**
 * The 2,125 named characters of HTML 5, such as `nbsp` and `eacute`, for the option `entities`. Of the names that HTML also allows without a semicolon, only the form with one
 * is known: a reference of XML has it.
 *
 * ```ts
 * import { parseXml } from 'xylem/xml'
 * import { htmlEntities } from 'xylem/xml/html-entities'
 *
 * console.log(parseXml('<p>caf&eacute;</p>', { entities: htmlEntities }).root.text)
 * ```
 */
export const htmlEntities: Readonly<Record<string, string>> = /* @__PURE__ */ readNames(NAMED_CHARACTERS)

function readNames(list: string): Readonly<Record<string, string>> {
  const words = list.split(' ')
  const entities: Record<string, string> = {}
  for (let i = 0; i < words.length; i += 2) entities[words[i] as string] = words[i + 1] as string
  return Object.freeze(entities)
}
