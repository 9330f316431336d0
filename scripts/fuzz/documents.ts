// XML documents at random, most of them well-formed, with what parsers stumble over: document types, entities in entities, defaults, namespaces that
// change, edges of CDATA sections, references and line ends where the input may be cut, other encodings.

import type { Random } from '../../test/support/random.ts'

const NAMES = ['a', 'b', 'c', 'd', 'long-name', 'é', 'p:a', 'p:b', 'q:c', 'xml-a']
const ATTRIBUTES = ['k', 'l', 'm', 'p:k', 'q:k', 'xml:lang', 'xml:space']
const NAMESPACES = ['u', 'v', '', 'http://example.org/ns']
const CHARACTERS = [
  ...['x', ' ', '\n', '\r', '\r\n', '\t', 'é', '木', '🌳', ']', ']]', '>', '-', '--', '"', "'"],
  ...[
    '&amp;',
    '&lt;',
    '&gt;',
    '&quot;',
    '&apos;',
    '&#65;',
    '&#x1F333;',
    '&#13;',
    '&#10;',
    '\u0085',
    '\u2028',
    '\ufffd',
  ],
]
/** General entities of the document type, and what they stand for. */
const ENTITIES: readonly (readonly [name: string, value: string])[] = [
  ['e', 'text'],
  ['m', '<b k="1">in</b>'],
  ['n', ''],
  ['f', '&e;&#38;e;&e;'],
  ['g', '<c/>&f;<c>&m;</c>'],
  ['l', '&#38;#60;&#60;![CDATA[<]]&#62;\r\n'],
  ['t', 'a&#10;b&#13;c\td'],
  ['p.q', '<p:a xmlns:p="w"/>'],
]
const DECLARATIONS = [
  '<!ELEMENT a ANY>',
  '<!ELEMENT b (#PCDATA|c|d)*>',
  '<!ELEMENT c ((a|b)+,(c?,d)*)>',
  '<!ATTLIST a k CDATA "d">',
  '<!ATTLIST b l NMTOKENS "  x   y " m (s|t) "t">',
  '<!ATTLIST c xmlns:p CDATA #FIXED "w">',
  '<!ATTLIST d k CDATA "&e;&#60;\r\n" l ID #IMPLIED>',
  '<!ATTLIST a xmlns CDATA "u">',
  '<!NOTATION n SYSTEM "s">',
  '<!NOTATION n PUBLIC "-//x//y">',
  '<!ENTITY unparsed SYSTEM "s" NDATA n>',
  '<!ENTITY ext SYSTEM "s">',
  '<!-- a - comment > -->',
  '<?target data?>',
  '<!ENTITY % pe "<!ENTITY late \'value\'>">',
  '%pe;',
  '\r\n',
  ' ',
]
/** What mutations put in. */
const PIECES = [
  ...['<', '>', '&', ';', '"', "'", '/', '=', ' ', 'a', ':', '!', '-', '?', ']', '[', '\n', '\r', '%', '#', '\u0001'],
  ...[
    ']]>',
    '<!--',
    '-->',
    '<![CDATA[',
    '<?',
    '?>',
    '&e;',
    '&m;',
    '&none;',
    '<b>',
    '</b>',
    '<a/>',
    ' xmlns:p="u"',
    ' xmlns=""',
  ],
  ...[' k="1"', '<!DOCTYPE a [', ']>', '&#0;', '&#x110000;', '&#xD800;', 'xmlns:xml="u"', ' xmlns:xmlns="u"', '%pe;'],
]

/** Encodings that all oracles read. */
const ENCODINGS = [
  'UTF-8',
  'UTF-8',
  'UTF-8',
  'UTF-8 with a mark',
  'UTF-16LE',
  'UTF-16BE',
  'ISO-8859-1',
  'US-ASCII',
] as const
type Encoding = (typeof ENCODINGS)[number]

class DocumentMaker {
  readonly #random: Random
  readonly #hasType: boolean
  #depth = 0

  constructor(random: Random, hasType: boolean) {
    this.#random = random
    this.#hasType = hasType
  }

  document(): string {
    const random = this.#random
    const misc = () => (random.oneIn(4) ? random.pick(['<!-- c -->', '<?p i?>', '\n', ' ']) : '')
    return `${misc()}${this.#hasType ? this.#documentType() : ''}${misc()}${this.#element()}${misc()}`
  }

