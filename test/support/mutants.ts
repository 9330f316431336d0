// Documents with random errors, the same for the same seed.

import type { Random } from './random.ts'

/** Without document types, which not all that we compare with read. */
export const PLAIN_DOCUMENTS = [
  '<?xml version="1.0" encoding="UTF-8"?>\n<!-- c --><r a="1" b=\'&lt;2&#x41;\'>t &amp; <e/>u<![CDATA[<x>]]>v<?p d?></r>\n',
  '<p:r xmlns:p="u" xmlns="v" p:a="1"><b xmlns=""/><p:c p:d="é木🌳">x\r\ny\tz</p:c></p:r>',
  '<a><b><c>]] ></c></b><b>&#10;&quot;&apos;&gt;</b><!--\n--><d e = "f"\n g="h" ></d ></a>',
]
/** With document types that stand for themselves. */
export const DOCUMENTS_WITH_TYPES = [
  '<!DOCTYPE a [<!ELEMENT a ANY><!ENTITY e "x<b/>y"><!ENTITY f \'&e;&#38;#60;\'><!-- c --><?p i?>]><a>&e;-&f;</a>',
  '<!DOCTYPE a [<!ATTLIST a t NMTOKENS "q  r" k CDATA #IMPLIED>\n<!NOTATION n SYSTEM "s">]><a k="&#9; x" t=" x  y ">z</a>',
  '<!DOCTYPE a PUBLIC "-//p" "s" [<!ELEMENT a (b?,(c|d)*)><!ELEMENT b (#PCDATA|c)*><!ENTITY v "1"><!ATTLIST b w (x|y) "x">]><a><b>&v;</b></a>',
]
const PIECES = [
  '<',
  '>',
  '&',
  ';',
  '"',
  "'",
  '/',
  '=',
  ' ',
  'a',
  ':',
  '!',
  '-',
  '?',
  ']',
  '[',
  '\n',
  '&lt;',
  ']]>',
  '<b>',
  '</b>',
  '--',
  'xmlns:q="w"',
  '\u0001',
  'é',
  '木',
  '\r\n',
  '<!',
  '<![CDATA[',
  '<!--',
  '<?',
  '</',
  '&#',
  '&e',
  '&nope;',
  '%p;',
]

/** One of the documents with one to three changes. */
export function mutate(random: Random, documents: readonly string[]): string {
  let text = random.pick(documents)
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(text.length + 1)
    const length = random.below(4)
    const kind = random.below(3)
    const insert = kind === 0 ? '' : kind === 1 ? random.pick(PIECES) : text.slice(at, at + 1 + random.below(12))
    text = text.slice(0, at) + insert + text.slice(at + (kind === 2 ? 0 : length))
  }
  // Half of a pair becomes U+FFFD for both.
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
