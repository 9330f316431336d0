// Shapes: what their fields are, and what is an error.

import { describe, expect, test } from 'vitest'
import { parseXml, readXml, type WhereConditions, type XmlShape, type XmlWhere } from '../../../source/xml/index.ts'
import { INTERNAL } from '../../../source/xml/question/shape.ts'
import { isThorough } from '../../support/extent.ts'
import { readRecords, recordsOf } from '../../support/records.ts'

describe('a value', () => {
  test('is a number or a boolean if that is its kind, with blanks around it', async () => {
    const document = '<r><p n=" +7 " x="-1.5e2" b="1" o="false"><i>\n-0<!-- -->12&#48;\n</i></p></r>'
    const shape: XmlShape = {
      n: { path: '@n', as: 'integer' },
      x: { path: '@x', as: 'number' },
      b: { path: '@b', as: 'boolean' },
      o: { path: '@o', as: 'boolean' },
      i: { path: 'i', as: 'integer' },
      none: { path: 'none', as: 'integer' },
    }
    expect(await recordsOf(document, 'p', shape)).toEqual([
      { n: 7, x: -150, b: true, o: false, i: -120, none: undefined },
    ])
  })

  test.each([
    ['integer', '9007199254740992', 'a whole number from -9007199254740991 to 9007199254740991'],
    ['integer', '1.0', 'a whole number'],
    ['integer', '', 'a whole number'],
    ['number', '1e999', 'a finite decimal number that is exact if it is an integer'],
    ['number', 'NaN', 'a finite decimal number that is exact if it is an integer'],
    ['number', '9007199254740993', 'a finite decimal number that is exact if it is an integer'],
    ['boolean', 'yes', 'true, false, 1 or 0'],
  ] as const)('that is not a %s is an error with its place, or undefined: %j', async (as, text, words) => {
    const document = `<r>\n<p><v>1</v></p><p><a/>\n <q>x<v>${text}</v></q></p><p><v>1</v></p></r>`
    const shape = { v: { path: '//v', as }, q: 'q' } as const
    const value = as === 'boolean' ? true : 1
    const { records, fault } = await readRecords(document, 'p', shape)
    expect(records).toEqual([{ v: value, q: undefined }])
    const message = `the value ${JSON.stringify(text)} of the field v is not ${words}`
    expect(fault).toEqual(['invalid-value', expect.stringContaining(message), 35, 3, 9])
    expect(await recordsOf(document, 'p', shape, { lenient: true })).toEqual([
      { v: value, q: undefined },
      { v: undefined, q: `x${text}` },
      { v: value, q: undefined },
    ])
  })

  test('is a date of ISO 8601 if that is its kind, from elements, attributes and names, with blanks around it', async () => {
    const document = `<!DOCTYPE r [<!ENTITY y "2026">]><r><p at="2026-11-24T10:00Z" on=" 20261124 "><d>\n&y;-11-24T10:00:00<!-- -->.123456+01&#58;00\n</d>
      <e>2026-11-24</e><e> </e><e>1969-12-31T23:59:59.999Z</e></p></r>`
    const shape: XmlShape = {
      at: { path: '@at', as: 'date' },
      on: { path: '@on', as: 'date' },
      d: { path: 'd', as: 'date' },
      none: { path: 'none', as: 'date' },
      all: [{ path: 'e', as: 'date', empty: 'absent' }],
      first: { firstOf: ['f', 'e'], as: 'date' },
      inner: { of: 'e', pick: 'last', fields: { day: { path: '.', as: 'date' } } },
    }
    const last = new Date(-1)
    expect(await recordsOf(document, 'p', shape)).toEqual([
      {
        at: new Date('2026-11-24T10:00:00Z'),
        on: new Date('2026-11-24T00:00:00Z'),
        d: new Date('2026-11-24T09:00:00.123Z'),
        none: undefined,
        all: [new Date('2026-11-24T00:00:00Z'), last],
        first: new Date('2026-11-24T00:00:00Z'),
        inner: { day: last },
      },
    ])
  })

  test('that is not a date is an error with its place, or undefined, also in a list', async () => {
    const document = '<r>\n<p><d>2026-11-24</d></p><p>\n <d>2026-11-24</d><d>2016-12-31T23:59:60Z</d></p></r>'
    const { records, fault } = await readRecords(document, 'p', { d: [{ path: 'd', as: 'date' }] })
    const day = new Date('2026-11-24T00:00:00Z')
    expect(records).toEqual([{ d: [day] }])
    const message =
      'the value "2016-12-31T23:59:60Z" of the field d is not a date or a time of ISO 8601, such as 2026-11-24 or 2026-11-24T10:00:00Z'
    expect(fault).toEqual(['invalid-value', expect.stringContaining(message), 53, 3, 22])
    const shape = { d: [{ path: 'd', as: 'date' }], last: { path: 'd', as: 'date', pick: 'last' } } as const
    expect(await recordsOf(document, 'p', shape, { lenient: true })).toEqual([
      { d: [day], last: day },
      { d: [day, undefined], last: undefined },
    ])
    const required = { d: { path: 'd', as: 'date', pick: 'last', required: true } } as const
    expect((await readRecords(document, 'p', required, { lenient: true })).fault?.[0]).toBe('invalid-value')
  })

  test('that is not of its kind has its place also if an entity brings a part of it, or its record ends much later', async () => {
    const document = `<!DOCTYPE r [<!ENTITY e "y">]><r><p><v>1&e;2</v>${'<x/>'.repeat(40)}</p></r>`
    const { fault } = await readRecords(document, 'p', { v: { path: 'v', as: 'number' } })
    expect(fault).toEqual(['invalid-value', expect.stringContaining('"1y2" of the field v'), 39, 1, 40])
  })

  test('that is required and absent is an error with the place of its record, or of the value that counts as absent', async () => {
    const shape = { v: { path: 'v', required: true, empty: 'absent' } } as const
    const message = 'the field v is required, but it has no value'
    for (const [item, place] of [
      ['<p>x</p>', [9, 3, 1]],
      [`<p>${'<x/>'.repeat(200)}</p>`, [9, 3, 1]],
      ['<p><v/></p>', [16, 3, 8]],
    ] as const) {
      const { fault } = await readRecords(`<r>\n<q/>\n${item}</r>`, 'p', shape)
      expect(fault).toEqual(['missing-value', expect.stringContaining(message), ...place])
    }
  })

  test('is the first of several records whose first field has a value, and an array without records can be absent', async () => {
    const shape = {
      by: {
        of: 'by',
        oneOf: [
          { off: { path: '@off', as: 'present' } },
          { ip: 'ip' },
          { name: 'name', id: { path: 'id', as: 'integer' } },
        ],
      },
      all: [{ of: 'x', fields: { n: 'n' }, empty: 'absent' }],
    } as const
    const items = [
      '<by off=""><ip>1</ip></by>',
      '<by><name>a</name><ip>1</ip></by>',
      '<by><id>7</id><name>a</name></by>',
      '<by><id>x</id></by>',
      '<x><n>1</n></x>',
    ]
    const document = `<r>${items.map((item) => `<p>${item}</p>`).join('')}</r>`
    const expected = [
      { by: { off: true } },
      { by: { ip: '1' } },
      { by: { name: 'a', id: 7 } },
      {},
      { all: [{ n: '1' }] },
    ]
    expect(await recordsOf(document, 'p', shape)).toEqual(expected)
    let lines = ''
    for await (const bytes of readXml(document).write('jsonl', 'p', shape)) lines += new TextDecoder().decode(bytes)
    expect(lines).toBe(expected.map((record) => `${JSON.stringify(record)}\n`).join(''))
  })

  test('is the source of an element, with what is in it as it stands', async () => {
    const document =
      '<!DOCTYPE r [<!ENTITY e "<b>1</b>">]><r><p><b c="&lt;">\r\n&#65;<!-- x --><b/>&e;</b><b/><q>&e;</q></p></r>'
    expect(await recordsOf(document, 'p', { b: { path: 'b', as: 'xml' }, all: [{ path: '//b', as: 'xml' }] })).toEqual([
      {
        b: '<b c="&lt;">\r\n&#65;<!-- x --><b/>&e;</b>',
        all: ['<b c="&lt;">\r\n&#65;<!-- x --><b/>&e;</b>', '<b/>', '<b/>'],
      },
    ])
  })

  test('is true if only its presence counts', async () => {
    const shape = { minor: { path: 'minor', as: 'present' }, id: { path: '@id', as: 'present' } } as const
    expect(await recordsOf('<r><p id=""><minor/></p><p/></r>', 'p', shape)).toEqual([
      { minor: true, id: true },
      { minor: undefined, id: undefined },
    ])
  })

  test('holds all attributes of an element, or the texts of its children', async () => {
    const document =
      '<!DOCTYPE r [<!ATTLIST p d CDATA "x&#38;lt;"><!ENTITY e "<n>é</n>">]><r><p a="1&#10;2" b=""><k>1</k><k>2</k><l>a<m>b</m></l>&e;</p><q><__proto__>3</__proto__></q><q><z/></q></r>'
    const shape = {
      own: { path: '.', as: 'attributes' },
      children: { path: '.', as: 'children' },
      none: { path: 'l', as: 'attributes' },
    } as const
    expect(await recordsOf(document, 'p', shape)).toEqual([
      { own: { a: '1\n2', b: '', d: 'x&lt;' }, children: { k: ['1', '2'], l: 'ab', n: 'é' }, none: {} },
    ])
    const [{ one, all }] = (await recordsOf(document, 'r', {
      one: { path: 'q', as: 'children' },
      all: [{ path: 'q', as: 'children' }],
    })) as [{ one: object; all: object[] }]
    expect(Object.entries(one)).toEqual([['__proto__', '3']])
    expect(all.map((value) => Object.entries(value))).toEqual([[['__proto__', '3']], [['z', '']]])
  })

  test('is the first, the last, or that of the first path that has one', async () => {
    const document = '<r><p><a>1</a><b>2</b><a>3</a><c/></p><p><b>4</b></p></r>'
    const shape: XmlShape = {
      first: 'a',
      last: { path: 'a', pick: 'last' },
      ab: { firstOf: ['a', 'b'] },
      ca: { firstOf: ['c', 'b', 'a'], empty: 'absent' },
      cb: { firstOf: ['c', 'b'] },
      named: { firstOf: ['c/name()', 'b/name()'] },
    }
    expect(await recordsOf(document, 'p', shape)).toEqual([
      { first: '1', last: '3', ab: '1', ca: '2', cb: '', named: 'c' },
      { first: undefined, last: undefined, ab: '4', ca: '4', cb: '4', named: 'b' },
    ])
  })

  test('is absent under conditions on the attributes of its element, or if it is empty', async () => {
    const document =
      '<r><p><t bytes="0"/><c deleted="deleted">1</c><s/></p><p><t bytes="7"/><c>2</c><s>3</s></p><p><t/><c/></p><p><t bytes="7">x</t></p></r>'
    const shape: XmlShape = {
      t: { path: 't', empty: { absentIf: '@bytes!="0"' } },
      c: { path: 'c', unless: '@deleted' },
      s: { path: 's', empty: 'absent' },
      bytes: { path: 't/@bytes', as: 'integer', unless: "@bytes = '0'" },
      all: [{ path: '*', empty: 'absent' }],
      shown: [{ path: 'c', unless: '@deleted' }],
      first: { firstOf: ['c', 's'], unless: '@deleted' },
    }
    expect(await recordsOf(document, 'p', shape)).toEqual([
      { t: '', c: undefined, s: undefined, bytes: undefined, all: ['1'], shown: [], first: '' },
      { t: undefined, c: '2', s: '3', bytes: 7, all: ['2', '3'], shown: ['2'], first: '2' },
      { t: '', c: '', s: undefined, bytes: undefined, all: [], shown: [''], first: '' },
      { t: 'x', c: undefined, s: undefined, bytes: 7, all: ['x'], shown: [], first: undefined },
    ])
  })

  test('may be the text of the element alone, without that of elements in it', async () => {
    const document =
      '<!DOCTYPE r [<!ENTITY e "E<x>F</x>G">]><r><p>1<t>a<b>x<t>y</t></b>c&e;<b/><![CDATA[d]]></t>2<t/>&e;</p></r>'
    const shape = {
      t: { path: 't', own: true },
      all: [{ path: '//t', own: true }],
      own: { path: '.', own: true },
    } as const
    expect(await recordsOf(document, 'p', shape)).toEqual([{ t: 'acEGd', all: ['acEGd', 'y', ''], own: '12EG' }])
  })

  test('holds where the element begins, in bytes of the input', async () => {
    const shape = {
      at: { path: '.', as: 'offset' },
      b: [{ path: 'b', as: 'offset' }],
    } as const
    expect(await recordsOf('<r>é<p c=""><b/>木<b></b></p></r>', 'p', shape)).toEqual([{ at: 5, b: [13, 20] }])
  })

  test('may be what an element contains, as an object', async () => {
    const subset = '<!ENTITY e "<q n=\'1\'>&#38;lt;<k/></q>"><!ENTITY t "text"><!ATTLIST q d CDATA "v">'
    const document = `<!DOCTYPE r [${subset}]><r><p><q/></p><p>&e;<q n="2">&t;<k>1</k><k>2</k></q></p><p>x</p></r>`
    const shape = {
      q: { path: 'q', as: 'object' },
      all: [{ path: 'q', as: 'object' }],
      me: { path: '.', as: 'object' },
    } as const
    const first = { '@d': 'v' }
    const second = { '@n': '1', '@d': 'v', '#text': '<', k: '' }
    const third = { '@n': '2', '@d': 'v', '#text': 'text', k: ['1', '2'] }
    expect(await recordsOf(document, 'p', shape)).toEqual([
      { q: first, all: [first], me: { q: first } },
      { q: second, all: [second, third], me: { q: [second, third] } },
      { q: undefined, all: [], me: 'x' },
    ])
  })

  test('may be what elements contain that have names of all objects', async () => {
    const [record] = await recordsOf('<r><__proto__ __proto__="1">x</__proto__></r>', 'r', {
      me: { path: '.', as: 'object' },
    })
    expect(JSON.stringify(record)).toBe('{"me":{"__proto__":{"@__proto__":"1","#text":"x"}}}')
  })

  test('may be the children that no field names, also those that the path of the records asks for', async () => {
    const document = '<r><p><a/><b/></p><p><a/></p></r>'
    const [a, b] = [
      { name: 'a', attributes: [], children: [] },
      { name: 'b', attributes: [], children: [] },
    ]
    expect(await recordsOf(document, 'p[a]', { rest: { as: 'rest' } })).toEqual([{ rest: [a, b] }, { rest: [a] }])
    expect(await recordsOf(document, 'p[b]', { b: 'b', rest: { as: 'rest' } })).toEqual([{ b: '', rest: [a] }])
  })

  test('may be the children that no field names, as data', async () => {
    const document =
      '<!DOCTYPE r [<!ENTITY e "<i>&#38;lt;</i>">]><r xmlns:q="u"><p><a/><b c="1&amp;">x<d>y</d><!-- z --></b><q:k>&e;</q:k><f><g/></f>&e;</p><p><a/></p></r>'
    const shape = {
      a: 'a',
      g: 'f/g',
      rest: { as: 'rest' },
      inner: { of: 'b', fields: { rest: { as: 'rest' } } },
    } as const
    const [first, second] = (await recordsOf(document, 'p', shape)) as { rest: unknown; inner: unknown }[]
    expect(second).toEqual({ a: '', g: undefined, rest: undefined, inner: undefined })
    expect(first).toEqual({
      a: '',
      g: '',
      rest: [
        {
          name: 'q:k',
          attributes: [],
          children: [{ name: 'i', attributes: [], children: [{ type: 'text', text: '<' }] }],
        },
        { name: 'i', attributes: [], children: [{ type: 'text', text: '<' }] },
      ],
      inner: { rest: [{ name: 'd', attributes: [], children: [{ type: 'text', text: 'y' }] }] },
    })
  })

  test('is not left where a field has the complete element, unless an entity brings it', async () => {
    const document = '<!DOCTYPE r [<!ENTITY e "<b>z</b>">]><r><p>one <b>two</b></p><p>&e;</p></r>'
    const b = { name: 'b', attributes: [], children: [{ type: 'text', text: 'z' }] }
    const rest = { as: 'rest' } as const
    expect(await recordsOf(document, 'p', { xml: { path: '.', as: 'xml' }, rest })).toEqual([
      { xml: '<p>one <b>two</b></p>', rest: undefined },
      { xml: '<p>&e;</p>', rest: [b] },
    ])
    const inner = { of: 'p', fields: { o: { path: '.', as: 'object' }, rest } } as const
    expect(await recordsOf('<r><p><b>x</b></p><q/></r>', 'r', { inner, rest })).toEqual([
      { inner: { o: { b: 'x' }, rest: undefined }, rest: [{ name: 'q', attributes: [], children: [] }] },
    ])
  })

  test('is the rest as well if an entity brings it', async () => {
    const document =
      '<!DOCTYPE r [<!ENTITY t "&#38;#60;&#38;#38;&#34;"><!ENTITY e "<x a=\'1&t;&#38;#10;\'>A&t;<y/><!--c--><?p d?>&#38;#13;</x><a>n</a>"><!ATTLIST x d CDATA "D">]><r><p><z/>&e;</p></r>'
    const p = parseXml(document).root.child('p')
    const shape = { a: 'a', rest: { as: 'rest' } } as const
    expect(await recordsOf(document, 'p', shape)).toEqual([
      { a: 'n', rest: [p?.child('z')?.toJSON(), p?.child('x')?.toJSON()] },
    ])
    // Carriage returns to which the declaration of the entity refers stay what they are.
    const returns =
      "<!DOCTYPE r [<!ENTITY e \"<x a='1&#13;&#13;&#10;2'>A&#13;&#10;<![CDATA[<&#13;]]><y&#13;b='>&#13;'/></x>\">]><r><p>&e;</p></r>"
    expect(await recordsOf(returns, 'p', shape)).toEqual([
      { a: undefined, rest: [parseXml(returns).root.child('p')?.child('x')?.toJSON()] },
    ])
    // Its attributes are those of the entity, although no field is an attribute.
    const plain = document.replace(/<!ATTLIST.*?>/, '')
    const x = parseXml(plain).root.child('p')?.child('x')
    expect(await recordsOf(plain, 'p', { a: 'a', z: 'z', rest: { as: 'rest' } })).toEqual([
      { a: 'n', z: '', rest: [x?.toJSON()] },
    ])
  })

  test('is present only if it is not empty, when that counts', async () => {
    const document = '<r><p><t/></p><p><t><!-- x --></t></p><p><t>&amp;</t></p><p><t>x</t></p><p/></r>'
    const shape = {
      any: { path: 't', as: 'present' },
      t: { path: 't', as: 'present', empty: 'absent' },
      long: { path: '.', as: 'present', empty: 'absent' },
    } as const
    expect(await recordsOf(document, 'p', shape)).toEqual([
      { any: true, t: undefined, long: undefined },
      { any: true, t: undefined, long: undefined },
      { any: true, t: true, long: true },
      { any: true, t: true, long: true },
      { any: undefined, t: undefined, long: undefined },
    ])
  })

  test('may have a name with a prefix that is declared for the paths', async () => {
    const document =
      '<r xmlns="u" xmlns:q="v"><p q:k="1"><q:t>2</q:t><t>3</t><x:t xmlns:x="v">4</x:t></p><q:p xmlns:q="w"><q:t>5</q:t></q:p><p><q:t xmlns:q="w">6</q:t></p></r>'
    const prefixes = { a: 'u', b: 'v' }
    const shape = { t: ['b:t'], u: 'a:t', k: '@b:k', lang: '@xml:lang' } as const
    expect(await recordsOf(document, '/a:r/a:p', shape, { prefixes })).toEqual([
      { t: ['2', '4'], u: '3', k: '1', lang: undefined },
      { t: [], u: undefined, k: undefined, lang: undefined },
    ])
    expect(() => readXml('').records('b:p', { t: 'bb:t' }, { prefixes })).toThrow(
      'the field t: invalid path "bb:t": the prefix bb is not in prefixes; did you mean b?',
    )
    expect(() => readXml('').select('c:p', { prefixes: {} })).toThrow('the prefix c is not in prefixes')
  })
})