  #documentType(): string {
    const random = this.#random
    const entities = ENTITIES.map(([name, value]) => `<!ENTITY ${name} '${value}'>`)
    const more = random.many(0, 6, () => random.pick(DECLARATIONS))
    const all = [...entities, ...more]
    for (let i = 0; i < 3; i++) {
      const [one, two] = [random.below(all.length), random.below(all.length)]
      ;[all[one], all[two]] = [all[two] as string, all[one] as string]
    }
    const external = random.oneIn(6) ? random.pick([' SYSTEM "s"', ' PUBLIC "-//p" "s"']) : ''
    return `<!DOCTYPE a${external} [${all.join(random.pick(['', '\n', '\r\n']))}]>`
  }

  #element(): string {
    const random = this.#random
    const name = random.pick(NAMES)
    // Most prefixes are declared where they are used.
    const needed = [name, ...random.many(0, 2, () => random.pick(ATTRIBUTES))]
    const attributes = [...new Set(needed.slice(1))].map(
      (own) => `${random.pick([' ', '\n', '\r\n  '])}${own}${this.#value()}`,
    )
    const prefixes = new Set(
      needed.flatMap((own) => (own.startsWith('p:') ? ['p'] : own.startsWith('q:') ? ['q'] : [])),
    )
    for (const prefix of prefixes)
      if (!random.oneIn(20)) attributes.push(` xmlns:${prefix}="${random.pick(['u', 'v', 'w'])}"`)
    if (random.oneIn(6)) attributes.push(` xmlns="${random.pick(NAMESPACES)}"`)
    const tag = `${name}${attributes.join('')}${random.oneIn(8) ? ' ' : ''}`
    if (this.#depth > 4 || random.oneIn(4)) return random.oneIn(2) ? `<${tag}/>` : `<${tag}>${this.#text(3)}</${name}>`
    this.#depth++
    const content = random.many(0, 4, () => this.#piece()).join('')
    this.#depth--
    return `<${tag}>${content}</${name}${random.oneIn(9) ? ' ' : ''}>`
  }

  #piece(): string {
    const random = this.#random
    switch (random.below(9)) {
      case 0:
      case 1:
      case 2:
        return this.#element()
      case 3:
      case 4:
        return this.#text(8)
      case 5:
        return `<![CDATA[${random.pick(['', ']', ']]', '<a>&e;', '\r\n', '木', ']] >', ']]]]&gt;'])}]]>`
      case 6:
        return random.pick(['<!---->', '<!-- - > < & -->', '<?p?>', '<?p   x ? > ?>', '<!--\r\n木-->'])
      case 7:
        return this.#hasType ? `&${random.pick(ENTITIES)[0]};` : '&amp;'
      default:
        return random.oneIn(30) ? random.pick(CHARACTERS).repeat(20_000) : '\n  '
    }
  }

  #text(most: number): string {
    const text = this.#random.many(0, most, () => this.#random.pick(CHARACTERS)).join('')
    return text.replaceAll(']]>', ']] >')
  }

  #value(): string {
    const random = this.#random
    const quote = random.pick(['"', "'"])
    const text = this.#text(5).replaceAll(quote, '')
    const reference = this.#hasType && random.oneIn(5) ? random.pick(['&e;', '&t;', '&n;', '&f;']) : ''
    return `${random.pick(['=', ' = ', '\n='])}${quote}${text}${reference}${quote}`
  }
}

/** A document, mutated or not, in some encoding. */
export function makeDocument(random: Random): Uint8Array {
  const hasType = random.oneIn(2)
  const encoding = random.pick(ENCODINGS)
  let text = new DocumentMaker(random, hasType).document()
  if (encoding === 'ISO-8859-1' || encoding === 'US-ASCII') {
    const most = encoding === 'US-ASCII' ? /[^\0-\x7f]/gu : /[^\0-\xff]/gu
    text = text.replace(most, 'x')
  }
  for (let mutations = random.oneIn(2) ? random.below(3) : 0; mutations > 0; mutations--) text = mutate(random, text)
  const declared =
    { 'UTF-8': '', 'UTF-8 with a mark': '', 'UTF-16LE': 'UTF-16', 'UTF-16BE': 'UTF-16' }[encoding as string] ?? encoding
  const isDeclared = declared !== '' || random.oneIn(3)
  const declaration = isDeclared ? `<?xml version="1.0" encoding="${declared || 'UTF-8'}"?>` : ''
  return encodeAs(encoding, declaration + text)
}

function mutate(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  const removed = random.oneIn(2) ? random.below(4) : 0
  const insert = random.pick([random.pick(PIECES), '', text.slice(at, at + 1 + random.below(12))])
  return text.slice(0, at) + insert + text.slice(at + removed)
}

function encodeAs(encoding: Encoding, text: string): Uint8Array {
  switch (encoding) {
    case 'UTF-16LE':
      return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
    case 'UTF-16BE':
      return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())
    case 'ISO-8859-1':
    case 'US-ASCII':
      return new Uint8Array(Buffer.from(text, 'latin1'))
    default:
      return new TextEncoder().encode(encoding === 'UTF-8' ? text : `\ufeff${text}`)
  }
}
