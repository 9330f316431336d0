// Content as markup, for a document that is there already.

import type { NamespaceScopes } from '../names/namespaces.ts'
import { writeItem, type XmlContent } from './content.ts'
import { MarkupWriter } from './markup/markup-writer.ts'

/** Where content is put. */
export interface ContentPlace {
  /** What prefixes stand for there; undefined where names are only names. */
  readonly prefixes?: NamespaceScopes | undefined
  /** How many elements are around it. */
  readonly depth?: number | undefined
  /** The entities that raw markup may use besides those that are predefined. */
  readonly entities?: ReadonlySet<string> | undefined
  /** The last code point that the encoding has: characters after it become references. */
  readonly lastCodePoint?: number | undefined
}

/** The markup of content. Declarations of namespaces are in it where they are needed. Throws an `XmlWriteError` where it cannot stand there. */
export function writeContent(content: XmlContent, place: ContentPlace = {}): string {
  const { prefixes, depth = 0, entities = new Set<string>(), lastCodePoint } = place
  const namespaces = prefixes !== undefined
  const writer = new MarkupWriter({ namespaces, lastCodePoint, around: { prefixes, depth, entities } })
  try {
    writeItem(writer, content)
    writer.end()
    return writer.take()
  } finally {
    prefixes?.leave(depth + 1)
  }
}
