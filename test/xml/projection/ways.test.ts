// What fields mean, in every way of reading: random records against the plainest way to find their values, in the tree of the document.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Column,
  parseXml,
  readXml,
  type ValueField,
  type XmlElement,
  type XmlShape,
} from '../../../source/xml/index.ts'
import { valuesOf } from '../../support/arrow.ts'
import { collect, collectAll, cutPlaces } from '../../support/collect.ts'
import { isThorough, range, sample } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { cutAt } from '../../support/random-xml.ts'
import { type Records, requireInAllWays, type WaysOptions } from '../../support/ways.ts'

/** What stands in elements and attributes. Not in attributes: markup. */
const TEXTS = [
  ...[
    '1',
    ' 7\n',
    '-0',
    '-12',
    '007',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '+9007199254740993.0',
  ],
  ...[
    '123456789012345678901234567890',
    '1.5',
    '.5',
    '1e3',
    '9007199254740993e0',
    '12345678901234567.5',
    '1e400',
    'NaN',
  ],
  ...['2026-11-24', ' 2026-11-24T10:00:00.5+01:00\n', '19700101T000000Z', '2026-02-29'],
  ...['', '', ' ', '&none;', '&#49;', '&one;', 'true', '0', 'x"\\,', 'é木🌳', '&lt;'],
]
const MARKUP = ['<!---->', '<![CDATA[]]>', '1<!---->2', '<![CDATA[7]]>', '<b/>', '<b>1</b>', '<b>x</b>1', '<?p?>']
const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
const SUBSET = '<!ENTITY none ""><!ENTITY one "1">'

const attribute = fc.option(fc.constantFrom(...TEXTS.map((text) => text.replaceAll('"', '&quot;'))), {
  nil: undefined,
  freq: 2,
})
/** Attributes that conditions ask for. */
const flags = fc
  .tuple(
    fc.constantFrom('', '', ' x="1"', ' x="0"', ' p:x="1"'),
    fc.constantFrom('', '', '', ' s:nil="true"', ' t:nil=" 1&#x20;"', ' s:nil="false"', ' nil="true"'),
  )
  .map((both) => both.join(''))
const child = fc
  .record({
    name: fc.constantFrom('n', 'n', 'p:n', 'g'),
    flags,
    n: attribute,
    text: fc.constantFrom(...TEXTS, ...MARKUP),
    members: fc.array(fc.constantFrom('<k>1</k>', '<k>2</k>', '<l/>', '<p:k>3</p:k>'), { maxLength: 4 }),
  })
  .map(({ name, flags, n, text, members }) => {
    const own = n === undefined ? '' : ` n="${n}"`
    return `<${name}${flags}${own}>${name === 'g' ? members.join('') : text}</${name}>`
  })
const item = fc
  .record({ flags, n: attribute, p: attribute, children: fc.array(child, { maxLength: 4 }) })
  .map(({ flags, n, p, children }) => {
    const own = (name: string, value: string | undefined) => (value === undefined ? '' : ` ${name}="${value}"`)
    return `<i${flags}${own('n', n)}${own('p:n', p)}>${children.join('')}</i>`
  })
/** Some kinds of records many times: the kernel takes records only where there is more input. */
const documents = fc
  .tuple(fc.array(item, { minLength: 1, maxLength: 5 }), fc.constantFrom(1, 1, 40))
  .map(
    ([items, times]) =>
      `<!DOCTYPE r [${SUBSET}]><r xmlns:p="u" xmlns:n="v" xmlns:s="${XSI}" xmlns:t="${XSI}">${items.join('\n').repeat(times)}</r>`,
  )

/** The element that a value stands in, and its text: undefined if there is none. */
interface Place {
  readonly element: XmlElement
  readonly text: string | undefined
}

