// XML that stands as it is in what is written.

import { findLacking } from '../../../text/markup/encode-text.ts'
import { nameDeclaration, writeAttributes } from '../../../text/markup/xml-markup.ts'
import type { DocumentType } from '../../doctype/document-type.ts'
import { shorten } from '../../errors/unplaced-error.ts'
import type { Declaration, NamespaceScopes } from '../../names/namespaces.ts'
import { parseChecked, unusedName } from './doctype.ts'

/** XML that was written before: markup and references stay as they are. */
export class RawXml {
  readonly xml: string

  /** @internal */
  constructor(xml: string) {
    this.xml = xml
  }
}

/**
 * XML as content: it is written as it is. It must be well-formed content of an element, which is checked when it is written. Its entities must be predefined, or
 * declared in the internal subset of the document.
 */
export function rawXml(xml: string): RawXml {
  return new RawXml(xml)
}

export interface RawPlace {
  /** What the document declares; undefined for nothing. */
  readonly doctype: DocumentType | undefined
  /** The names of entities, where the document type itself is not known. */
  readonly entities: ReadonlySet<string> | undefined
  /** Undefined where names are only names. */
  readonly prefixes: NamespaceScopes | undefined
  /** The last code point that the encoding has. */
  readonly lastCodePoint: number
  readonly fail: (message: string, cause?: unknown) => never
}

/** Checks that some XML is content that may stand at a place. */
export function checkRaw(xml: string, { doctype, entities, prefixes, lastCodePoint, fail }: RawPlace): void {
  const lacking = findLacking(xml, lastCodePoint)
  if (lacking !== undefined) fail(`the encoding does not have the character ${lacking} of raw markup`)
  const subset = subsetFor(xml, doctype, entities)
  const root = unusedName(subset)
  // Where the text of entities is known, it may have any prefix in it.
  const declarations = doctype ? (prefixes?.declarations ?? []) : declarationsIn(xml, prefixes)
  const known = entities ?? new Set(doctype?.entities.keys())
  parseChecked(
    `${subset}<${root}${writeAttributes(declarations.map(([prefix, namespace]) => [nameDeclaration(prefix), namespace]))}>${xml}</${root}>`,
    (message, cause) => fail(`raw markup is not well-formed content: ${withoutRoot(message, root)}`, cause),
    {
      namespaces: prefixes !== undefined,
      onSkippedEntity({ name }) {
        if (!known.has(name)) fail(`raw markup refers to the entity ${shorten(name)}, which is not declared here`)
      },
    },
  )
}

/** A message without the element around the markup, and without lines and columns, which are not those of the markup. */
function withoutRoot(message: string, root: string): string {
  return message
    .replace(/ opened at \d+:\d+/g, '')
    .replace(`the end tag </${root}> does not match `, 'there is no end tag for ')
    .replace(`does not match <${root}>`, 'has no start tag')
}

/** A declaration of entities: those of the document, or those that some XML refers to, where only their names are known. */
function subsetFor(xml: string, doctype: DocumentType | undefined, entities: RawPlace['entities']): string {
  if (doctype?.internalSubset !== undefined) return `<!DOCTYPE raw [${doctype.internalSubset}]>`
  const names = new Set(xml.match(/(?<=&)[^;&<\s]+(?=;)/g)?.filter((name) => entities?.has(name)))
  if (names.size === 0) return ''
  return `<!DOCTYPE raw [${Array.from(names, (name) => `<!ENTITY ${name} "">`).join('')}]>`
}

/** The declarations that some XML may need: there may be thousands around it. */
function declarationsIn(xml: string, prefixes: NamespaceScopes | undefined): Declaration[] {
  const found = new Set([''])
  for (const [word] of xml.matchAll(/[^\s<>"'=/&]+/g)) {
    const end = word.indexOf(':')
    if (end !== -1) found.add(word.slice(0, end))
  }
  return [...found].flatMap((prefix) => {
    const namespace = prefix === 'xml' || prefix === 'xmlns' ? undefined : prefixes?.resolve(prefix)
    return namespace === undefined ? [] : [[prefix, namespace]]
  })
}
