// Content as markup, for a document that is there already.

import type { Declaration } from '../names/namespaces.ts'
import { writeItem, type XmlContent } from './content.ts'
import { MarkupWriter } from './markup/markup-writer.ts'

/** Where content is put. */
export interface ContentPlace {
  /** What prefixes stand for there; the empty one is the default. */
  readonly declarations?: readonly Declaration[] | undefined
  /** The names of the open elements, the outermost first. */
  readonly openElements?: readonly string[] | undefined
  /** The entities that raw markup may use besides those that are predefined. */
  readonly entities?: ReadonlySet<string> | undefined
  /** Whether prefixes stand for namespaces (default: true). */
  readonly namespaces?: boolean | undefined
  /** The last code point that the encoding has: characters after it become references. */
  readonly lastCodePoint?: number | undefined
}

/** The markup of content. Declarations of namespaces are in it where they are needed. Throws an `XmlWriteError` where it cannot stand there. */
export function writeContent(content: XmlContent, place: ContentPlace = {}): string {
  const { declarations = [], openElements = [], entities = new Set<string>(), ...options } = place
  const writer = new MarkupWriter({ ...options, around: { declarations, openElements, entities } })
  writeItem(writer, content)
  writer.end()
  return writer.take()
}