const PATHS: Record<string, (record: XmlElement) => Place[]> = {
  '.': (record) => [{ element: record, text: record.text }],
  n: (record) => record.childrenNamed('n').map((element) => ({ element, text: element.text })),
  'p:n': (record) => record.childrenNamed('p:n').map((element) => ({ element, text: element.text })),
  '{u}n': (record) => record.childrenNamed('p:n').map((element) => ({ element, text: element.text })),
  '*:n': (record) => {
    const elements = record.childElements.filter(({ localName }) => localName === 'n')
    return elements.map((element) => ({ element, text: element.text }))
  },
  'n[@x]': (record) =>
    record
      .childrenNamed('n')
      .filter(CONDITIONS['@x'] as Holds)
      .map(placeOf),
  'n[@x="1"]': (record) =>
    record
      .childrenNamed('n')
      .filter(CONDITIONS['@x="1"'] as Holds)
      .map(placeOf),
  'n[not(@x)]': (record) =>
    record
      .childrenNamed('n')
      .filter(CONDITIONS['not(@x)'] as Holds)
      .map(placeOf),
  '*[@*:x][@n]': (record) => {
    const elements = record.childElements.filter((one) => attributesNamed(one, 'x').length > 0)
    return elements.filter((one) => one.attribute('n') !== undefined).map(placeOf)
  },
  '@n': (record) => [{ element: record, text: record.attribute('n') }],
  '@*:n': (record) => attributesNamed(record, 'n').map((text) => ({ element: record, text })),
  'n/@n': (record) => record.childrenNamed('n').map((element) => ({ element, text: element.attribute('n') })),
  'name()': (record) => [{ element: record, text: record.name }],
}

type Holds = (element: XmlElement) => boolean

function placeOf(element: XmlElement): Place {
  return { element, text: element.text }
}

/** The attributes of a local name that declare no namespace. */
function attributesNamed(element: XmlElement, local: string): string[] {
  const named = element.attributes.details.filter(({ localName, prefix }) => localName === local && prefix !== 'xmlns')
  return named.map(({ value }) => value)
}

const CONDITIONS: Record<string, (element: XmlElement) => boolean> = {
  '@x': (element) => element.attributes.has('x'),
  '@x="1"': (element) => element.attribute('x') === '1',
  '@x!="1"': (element) => element.attributes.has('x') && element.attribute('x') !== '1',
  '@*:x': (element) => attributesNamed(element, 'x').length > 0,
  'not(@x)': (element) => !element.attributes.has('x'),
  'not( @x="1" )': (element) => element.attribute('x') !== '1',
}
const condition = fc.constantFrom(...Object.keys(CONDITIONS))

interface Wanted {
  readonly field: ValueField
  readonly isList: boolean
}

const field: fc.Arbitrary<Wanted> = fc
  .record({
    path: fc.constantFrom(...Object.keys(PATHS)),
    as: fc.constantFrom('string', 'integer', 'number', 'number', 'boolean', 'date', 'byteLength', 'present'),
    empty: fc.oneof(
      fc.constant(undefined),
      fc.constant('absent' as const),
      condition.map((absentIf) => ({ absentIf })),
    ),
    unless: fc.option(condition, { nil: undefined, freq: 2 }),
    pick: fc.constantFrom('first', 'last'),
    isList: fc.boolean(),
  })
  .map(({ isList, pick, ...rest }) => {
    return { field: { ...rest, ...(isList ? {} : { pick }) } as ValueField, isList }
  })

const INVALID = Symbol('invalid')
const DATES: Record<string, Date> = {
  '2026-11-24': new Date('2026-11-24T00:00:00.000Z'),
  '2026-11-24T10:00:00.5+01:00': new Date('2026-11-24T09:00:00.500Z'),
  '19700101T000000Z': new Date(0),
}

/** What a text is to become. Whole numbers are compared as whole numbers. */
function convert(kind: ValueField['as'], text: string): unknown {
  const trimmed = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  if (kind === 'boolean')
    return ({ true: true, 1: true, false: false, 0: false } as Record<string, boolean>)[trimmed] ?? INVALID
  if (kind === 'integer') {
    const isSafe = /^[+-]?\d+$/.test(trimmed) && Number.isSafeInteger(Number(trimmed))
    return isSafe ? Number(trimmed) + 0 : INVALID
  }
  if (kind === 'date') return DATES[trimmed] ?? INVALID
  if (kind === 'byteLength') return Buffer.byteLength(text)
  if (kind !== 'number') return kind === 'present' ? true : text
  const number = Number(trimmed)
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) || !Number.isFinite(number)) return INVALID
  const whole = /^\+?(-?\d+)(\.0*)?$/.exec(trimmed)?.[1]
  return whole === undefined || BigInt(whole) === BigInt(number) ? number : INVALID
}