describe('a record in a record', () => {
  const document =
    '<r><p id="1"><author mail="m"><name>a</name></author><votes><vote by="x">1</vote><vote>2.5</vote></votes><author/></p><p id="2"><name>b</name></p></r>'

  test('has the fields of an element in the element, so that they stay together', async () => {
    const shape = {
      id: { path: '@id', as: 'integer' },
      author: { of: 'author', fields: { name: 'name', mail: '@mail' } },
      votes: [{ of: 'votes/vote', fields: { by: '@by', value: { path: '.', as: 'number' } } }],
    } as const
    expect(await recordsOf(document, 'p', shape)).toEqual([
      {
        id: 1,
        author: { name: 'a', mail: 'm' },
        votes: [
          { by: 'x', value: 1 },
          { by: undefined, value: 2.5 },
        ],
      },
      { id: 2, author: undefined, votes: [] },
    ])
  })

  test('may lie in another one, of any depth, and be of the same element', async () => {
    const nested = '<r><s n="1"><s n="2"><t>a</t></s><s n="3"/></s><s n="4"><t>b</t></s></r>'
    const shape = {
      all: [
        {
          of: 's',
          fields: {
            n: '@n',
            inner: [{ of: 's', fields: { n: '@n', t: 't' } }],
            self: { of: '.', fields: { t: '//t' } },
          },
        },
      ],
      deep: [{ of: '//s', fields: { n: '@n', ns: ['//@n'] } }],
    } as const
    expect(await recordsOf(nested, 'r', shape)).toEqual([
      {
        all: [
          {
            n: '1',
            inner: [
              { n: '2', t: 'a' },
              { n: '3', t: undefined },
            ],
            self: { t: 'a' },
          },
          { n: '4', inner: [], self: { t: 'b' } },
        ],
        // Of those in one another, the outermost.
        deep: [
          { n: '1', ns: ['1', '2', '3'] },
          { n: '4', ns: ['4'] },
        ],
      },
    ])
  })

  test('is the first, the last or the newest of several', async () => {
    const history = (...revisions: readonly [string, string][]) =>
      `<p>${revisions.map(([time, id]) => `<v><t>${time}</t><id>${id}</id><x>${time}-${id}</x></v>`).join('')}</p>`
    const pages = [
      history(['2020', '7'], ['2022', '8'], ['2021', '9']),
      history(['2020', '10'], ['2020', '9']),
      history(['2020', '9'], ['2020', '10'], ['2020', '10']),
      history(),
    ]
    const revision = { of: 'v', fields: { x: 'x', t: 't', id: { path: 'id', as: 'integer' } } } as const
    const shape = {
      first: revision,
      last: { ...revision, pick: 'last' },
      newest: { ...revision, pick: { newest: ['t', 'id'] } },
    } as const
    const records = (await recordsOf(`<r>${pages.join('')}</r>`, 'p', shape)) as Record<string, { x: string }>[]
    expect(records.map(({ first, last, newest }) => [first?.x, last?.x, newest?.x])).toEqual([
      ['2020-7', '2021-9', '2022-8'],
      ['2020-10', '2020-9', '2020-10'],
      ['2020-9', '2020-10', '2020-10'],
      [undefined, undefined, undefined],
    ])
  })

  test('is the newest of several by dates, which are compared as moments', async () => {
    const versions = (...times: readonly string[]) =>
      `<p>${times.map((time, i) => `<v t="${time}" n="${i}"/>`).join('')}</p>`
    const document = `<r>${versions('2026-01-02T00:30+01:00', '20260101T2300Z', '2026-01-02')}${versions('2026-01-02T00:30+01:00', '20260101T2330Z')}${versions('2026-01-02', 'x')}</r>`
    const version = { of: 'v', fields: { n: '@n', t: { path: '@t', as: 'date' } }, pick: { newest: ['t'] } } as const
    const records = (await recordsOf(document, 'p', { version }, { lenient: true })) as { version: { n: string } }[]
    expect(records.map(({ version }) => version.n)).toEqual(['2', '1', '0'])
  })

  test('may be of an element around, with what was read of that before', async () => {
    const dump =
      '<r><p n="1"><id>7</id><v>a</v><w>x<v>b</v></w><ns>3</ns><v>c</v></p><v>d</v><p n="2"><v>e</v><id>9</id></p></r>'
    const shape = {
      text: '.',
      page: { outer: '/r/p', fields: { n: '@n', id: { path: 'id', as: 'integer' }, w: 'w', ns: 'ns' } },
    } as const
    expect(await recordsOf(dump, 'v', shape)).toEqual([
      { text: 'a', page: { n: '1', id: 7, w: undefined, ns: undefined } },
      { text: 'b', page: { n: '1', id: 7, w: undefined, ns: undefined } },
      { text: 'c', page: { n: '1', id: 7, w: 'xb', ns: '3' } },
      { text: 'd', page: undefined },
      { text: 'e', page: { n: '2', id: undefined, w: undefined, ns: undefined } },
    ])
  })

  test('is read with the input of one that is open, when memory is tidied up in between', async () => {
    const values = Array.from({ length: isThorough ? 3000 : 1000 }, (_, i) => `${i}`)
    const document = `<r>${values.map((n) => `<p><v><t>${n}</t></v><x/><v><t>0${n}</t></v></p>`).join('\n')}</r>`
    const shape = {
      all: [{ of: 'p', fields: { t: ['v/t'], newest: { of: 'v', pick: { newest: ['t'] }, fields: { t: 't' } } } }],
    }
    const pieces = Array.from({ length: Math.ceil(document.length / 1000) }, (_, i) =>
      document.slice(1000 * i, 1000 * (i + 1)),
    )
    for await (const record of readXml(pieces).records('r', shape)) {
      expect(record).toEqual({
        all: values.map((n) => ({ t: [n, `0${n}`], newest: { t: n > `0${n}` ? n : `0${n}` } })),
      })
    }
  })
})

