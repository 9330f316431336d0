// Dumps whose beginning declares what their pages need: namespaces, prefixes, defaults of attributes and entities.

import fc from 'fast-check'
import { encodeBzip2 } from './bzip2-encoder.ts'

const WIKI = 'urn:wiki'
/** Fields that depend on namespaces, prefixes and defaults. */
export const FIELDS = [
  'id',
  'title',
  'revision.comment',
  'revision.text',
  `wiki={${WIKI}}title`,
  'own=x:c',
  'any[]={urn:x}c',
  'default=revision/text/@kind',
  'space=revision/text/@xml:space',
]

export interface DumpParts {
  readonly head: string
  readonly siteInfo: string
  readonly pages: readonly string[]
  readonly end: string
}

/** What the beginning may have, and what pages have because of that. */
const pieces = {
  declaration: ['', '<?xml version="1.0"?>\n', '\ufeff', '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'],
  between: ['', '<!-- <page é🌳 -->\n', '<?a b?>'],
  doctype: [
    '',
    '<!DOCTYPE mediawiki>\n',
    '<!DOCTYPE mediawiki SYSTEM "outside.dtd" [<!ENTITY e "<!-- -->entity &amp; 木">]>',
    '<!DOCTYPE mediawiki [<!ENTITY % p "<!ENTITY e \'&lt;q>in p\'>"> %p;\n<!ATTLIST comment deleted CDATA "deleted">]>',
    '<!DOCTYPE mediawiki [<!ATTLIST text kind CDATA "usual" xml:space (default|preserve) "preserve"> <!ENTITY e "text">]>',
    '<!DOCTYPE mediawiki [<!ATTLIST page xmlns:x CDATA "urn:x"><!ENTITY e "">]>',
  ],
  namespaces: ['', ` xmlns="${WIKI}"`, ' xmlns:x="urn:x"', ` xmlns="${WIKI}"\n xmlns:x='urn:x' xmlns:y="urn:x"`],
  attributes: ['', ' version="0.11" xml:lang="de"', ' xml:space="preserve"', ' a="&#38; > é"'],
  siteInfo: [
    '',
    '\n  <siteinfo><sitename>A &amp; B</sitename><case>first-letter</case></siteinfo>\n',
    '<siteinfo/><!--<page-->',
  ],
} as const

const size = fc.constantFrom(0, 0, 1, 5, 40)

/** Dumps with some pages that can be read with their head, and, some of them, not without. */
export const anyDump: fc.Arbitrary<DumpParts> = fc
  .record({
    declaration: fc.constantFrom(...pieces.declaration),
    between: fc.constantFrom(...pieces.between),
    doctype: fc.constantFrom(...pieces.doctype),
    namespaces: fc.constantFrom(...pieces.namespaces),
    attributes: fc.constantFrom(...pieces.attributes),
    siteInfo: fc.constantFrom(...pieces.siteInfo),
    sizes: fc.array(size, { minLength: 1, maxLength: 12 }),
    end: fc.constantFrom('</mediawiki>', '\n</mediawiki >\n<!-- end -->\n'),
  })
  .map(({ declaration, between, doctype, namespaces, attributes, siteInfo, sizes, end }) => {
    const prefix = /xmlns:x/.test(namespaces + doctype) ? 'x' : undefined
    // What is declared outside is left out.
    const entity = doctype.includes('outside') ? '&e;&outside;' : doctype.includes('ENTITY e ') ? '&e;' : ''
    const pages = sizes.map((words, i) => makePage(i + 1, words, prefix, entity))
    const start = `<mediawiki${namespaces}${attributes}>`
    return {
      head: `${declaration}${declaration ? '' : between.trim()}${declaration && between}${doctype}${start}`,
      siteInfo,
      pages,
      end,
    }
  })

function makePage(id: number, words: number, prefix: string | undefined, entity: string): string {
  const isUsual = id % 3 === 0
  const own = prefix && !isUsual ? `<${prefix}:c ${prefix}:a="1">own ${id}</${prefix}:c>` : ''
  const text = `${'word &lt;page&gt; '.repeat(words)}${isUsual ? '' : entity}`
  const revision = (number: number) =>
    `<revision><id>${number}</id><timestamp>2026-01-02T03:04:0${number % 2}Z</timestamp><comment>secret</comment><text>${text}</text></revision>`
  return `  <page>\n<title>Page ${id}</title><ns>0</ns><id>${id}</id>${own}${revision(id * 2)}${revision(id * 2 + 1)}</page>\n`
}

/** A dump as it may be published. */
export interface Publication {
  readonly name: 'plain' | 'one bzip2 stream' | 'many bzip2 streams'
  readonly bytes: Uint8Array
}

export function publish({ head, siteInfo, pages, end }: DumpParts): Publication[] {
  const encode = (text: string) => new TextEncoder().encode(text)
  const bytes = encode([head, siteInfo, ...pages, end].join(''))
  const pairs = pages.flatMap((page, i) => (i % 2 === 0 ? [`${page}${pages[i + 1] ?? ''}`] : []))
  const streams = [`${head}${siteInfo}`, ...pairs, end].map((text) => encodeBzip2(encode(text), { blockSize: 900 }))
  return [
    { name: 'plain', bytes },
    { name: 'one bzip2 stream', bytes: encodeBzip2(bytes, { blockSize: 150 }) },
    { name: 'many bzip2 streams', bytes: new Uint8Array(Buffer.concat(streams)) },
  ]
}