/** The value of a field; the symbol for one that is not of its kind, if that is an error. */
function valueIn(record: XmlElement, { field, isList }: Wanted, isLenient: boolean): unknown {
  const { path = '', as, empty, unless, pick } = field
  const holds = (text: string, element: XmlElement) => (CONDITIONS[text] as (one: XmlElement) => boolean)(element)
  const places = (PATHS[path] as (one: XmlElement) => Place[])(record).filter(({ text }) => text !== undefined)
  const isRefused = ({ element }: Place) => unless !== undefined && holds(unless, element)
  const isEmpty = ({ element, text }: Place) => {
    // Blanks around all but texts do not count.
    const hasBlanks = as === 'integer' || as === 'number' || as === 'boolean' || as === 'date'
    const isEmpty = (hasBlanks ? text?.trim() : text) === ''
    return isEmpty && (empty === 'absent' || (empty !== undefined && holds(empty.absentIf, element)))
  }
  const hasNull = !/@[^[\]]*$|\(\)$/.test(path) && as !== 'present'
  const isNull = ({ element }: Place) =>
    element.attributes.details.some(({ localName, namespace, value }) => {
      return localName === 'nil' && namespace === XSI && ['true', '1'].includes(value.trim())
    })
  const read = (place: Place) => {
    const isNil = hasNull && isNull(place)
    if (isNil && place.text === '') return undefined
    const value = isNil ? INVALID : convert(as, place.text as string)
    return value === INVALID && isLenient ? undefined : value
  }
  if (isList) {
    const values = places.filter((place) => !isRefused(place) && !isEmpty(place)).map(read)
    return values.includes(INVALID) ? INVALID : values
  }
  const place = places.at(pick === 'last' ? -1 : 0)
  return !place || isRefused(place) || isEmpty(place) ? undefined : read(place)
}

/** Paths of records, and the elements that they match. */
const RECORD_PATHS: Record<string, Holds> = {
  i: () => true,
  'i[@x!="1"]': CONDITIONS['@x!="1"'] as Holds,
  'i[not(@*:x)]': (element) => attributesNamed(element, 'x').length === 0,
  'i[g]': (element) => element.child('g') !== undefined,
  'i[not(*:n)][not(@x="1")]': (element) =>
    element.child('*:n') === undefined && (CONDITIONS['not( @x="1" )'] as Holds)(element),
}

/** All records of a document before the first with a value that is an error. */
function recordsOf(document: string, wanted: readonly Wanted[], isLenient: boolean, path = 'i'): Records {
  const records: Record<string, unknown>[] = []
  for (const element of parseXml(document)
    .root.childrenNamed('i')
    .filter(RECORD_PATHS[path] as Holds)) {
    const values = wanted.map((one) => valueIn(element, one, isLenient))
    if (values.includes(INVALID)) return { records, code: 'invalid-value' }
    records.push(Object.fromEntries(values.map((value, i) => [`f${i}`, value])))
  }
  return { records }
}

function shapeOf(wanted: readonly Wanted[]): XmlShape {
  return Object.fromEntries(wanted.map(({ field, isList }, i) => [`f${i}`, isList ? ([field] as const) : field]))
}

const hasValue = (value: unknown): boolean => (Array.isArray(value) ? value.some(hasValue) : value !== undefined)

describe('fields', () => {
  test('mean the same in every way of reading', async () => {
    const cuts = fc.array(fc.nat(4000), { maxLength: 3 })
    const fields = fc.array(field, { maxLength: 4 })
    const paths = fc.constantFrom('i', 'i', ...Object.keys(RECORD_PATHS))
    await fc.assert(
      fc.asyncProperty(
        documents,
        fields,
        fc.boolean(),
        paths,
        cuts,
        async (document, wanted, lenient, path, places) => {
          const expected = recordsOf(document, wanted, lenient, path)
          await requireInAllWays(cutAt(document, places), path, shapeOf(wanted), { lenient }, expected)
        },
      ),
      parameters(120, 4),
    )
  })

  test('are filtered in the same way by conditions and by functions, which may answer with anything that counts as true', async () => {
    const fields = fc.array(field, { minLength: 1, maxLength: 3 })
    const answers = fc.constantFrom<unknown[]>(
      [true, false],
      [1, undefined],
      ['x', null],
      [{}, ''],
      [Number.NaN, 0].map(String),
    )
    await fc.assert(
      fc.asyncProperty(documents, fields, answers, async (document, wanted, [yes, no]) => {
        const all = recordsOf(document, wanted, true).records
        const isIn = ({ f0 }: Readonly<Record<string, unknown>>) => hasValue(f0)
        const [both, none] = [Boolean(no), !yes]
        const expected = all.filter((one) => (isIn(one) ? !none : both))
        const shape = shapeOf(wanted)
        const pieces = cutAt(document, [])
        const conditions = { where: { f0: { present: true } }, lenient: true } satisfies WaysOptions
        await requireInAllWays(pieces, 'i', shape, conditions, { records: all.filter(isIn) })
        const where = (record: Readonly<Record<string, unknown>>) => (isIn(record) ? yes : no)
        await requireInAllWays(pieces, 'i', shape, { where, lenient: true }, { records: expected })
      }),
      parameters(50, 1),
    )
  })
})