/** A shape with fields of several kinds. */
const SHAPE_OF_TYPES = {
  t: 't',
  g: ['g'],
  n: { path: 'n', as: 'int64' },
  d: { path: 'd', as: 'date' },
  p: { path: 'p', as: 'present' },
  late: { path: 'l', late: true },
  a: { of: 'a', fields: { n: 'n' } },
  list: [{ of: 'b', fields: { day: { path: 'day', as: 'date' } } }],
} as const

describe('where', () => {
  const document =
    '<r><p ns="0"><t>Foo</t><x>1</x></p><p ns="1"><t>Bar</t><a><n>z</n></a></p><p><t>Baz</t><g>q</g><g>r</g></p></r>'
  const shape = {
    ns: { path: '@ns', as: 'integer' },
    t: 't',
    g: ['g'],
    a: { of: 'a', fields: { n: 'n' } },
    late: { path: '.', late: true },
    inner: [{ of: 'a', fields: { n: 'n', late: { path: 'n', late: true } } }],
  } as const
  test.each([
    [{ ns: { in: [1, 2] } }, ['Bar']],
    [{ ns: { from: 0, to: 0 } }, ['Foo']],
    [{ ns: { from: 1 } }, ['Bar']],
    [{ t: { from: 'Bar', to: 'Baz' } }, ['Bar', 'Baz']],
    [{ ns: { above: 0 } }, ['Bar']],
    [{ ns: { above: -1, below: 1 } }, ['Foo']],
    [{ t: { above: 'Bar', below: 'Foo' } }, ['Baz']],
    [{ t: { notIn: ['Foo', 'Baz'] } }, ['Bar']],
    [{ ns: { notIn: [7] } }, ['Foo', 'Bar']],
    [{ g: { notIn: ['q'] } }, ['Baz']],
    [{ t: [{ matches: '^B' }, { matches: 'z$' }] }, ['Baz']],
    [{ g: [{ in: ['q'] }, { in: ['r'] }] }, ['Baz']],
    [{ t: [] }, ['Foo', 'Bar', 'Baz']],
    [{ t: { matches: '^Ba' }, ns: { present: true } }, ['Bar']],
    [{ ns: { present: false } }, ['Baz']],
    [{ g: { in: ['r'] } }, ['Baz']],
    [{ g: { present: false } }, ['Foo', 'Bar']],
    [{ 'a.n': { in: ['z'] } }, ['Bar']],
    [{ a: { present: true } }, ['Bar']],
    [{ 'a.n': { present: false } }, []],
    [{ 'a.n|t': { in: ['z', 'Foo'] } }, ['Foo', 'Bar']],
    [{ 'g|ns': { present: false } }, ['Foo', 'Bar', 'Baz']],
    [{ ns: { in: [{ from: 1, to: 5 }, 7] } }, ['Bar']],
    [{ ns: { in: [{ to: 0 }] } }, ['Foo']],
    [{ t: { in: [{ from: 'Bas' }] } }, ['Foo', 'Baz']],
    [{ t: { notIn: [{ from: 'Bar', to: 'Baz' }] } }, ['Foo']],
    [{ t: { in: ['FOO', 'baz'], ignoreCase: true } }, ['Foo', 'Baz']],
    [{ t: { matches: '^b', ignoreCase: true } }, ['Bar', 'Baz']],
    [{ t: { matches: '^b', ignoreCase: false } }, []],
    [{ t: { from: 'C', ignoreCase: true } }, ['Foo']],
    [{}, ['Foo', 'Bar', 'Baz']],
    [(record: { t?: unknown }) => record.t !== 'Bar', ['Foo', 'Baz']],
    [(record: object) => 'late' in record && !Object.values(record).includes('Foo1'), ['Foo', 'Bar', 'Baz']],
  ])('delivers the records for which it holds: %j', async (where, titles) => {
    const records = (await recordsOf(document, 'p', shape, { where })) as { t: string; late: string }[]
    expect(records.map(({ t }) => t)).toEqual(titles)
    expect(records.every(({ t, late }) => late.startsWith(t))).toBe(true)
    const [bar] = records.filter(({ t }) => t === 'Bar') as unknown as { inner: object }[]
    if (bar) expect(bar.inner).toEqual([{ n: 'z', late: 'z' }])
  })

  test('compares dates as moments', async () => {
    const document =
      '<r><p><d>2026-01-02T00:30+01:00</d></p><p><d>20260101T2330Z</d></p><p><d>2026-01-02</d></p><p/></r>'
    const shape = { d: { path: 'd', as: 'date' }, all: [{ path: 'd', as: 'date' }] } as const
    const [first, , last] = ['2026-01-01T23:30:00.000Z', '2026-01-01T23:30:00.000Z', '2026-01-02T00:00:00.000Z']
    const found = async (where: WhereConditions) => {
      const records = (await recordsOf(document, 'p', shape, { where })) as { d?: Date }[]
      return records.map(({ d }) => d?.toISOString())
    }
    expect(await found({ d: { in: [new Date(first)] } })).toEqual([first, first])
    expect(await found({ d: { from: new Date(last) } })).toEqual([last])
    expect(await found({ d: { above: new Date(first) } })).toEqual([last])
    expect(await found({ d: { notIn: [new Date(first)] } })).toEqual([last])
    expect(await found({ all: { to: new Date(first) } })).toEqual([first, first])
    expect(await found({ d: { matches: 'T23' } })).toEqual([first, first])
    expect(await found({ d: { present: false } })).toEqual([undefined])
    const refused = (where: WhereConditions) => () => readXml(document).records('p', { ...shape, t: 'd' }, { where })
    expect(await found({ d: { to: '2026-01-01' } })).toEqual([first, first])
    expect(await found({ d: { above: '2026-01-01' } })).toEqual([last])
    expect(await found({ d: { below: '2026-01-02' } })).toEqual([first, first])
    expect(await found({ d: { from: '2026-01-02', to: '2026-01-02' } })).toEqual([last])
    expect(await found({ d: { in: ['20260101', { from: '2026-01-03' }] } })).toEqual([first, first])
    expect(await found({ d: { to: '2026-01-01T23:29Z' } })).toEqual([])
    expect(await found({ d: { to: '2026-01-01+01:00' } })).toEqual([first, first])
    expect(await found({ d: { notIn: ['2026-01-01'] } })).toEqual([last])
    expect(refused({ d: { to: 0 } })).toThrow('where: d must be compared with a valid Date, or its text, not with 0')
    expect(refused({ d: { from: '2026-13-02' } })).toThrow(
      'where: d must be compared with a valid Date, or its text, not with "2026',
    )
    expect(refused({ all: { in: [new Date(Number.NaN)] } })).toThrow('where: all must be compared with a valid Date')
    expect(refused({ t: { to: new Date() } })).toThrow('where: t must be compared with a string, not with')
    expect(refused({ t: { in: [1] } })).toThrow('where: t must be compared with a string, not with 1')
    expect(refused({ t: { from: undefined } })).toThrow('where: the condition of t says nothing: expected one of in,')
    expect(refused({ t: {} })).toThrow('says nothing')
  })

  test('sees the fields of the one record that an element is, of several that it may be', async () => {
    const shape = { by: { of: 'by', oneOf: [{ hidden: { path: '@hidden', as: 'present' } }, { name: 'n' }] } } as const
    const document = '<r><p><by hidden=""><n>a</n></by></p><p><by><n>a</n></by></p><p><by/></p><p/></r>'
    const found = async (where: WhereConditions) => (await recordsOf(document, 'p', shape, { where })).length
    expect(await found({ 'by.name': { in: ['a'] } })).toBe(1)
    expect(await found({ 'by.name': { present: false } })).toBe(1)
    expect(await found({ by: { present: true } })).toBe(2)
  })

  test('is of the types of the fields of a shape', () => {
    const shape = { ...SHAPE_OF_TYPES }
    const read = (where: XmlWhere<typeof shape>) => readXml('<r/>').records('p', shape, { where })
    read({ t: { in: ['a'] }, n: [{ from: 1 }, { below: 9n }], d: { to: '2026-01-02' }, 'a.n': { matches: 'x' } })
    read({ 't|g': { in: ['a', { from: 'b' }] }, 'list.day': { above: new Date(0) }, p: { present: false } })
    read((record) => record.t === record.a?.n)
    read([{ t: { in: ['a'] } }])
    // @ts-expect-error: a text
    expect(() => read([{ t: { in: [1] } }])).toThrow('compared with a string')
    // @ts-expect-error: there is no such field
    expect(() => read({ x: { present: true } })).toThrow('unknown field x')
    // @ts-expect-error: there is none in the record
    expect(() => read({ 'a.x': { present: true } })).toThrow('unknown field a.x')
    // @ts-expect-error: a text
    expect(() => read({ t: { in: [1] } })).toThrow('compared with a string')
    // @ts-expect-error: a date
    expect(() => read({ 'list.day': { from: 1 } })).toThrow('compared with a valid Date')
    // @ts-expect-error: where does not see it
    expect(() => read({ late: { in: ['a'] } })).toThrow('late')
  })

  test('has in an array the conditions for each of several paths', async () => {
    const text = '<r><a n="1"/><b n="2"/><a n="3"><b n="9"/></a><c><b n="4"/><b n="1"/></c></r>'
    const shape = { n: { path: '@n', as: 'integer' }, name: 'name()' } as const
    const found = async (
      path: readonly string[],
      where: WhereConditions[],
      nested: 'outermost' | 'innermost' | 'all',
    ) => {
      const records = (await recordsOf(text, path, shape, { where, nested })) as { n?: number; name: string }[]
      return records.map(({ n, name }) => `${name}${n ?? ''}`).join(' ')
    }
    const ends = [{ n: { from: 2 } }, { n: { to: 2 } }]
    expect(await found(['a', 'b'], ends, 'outermost')).toBe('b2 a3 b1')
    expect(await found(['b', 'a'], ends, 'outermost')).toBe('a1 b2 b4')
    expect(await found(['a', 'b'], ends, 'innermost')).toBe('b2 b1')
    expect(await found(['a', 'b'], [{}, { n: { above: 3 } }], 'all')).toBe('a1 b9 a3 b4')
    // What several paths match is wanted if the conditions of one of them hold.
    const several = [{ n: { in: [3] } }, {}, { n: { in: [2] } }]
    expect(await found(['//a', '/r/c/b', '/r/*'], several, 'outermost')).toBe('b2 a3')
    expect(await found(['//a', '/r/c/b', '/r/*'], several, 'all')).toBe('b2 a3 b4 b1')
    expect(await found(['a'], [{ n: { in: [3] } }], 'outermost')).toBe('a3')
  })

  test('hides what is wrong with late fields of records that it refuses', async () => {
    const shape = { id: '@id', n: { path: 'n', as: 'integer', late: true } } as const
    const document = '<r><p id="1"><n>x</n></p><p id="2"><n>2</n></p></r>'
    expect(await recordsOf(document, 'p', shape, { where: { id: { in: ['2'] } } })).toEqual([{ id: '2', n: 2 }])
  })

  test.each([
    [{ nx: {} }, 'where: unknown field nx: did you mean ns?'],
    [{ 'a.m': {} }, 'where: unknown field a.m'],
    [{ late: {} }, 'where: the field late is late'],
    [{ t: { is: 1 } }, 'where: unknown condition is: did you mean in?'],
    [{ t: { in: 'a' } }, 'where: in must be an array of values, not "a"'],
    [{ t: { notIn: 'a' } }, 'where: notIn must be an array of values, not "a"'],
    [{ t: [{ in: ['a'] }, 7] }, 'where: the condition of t must be an object, not 7'],
    [{ t: { matches: '(' } }, 'where: Invalid regular expression'],
    [{ t: { matches: 7 } }, 'where: matches must be a regular expression as a string, not 7'],
    [{ t: { present: 1 } }, 'where: present must be true or false'],
    [{ t: { in: ['a'], ignoreCase: 1 } }, 'where: ignoreCase must be true or false, not 1'],
    [{ t: { ignoreCase: true } }, 'where: the condition of t says nothing'],
    [{ ns: { in: [{ from: 1, below: 2 }] } }, 'where: unknown condition below: expected one of from, to'],
    [{ ns: { in: [{ to: undefined }] } }, 'where: a range of ns says nothing: expected one of from, to'],
    [{ ns: { in: [[1, 2]] } }, 'where: a range of ns must be an object, not'],
    [{ ns: { notIn: [{ from: 'a' }] } }, 'where: ns must be compared with a number, not with "a"'],
    [{ 't|nx': { in: ['a'] } }, 'where: unknown field nx: did you mean ns?'],
    [{ 't|ns': { in: ['a'] } }, 'where: t|ns must be compared with a number, not with "a"'],
    [{ 't|late': { in: ['a'] } }, 'where: the field late is late'],
    [{ t: 'x' }, 'where: the condition of t must be an object, not "x"'],
    ['x', 'where must be an object with conditions, or a function, not "x"'],
    [[], 'where: an array has conditions for each path: expected 1 of them, not 0'],
    [[{}, {}], 'where: an array has conditions for each path: expected 1 of them, not 2'],
    [[undefined], 'where must be an object with conditions, or a function, not undefined'],
    [[() => true], 'where must be an object with conditions, or a function, not a function'],
    [[{ ns: { from: undefined } }], 'where: the condition of ns says nothing'],
  ])('is refused at once if it is not valid: %j', (where, message) => {
    const read = () => readXml(document).records('p', shape, { where: where as never })
    expect(read).toThrow(expect.objectContaining({ code: 'invalid-option' }))
    expect(read).toThrow(message)
  })
})

