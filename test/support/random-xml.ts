// Random documents, in which some of what stands between tags can be skipped, and some needs inspection.

import fc from 'fast-check'

const NAMES = ['a', 'b', 'c', 'd']
/** What may stand between tags. */
const FILLING = fc.constantFrom(
  '',
  '',
  'x',
  ' \n ',
  '&lt;é&amp;',
  '&#65;',
  '<![CDATA[<]]>',
  '<!--c-->',
  '<?t d?>',
  '\r\n',
  '&e;',
  '&s;',
  '&n;',
)
const ATTRIBUTES = fc.constantFrom(
  '',
  '',
  '',
  ' n="1"',
  ' m="&quot;\t"',
  ' xml:lang="x"',
  ' xmlns="u"',
  ' xmlns="v"',
  ' xmlns=""',
  ' xmlns:p="v" p:n="2"',
)

const element: fc.Memo<string> = fc.memo((depth) => {
  const children = depth <= 1 ? fc.constant([]) : fc.array(fc.tuple(element(), FILLING), { maxLength: 3 })
  return fc
    .tuple(fc.constantFrom(...NAMES), ATTRIBUTES, FILLING, children)
    .map(([name, attributes, filling, inner]) => {
      const content = filling + inner.map(([child, behind]) => child + behind).join('')
      return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`
    })
})
/** Several times the same: what has been seen need not be looked at again. */
export const randomDocuments = fc
  .tuple(
    fc.array(
      fc.tuple(element(4), FILLING).map(([tags, filling]) => tags + filling),
      { minLength: 1, maxLength: 12 },
    ),
    fc.integer({ min: 1, max: 3 }),
    ATTRIBUTES,
  )
  .map(([elements, times, attributes]) => {
    const subset = '<!ENTITY e "E<b m=\'1\'><c/>in</b>"><!ENTITY s "S"><!ENTITY n ""><!ATTLIST d k CDATA "v">'
    return `<!DOCTYPE r [${subset}]><r${attributes}>${`${elements.join('\n')}\n`.repeat(times)}</r>`
  })

/** The bytes of a document, cut at some places. */
export function cutAt(document: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(document)
  const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b)
  return places.slice(1).map((place, i) => bytes.subarray(places[i], place))
}

/** A document whose root `r` has its content several times. */
export function repeatContent(document: string, times: number): string {
  const content = /<r[^>]*>(?<content>.*)<\/r>$/su.exec(document)?.groups?.content ?? ''
  return document.replace(content, () => content.repeat(times))
}