const encoder = new TextEncoder()

/** At every cut, complete and byte by byte. */
async function requireAtEveryCut(
  document: string,
  shape: XmlShape,
  options: WaysOptions,
  expected: Records,
  path = 'i',
): Promise<void> {
  const bytes = encoder.encode(document)
  await requireInAllWays([bytes], path, shape, options, expected)
  // A pipe or a worker reads what is cut as the others do.
  for (const cut of [range(0, bytes.length), ...cutPlaces(bytes.length).map((place) => [place])]) {
    const kind = isThorough && cut.length > 1 ? 'all' : 'direct'
    await requireInAllWays(cutAt(document, cut), path, shape, options, expected, kind)
  }
  const times = 50
  const long = document.replace(/(?<=^(?:<!DOCTYPE[^\]]*\]>)?<r[^>]*>).*(?=<\/r>$)/s, (all) => all.repeat(times))
  // After an error nothing comes.
  const records = Array.from({ length: expected.code ? 1 : times }, () => expected.records).flat()
  await requireInAllWays(cutAt(long, []), path, shape, options, { ...expected, records })
}

describe('in every way of reading', () => {
  test('a shape without fields counts: it gives an empty record for each element', async () => {
    await requireAtEveryCut('<r><i/><i a="1">x</i><i><b/></i></r>', {}, {}, { records: [{}, {}, {}] })
    const shape = { inner: { of: 'b', fields: {} }, all: [{ of: 'b', fields: {} }] } as const
    await requireAtEveryCut(
      '<r><i/><i><b/><b/></i></r>',
      shape,
      {},
      { records: [{ all: [] }, { inner: {}, all: [{}, {}] }] },
    )
  })

  test.runIf(isThorough)(
    'a path asks whether the element of a record has a child, also one that no field is about',
    async () => {
      const document =
        '<r xmlns:p="u"><i n="1"><a/><p:b>x</p:b></i><i n="2"/><i n="3"><p:b>y</p:b>z</i><i n="4"><c><a/></c></i></r>'
      const shape = { n: '@n', text: '.' } as const
      const [one, two, three, four] = [
        { n: '1', text: 'x' },
        { n: '2', text: '' },
        { n: '3', text: 'yz' },
        { n: '4', text: '' },
      ]
      const cases: [path: string, records: Records['records']][] = [
        ['i[a]', [one]],
        ['i[not(a)]', [two, three, four]],
        ['/r/i[*:b][not( a )]', [three]],
        ['i[{u}b]', [one, three]],
        ['i[p:b][@n="3"]', [three]],
        ['i[*]', [one, three, four]],
        ['i[not(*)][not(@m)]', [two]],
      ]
      for (const [path, records] of cases) await requireAtEveryCut(document, shape, {}, { records }, path)
      const options = { prefixes: { q: 'u' }, where: { text: { notIn: ['x'] } } }
      await requireAtEveryCut(document, shape, options, { records: [three] }, 'i[q:b]')
      await requireAtEveryCut(document, {}, {}, { records: [{}, {}] }, 'i[p:b]')
    },
  )

  test('an attribute that an entity or a default gives is one for not(…) as well', async () => {
    const document =
      '<!DOCTYPE r [<!ATTLIST i x CDATA "1"><!ENTITY two "2">]><r><i/><i x="&two;"/><i x="3" y=""/><j/><i x="1" y=""/></r>'
    const shape = { x: '@x', named: { path: 'name()', unless: 'not(@y)' } } as const
    const of = (x: string | undefined, named?: string) => ({ x, named })
    const cases: [path: string, records: Records['records']][] = [
      ['i[not(@x="1")]', [of('2'), of('3', 'i')]],
      ['i[@x!="2"][not(@y)]', [of('1')]],
      ['/r/*[not(@x)]', [of(undefined)]],
    ]
    for (const [path, records] of cases) await requireAtEveryCut(document, shape, {}, { records }, path)
  })

  test('an empty attribute is as absent as an empty element', async () => {
    const as = { as: 'present', empty: 'absent' } as const
    const shape = {
      attribute: { path: '@n', ...as },
      element: { path: 'e', ...as },
      named: { path: 'name()', ...as },
      some: { path: '@n', as: 'present', empty: { absentIf: '@x' } },
    } as const
    await requireAtEveryCut(
      '<r><i n=""><e/></i><i n="" x=""/><i n=" " x=""><e>1</e></i></r>',
      shape,
      {},
      {
        records: [
          { named: true, some: true },
          { named: true },
          { attribute: true, element: true, named: true, some: true },
        ],
      },
    )
  })

  test('a value of a list that is not of its kind keeps its place, and an empty one that is absent does not', async () => {
    const shape = {
      all: [{ path: 'n', as: 'integer' }],
      present: [{ path: 'n', as: 'integer', empty: 'absent' }],
      shown: [{ path: 'n', as: 'integer', unless: '@x' }],
    } as const
    await requireAtEveryCut(
      '<r><i><n>1</n><n x="">x</n><n/></i></r>',
      shape,
      { lenient: true },
      {
        records: [{ all: [1, undefined, undefined], present: [1, undefined], shown: [1, undefined] }],
      },
    )
  })

  test.runIf(isThorough)('a record without a value that is required is an error', async () => {
    const shape = {
      id: { path: '@id', as: 'integer', required: true },
      name: { path: 'n', required: true, unless: '@off', empty: 'absent' },
      inner: { of: 'm', fields: { x: { path: 'x', required: true, late: true } } },
      any: { firstOf: ['x', 'n'], required: true },
    } as const
    const documentOf = (item: string) => `<r><i id="1"><n>a</n></i><i id="2"><n>b</n><m><x/></m></i>${item}<i/></r>`
    const records = [
      { id: 1, name: 'a', inner: undefined, any: 'a' },
      { id: 2, name: 'b', inner: { x: '' }, any: 'b' },
    ]
    const items = [
      '<i><n>c</n></i>',
      '<i id="3"><m><x/></m></i>',
      '<i id="3"><n off="">c</n></i>',
      '<i id="3"><n/></i>',
      '<i id="3"><n><!-- --></n></i>',
      '<i id="3"><n>c</n><m/></i>',
    ]
    for (const item of sample(items, 4))
      await requireAtEveryCut(documentOf(item), shape, {}, { records, code: 'missing-value' })
    await requireAtEveryCut(documentOf('<i id="x"/>'), shape, { lenient: true }, { records, code: 'missing-value' })
    const where = { id: { from: 2 } }
    await requireAtEveryCut(documentOf(''), shape, { where }, { records: records.slice(1), code: 'missing-value' })
  })

  test('bytes are those of what a text stands for, and are counted where there is a text', async () => {
    const field = { path: 'n', as: 'byteLength' } as const
    const shape = {
      first: { ...field, unless: '@off', empty: { absentIf: '@x' } },
      own: { ...field, own: true },
      all: [{ ...field, empty: 'absent' }],
      last: { ...field, pick: 'last', required: true },
      attribute: { path: '@n', as: 'byteLength' },
      named: { path: 'name()', as: 'byteLength' },
    } as const
    const document = [
      '<!DOCTYPE r [<!ENTITY none ""><!ENTITY tree "木<b>&#x1F333;</b>">]><r>',
      '<i n="&lt;&#xE9;\t"><n>a&amp;\r\n<![CDATA[<é>]]><!-- é --><b>木</b><?p é?></n></i>',
      '<i n=""><n>&tree;&tree;</n><n/><n>&none;</n></i>',
      '<i><n x="">&none;</n><n> </n></i><i><n off="">🌳</n></i>',
      '</r>',
    ].join('')
    const read = { attribute: undefined, named: 1 }
    const records = [
      { first: 10, own: 7, all: [10], last: 10, attribute: 4, named: 1 },
      { first: 14, own: 6, all: [14], last: 0, attribute: 0, named: 1 },
      { ...read, first: undefined, own: 0, all: [1], last: 1 },
      { ...read, first: undefined, own: 4, all: [4], last: 4 },
    ]
    await requireAtEveryCut(document, shape, {}, { records })
    const where = { first: { from: 11 } }
    await requireAtEveryCut(document, shape, { where }, { records: records.slice(1, 2) })
    await requireAtEveryCut(document.replace('</r>', '<i/></r>'), shape, {}, { records, code: 'missing-value' })
  })

  test('an element around a record that is required and not there is an error', async () => {
    const shape = { n: '@n', around: { outer: '/r/g', required: true, fields: { k: '@k' } } } as const
    const records = [
      { n: '1', around: { k: '7' } },
      { n: '2', around: { k: '7' } },
    ]
    const document = '<r><g k="7"><i n="1"/><i n="2"/></g></r>'
    await requireAtEveryCut(document, shape, {}, { records })
    const wrong = document.replace('</r>', '<i n="3"/></r>')
    await requireAtEveryCut(wrong, shape, {}, { records, code: 'missing-value' })
  })

  test('a whole number that a double cannot hold is not a number', async () => {
    const shape = { n: { path: '@n', as: 'number' } } as const
    const document =
      '<r><i n="9007199254740992"/><i n="-1e22"/><i n="1.10000000000000009"/><i n="9007199254740993"/></r>'
    const records = [{ n: 9007199254740992 }, { n: -1e22 }, { n: 1.1 }]
    await requireAtEveryCut(document, shape, {}, { records, code: 'invalid-value' })
    await requireAtEveryCut(document, shape, { lenient: true }, { records: [...records, { n: undefined }] })
    const where = { n: { from: 9007199254740992 } }
    await requireAtEveryCut(document, shape, { where }, { records: records.slice(0, 1), code: 'invalid-value' })
  })

  test('an asterisk stands for any namespace, also beside prefixes that are declared for paths', async () => {
    const shape = {
      any: ['*:n'],
      ours: 'q:n',
      written: { path: '@*:x', unless: '@*:off' },
      inner: { of: '*:m', fields: { first: '*:n', id: '@*:id' } },
      deep: ['//*:n/@*:x'],
    } as const
    const document =
      '<r xmlns:p="u"><i p:x="1" x="2"><p:n x="3">a</p:n><n>b</n></i><i xmlns:q="v" q:off="" x="4"><q:m q:id="7"><q:n q:x="5">c</q:n></q:m></i></r>'
    const records = [
      { any: ['a', 'b'], ours: 'a', written: '1', inner: undefined, deep: ['3'] },
      { any: [], ours: undefined, written: undefined, inner: { first: 'c', id: '7' }, deep: ['5'] },
    ]
    await requireAtEveryCut(document, shape, { prefixes: { q: 'u' } }, { records })
  })

  test('children with one name are all there', async () => {
    const shape = { all: { path: 'g', as: 'children' }, list: [{ path: 'g', as: 'children' }] } as const
    const document =
      '<r><i><g><k>1</k><l>a</l><k/><k>3</k><__proto__>p</__proto__><__proto__>q</__proto__></g><g><k>4</k></g></i></r>'
    const all = Object.fromEntries([
      ['k', ['1', '', '3']],
      ['l', 'a'],
      ['__proto__', ['p', 'q']],
    ])
    const expected = `${JSON.stringify({ all, list: [all, { k: '4' }] })}\n`
    const bytes = encoder.encode(document)
    for (const engine of ['wasm', 'plain'] as const) {
      for (const cut of [[], ...cutPlaces(bytes.length).map((place) => [place]), Array.from(bytes, (_, i) => i)]) {
        const pieces = cutAt(document, cut)
        const records = await collectAll(readXml(pieces, { engine }).records('i', shape))
        expect(records.map((one) => `${JSON.stringify(one)}\n`)).toEqual([expected])
        const lines = await collect(readXml(pieces, { engine }).write('jsonl', 'i', shape))
        expect(new TextDecoder().decode(lines)).toBe(expected)
        const [batch] = await collectAll(readXml(pieces, { engine }).columns('i', shape))
        expect(valuesOf(batch?.columns[0] as Column)).toEqual([JSON.stringify(all)])
      }
    }
  })
})