describe('a shape is refused at once, with advice, if', () => {
  test.each([
    [{ a: { pth: 'x' } }, 'the field a: unknown property pth: did you mean path?'],
    [{ a: { path: 'x', as: 'int' } }, 'the field a: as must be one of string, integer'],
    [{ a: { path: 'x', firstOf: ['y'] } }, 'path and firstOf cannot be used together'],
    [{ a: {} }, 'the field a: invalid path undefined'],
    [{ a: { firstOf: [] } }, 'firstOf must be an array of paths'],
    [{ a: [{ firstOf: ['x', 'y'] }] }, 'firstOf and pick are for one value, not for all'],
    [{ a: { path: '@x', as: 'xml' } }, 'the kind xml is for elements, not for attributes and names'],
    [{ a: { path: 'name()', as: 'offset' } }, 'the kind offset is for elements'],
    [{ a: { path: `${'x/'.repeat(29)}x`, as: 'children', own: true } }, 'it would have more than 30 steps'],
    [{ a: { path: 'x', unless: 'deleted' } }, 'invalid condition "deleted": expected @name'],
    [{ a: { path: 'x', empty: 'no' } }, 'empty must be "absent" or { absentIf }'],
    [{ a: { path: 'x', late: 1 } }, 'late must be true or false, not 1'],
    [{ a: { path: 'x', pick: 'newest' } }, 'pick must be first or last, not "newest"'],
    [{ a: { of: 'x', fields: { b: { of: 'y', fields: { c: '/d' } } } } }, 'the field a.b.c: invalid path "/d"'],
    [{ a: { of: '@x', fields: { b: '.' } } }, 'the path of a record must lead to elements'],
    [{ a: { of: 'x', fields: { b: 'b' }, pick: { newest: ['c'] } } }, 'the field a: unknown field c'],
    [{ a: { of: 'x', fields: { b: ['b'] }, pick: { newest: ['b'] } } }, 'the field b cannot be compared'],
    [{ a: { path: 'b', [INTERNAL]: true, onRequest: 1 } }, 'onRequest must be true or false, not 1'],
    [{ a: { path: 'b', onRequest: true } }, 'unknown property onRequest'],
    [{ a: { path: 'b', unique: true } }, 'unknown property unique'],
    [{ a: { path: 'b', error: { code: 'x' } } }, 'unknown property error'],
    [{ a: { path: 'b', default: 1 } }, 'default must be a value of the kind string, not 1'],
    [{ a: { path: 'b', as: 'integer', default: 1.5 } }, 'default must be a value of the kind integer, not 1.5'],
    [{ a: { path: 'b', as: 'xml', default: '' } }, 'default must be a value of the kind xml'],
    [{ a: [{ path: 'b', default: '' }] }, 'default is not for lists and required fields'],
    [
      { a: { of: 'b', oneOf: [{ c: { path: 'c', [INTERNAL]: true, onRequest: true } }] } },
      'fields of oneOf cannot be onRequest',
    ],
    [{ a: { outer: 'x', fields: { b: ['b'] } } }, 'b: the fields of outer must be single values'],
    [{ a: [{ outer: 'x', fields: { b: 'b' } }] }, 'there is only one element around it'],
    [{ a: { of: 'y', fields: { b: { outer: 'x', fields: { c: 'c' } } } } }, 'outer is for the fields of the shape'],
  ])('it is %j', (shape, message) => {
    const read = () => readXml('').records('p', shape as unknown as XmlShape)
    expect(read).toThrow(expect.objectContaining({ code: 'invalid-option' }))
    expect(read).toThrow(message)
  })
})
