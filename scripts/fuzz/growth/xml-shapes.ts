// Documents and shapes of records that were quadratic once, or are like those.

import { readDump } from '../../../source/mediawiki/index.ts'
import { type RecordOptions, readXml, type XmlShape } from '../../../source/xml/index.ts'
import { drain } from '../../../test/support/collect.ts'
import type { GrowthShape } from '../../../test/support/growth.ts'
import { piecesOf } from '../../../test/support/xml.ts'

const PIECE = 16 * 1024

function pieces(text: string): Uint8Array[] {
  return piecesOf(Buffer.from(text), PIECE)
}

/** Elements inside each other. */
function nest(count: number, open: string, close: string, inner = ''): string {
  return open.repeat(count) + inner + close.repeat(count)
}

/** Records of an element `x`, or of other elements. */
function records(
  write: (count: number) => string,
  shape: XmlShape,
  { path = 'x', count = 8000, ...options }: RecordOptions & { path?: string; count?: number } = {},
): GrowthShape {
  return {
    count,
    make(size) {
      const input = pieces(write(size))
      return () => drain(readXml(input).records(path, shape, options).batches())
    },
  }
}

const nested = (count: number) => `<r><x>${nest(count, '<a id="1">t', '</a>')}</x></r>`
const apart = (count: number) => `<r><x>${'<a id="1">t</a>'.repeat(count)}</x></r>`
const ofEntities = (count: number) => `<!DOCTYPE r [<!ENTITY e "E<b/>">]><r><x>${nest(count, '<a>&e;', '</a>')}</x></r>`
const all = { path: 'a', nested: 'all' } as const

/** A page whose revisions have something between them. */
function revisions(between: string, how: 'pages' | 'pageLines' | 'revisions' | 'revisionLines'): GrowthShape {
  return {
    count: 500,
    make(count) {
      const revision = (id: number) =>
        `<revision><id>${id}</id><timestamp>2026-01-02T03:04:05Z</timestamp><text bytes="1">x</text></revision>`
      const history = Array.from({ length: count }, (_, i) => revision(i + 1)).join(between)
      const input = pieces(`<mediawiki><page><title>a</title><id>1</id>${history}</page></mediawiki>`)
      return () => drain(readDump(input)[how]())
    },
  }
}

/** Fields of elements in elements, and of what is around records. */
export const XML_SHAPES: Readonly<Record<string, GrowthShape>> = {
  'own texts of nested elements': records(nested, { t: [{ path: '//a', own: true }] }),
  'own texts of nested elements that entities bring': records(ofEntities, { t: [{ path: '//a', own: true }] }),
  'the last of nested elements': records(nested, { t: { path: '//a', pick: 'last' } }),
  'the last of nested elements, with entities': records(ofEntities, { t: { path: '//a', pick: 'last' } }),
  'the last own text of nested elements': records(nested, { t: { path: '//a', pick: 'last', own: true } }),
  'the last of nested elements, as XML': records(nested, { t: { path: '//a', pick: 'last', as: 'xml' } }),
  'the last of elements': records(apart, { t: { path: '//a', pick: 'last' } }),
  'children of nested elements': records(nested, { t: [{ path: '//a', as: 'children', own: true }] }),
  'children of the last of nested elements': records(nested, { t: { path: '//a', as: 'children', pick: 'last' } }),
  'attributes of nested elements': records(nested, { t: [{ path: '//a', as: 'attributes' }] }),
  'places of nested elements': records(nested, {
    t: [{ path: '//a', as: 'offset' }],
    p: [{ path: '//a', as: 'present' }],
  }),
  'elements that no field names': records(apart, { t: 'b', rest: { as: 'rest' } }, { count: 2000 }),
  'nested elements that no field names': records(nested, { t: 'b', rest: { as: 'rest' } }, { count: 2000 }),
  'the newest of records': records(apart, { t: { of: 'a', fields: { t: '.' }, pick: { newest: ['t'] } } }),
  'the last of records': records(apart, { t: { of: 'a', fields: { t: '.' }, pick: 'last' } }),
  'records in nested elements, with one around': records((count) => nest(count, '<a id="1"><b>t</b><x/>', '</a>'), {
    a: { outer: 'a', fields: { id: '@id', first: '**/@id', b: 'b' } },
  }),
  'records beside nested elements around': records(
    (count) => nest(count, '<a id="1"><b>t</b>', '</a>', '<x/>'.repeat(count)),
    { a: { outer: 'a', fields: { id: '@id', first: '**/@id', b: 'b' } } },
  ),
  'the innermost of nested elements': records(nested, { id: '@id', t: '.' }, { path: 'a', nested: 'innermost' }),
  'all nested elements': records(
    nested,
    { id: '@id', own: { path: '.', own: true }, none: '//z', child: 'a/@id' },
    all,
  ),
  'all nested elements that stand alone': {
    count: 1000,
    make(count) {
      const input = pieces(nested(count))
      // Nobody wants their bytes, which would be as many as the square of their number.
      return () => drain(readXml(input).select('a', { nested: 'all', standalone: true }).batches())
    },
  },
  'all nested elements that entities bring': records(ofEntities, { own: { path: '.', own: true } }, all),
  'the first of many, in all nested elements': records(
    (count) => nest(count, '<a>', '</a>', '<b>t</b>'.repeat(count)),
    { id: '//b', at: { path: '//b', as: 'offset' }, either: { firstOf: ['//z', '//b'] } },
    all,
  ),
  'all of many elements in one': records(
    (count) => `<a>${'<a>t</a>'.repeat(count)}</a>`,
    { t: { path: '.', own: true } },
    all,
  ),
  'all nested elements, selected': {
    count: 4000,
    make(count) {
      const input = pieces(nested(count))
      return () => drain(readXml(input).select('a', { nested: 'all' }).batches())
    },
  },
  ...Object.fromEntries(
    (['pages', 'pageLines', 'revisions', 'revisionLines'] as const).flatMap((how) =>
      Object.entries({
        elements: '<odd/>',
        comments: '<!--c-->',
        instructions: '<?p i?>',
        texts: 't',
        uploads: '<upload><size>1</size></upload>',
      }).map(([what, between]) => [`${how} with ${what} between revisions`, revisions(between, how)] as const),
    ),
  ),
}