describe('an element with xsi:nil', () => {
  const XSI_BEGIN = `<r xmlns:s="${XSI}">`

  test('is null, in lists at its place, as a record too, wherever input is cut', async () => {
    const document = `${XSI_BEGIN}<i><n s:nil="true"/><m>1</m><m s:nil="1"></m><a x="2" s:nil="true"/><b s:nil="true"/><b><c>3</c><d>2026-01-01</d></b></i><i><n>4</n><a x="6"><c>5</c></a></i></r>`
    const shape = {
      text: 'n',
      number: { path: 'n', as: 'integer' },
      other: { firstOf: ['n', 'm'], as: 'integer' },
      all: [{ path: 'm', as: 'number' }],
      there: { path: 'n', as: 'present' },
      x: 'a/@x',
      a: { of: 'a', fields: { c: 'c', x: '@x' } },
      b: [{ of: 'b', fields: { c: { path: 'c', late: true }, d: { path: 'd', as: 'date' } } }],
    } as const
    const records = [
      { other: 1, all: [1, undefined], there: true, x: '2', b: [undefined, { c: '3', d: new Date('2026-01-01') }] },
      { text: '4', number: 4, other: 4, all: [], there: true, x: '6', a: { c: '5', x: '6' }, b: [] },
    ]
    await requireAtEveryCut(document, shape, {}, { records })
  })

  test.each([
    ['a text', `<n s:nil="true">1</n>`, { n: 'n' }, 'invalid-value'],
    ['a number', `<n s:nil="true">1</n>`, { n: { path: 'n', as: 'integer' } }, 'invalid-value'],
    ['a value of a list', `<n s:nil="true"> </n>`, { n: ['n'] }, 'invalid-value'],
    ['a record', `<n s:nil="true"><a>1</a></n>`, { n: { of: 'n', fields: { a: 'a' } } }, 'invalid-value'],
    ['the text of a record', `<n s:nil="true">1</n>`, { n: { of: 'n', fields: { a: '.' } } }, 'invalid-value'],
    ['a required text', `<n s:nil="true"/>`, { n: { path: 'n', required: true } }, 'missing-value'],
    ['a required record', `<n s:nil="true"/>`, { n: { of: 'n', fields: {}, required: true } }, 'missing-value'],
  ] as const)('has no content, and is not a required value: %s', async (_, element, shape, code) => {
    await requireAtEveryCut(`${XSI_BEGIN}<i>${element}</i></r>`, shape as XmlShape, {}, { records: [], code })
  })

  test('reads what absent: null has written', async () => {
    const shape = { a: 'a', b: [{ path: 'b', as: 'integer' }], c: { of: 'c', fields: { d: 'd' } } } as const
    const given = `<r><i><a>x</a><b>1</b><c><d/></c></i><i/></r>`
    const written = await collect(readXml(given).write('xml', 'i', shape, { absent: 'null' }))
    const read = await collectAll(readXml(written).records('record', shape))
    expect(read).toEqual(await collectAll(readXml(given).records('i', shape)))
  })
})

test('a default stands where nothing has a value, in lines, tables and conditions too', async () => {
  const shape = {
    n: { path: 'n', as: 'integer', default: 7, empty: 'absent' },
    t: { path: 't', default: '-' },
    in: { of: 'a', fields: { b: { path: 'b', as: 'boolean', default: false } } },
  } as const
  const document = '<r><i><n>1</n><a/></i><i><n/><t>x</t><a><b>1</b></a></i></r>'
  const records = [
    { n: 1, t: '-', in: { b: false } },
    { n: 7, t: 'x', in: { b: true } },
  ]
  await requireAtEveryCut(document, shape, {}, { records })
  await requireAtEveryCut(document, shape, { where: { n: { in: [7] } } }, { records: records.slice(1) })
})

test('a lone empty cell of CSV is quoted, so that readers do not skip its line', async () => {
  await requireAtEveryCut(
    '<r><i><n>1</n></i><i><n/></i><i/></r>',
    { n: 'n' },
    {},
    { records: [{ n: '1' }, { n: '' }, {}] },
  )
  const written = await collect(readXml('<r><i><n>1</n></i><i/></r>').write('csv', 'i', { n: 'n' }))
  expect(new TextDecoder().decode(written)).toBe('n\r\n1\r\n""\r\n')
})
