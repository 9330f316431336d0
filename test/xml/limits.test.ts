// Limits that documents pass which are meant to do harm, or are only large: each is an error with a place, whatever is wanted.

import { describe, expect, test } from 'vitest'
import type { LimitError } from '../../source/stream/errors.ts'
import { LONGEST_STRING } from '../../source/text/units.ts'
import { parseXml, readXml, type XmlLimits, type XmlOptions } from '../../source/xml/index.ts'
import { collectAll, drain } from '../support/collect.ts'
import { extent, isComplete, isThorough, sample } from '../support/extent.ts'
import { countTurns } from '../support/turns.ts'
import { piecesOf } from '../support/xml.ts'

type Way = (source: Iterable<string | Uint8Array>, options: XmlOptions) => Promise<void>

const WAYS: Record<string, Way> = {
  check: (source, options) => readXml(source, options).check(),
  events: (source, options) => drain(readXml(source, options).events().batches()),
  select: (source, options) => drain(readXml(source, options).select('a')),
  'select nothing': (source, options) => drain(readXml(source, options).select('/zz')),
  records: (source, options) => drain(readXml(source, options).records('a', { b: '@b', text: '.' })),
}

async function errorOf(way: Way, text: string, options: XmlOptions): Promise<LimitError | undefined> {
  return await way([text], options).then(
    () => undefined,
    (reason: LimitError) => reason,
  )
}

const READINGS = Object.entries(WAYS).flatMap(([name, way]) => {
  return (['wasm', 'plain'] as const).flatMap((engine) => [1, 1 << 30].map((size) => ({ name, way, engine, size })))
})

/** Reads a document in every way, on both engines, complete and byte by byte: the same error, which is returned. */
async function everywhere(text: string, limits: Partial<XmlLimits>, options: XmlOptions = {}): Promise<LimitError> {
  const errors = new Map<string, LimitError | undefined>()
  for (const { name, way, engine, size } of sample(READINGS, 4)) {
    const error = await way(piecesOf(new TextEncoder().encode(text), size), { ...options, limits, engine }).then(
      () => undefined,
      (reason: LimitError) => reason,
    )
    const { code, line, column, byteOffset, message } = error ?? ({} as Partial<LimitError>)
    errors.set(`${code} ${line}:${column} ${byteOffset} ${message}`, error)
    expect([...errors.keys()], `${name} ${engine} ${size}`).toHaveLength(1)
  }
  const [error] = errors.values()
  expect(error).toBeDefined()
  return error as LimitError
}

describe('limits', () => {
  const names: readonly (keyof XmlLimits)[] = [
    ...(['maxDepth', 'maxRetained', 'maxNodes', 'maxNames', 'maxAmplification', 'freeExpansion'] as const),
    ...(['maxExternalEntities', 'maxExternalText'] as const),
  ]
  const text =
    '<!DOCTYPE r [<!ENTITY e "E<b m=\'1\'>x</b>"><!ENTITY x SYSTEM "x"><!ENTITY % p "<!--x-->">%p;<!ATTLIST a k CDATA "v">]>' +
    '<r><a n="1">&e;t&lt;<![CDATA[c]]><!--d--><?p q?></a><a/>&x;</r>'
  const resolve = () => 'x'

  test.each(names)('%s may be any number, and gives no other error', async (name) => {
    const values = [0, 0.5, 1, 1.5, 2, 2 ** 31, 2 ** 32, 2 ** 53, Number.MAX_VALUE, Number.POSITIVE_INFINITY]
    for (const value of sample(values, 5)) {
      for (const way of Object.values(WAYS)) {
        for (const options of [{ resolve }, { resolve, namespaces: false }]) {
          const limits = { ...(name === 'maxAmplification' && { freeExpansion: 0 }), [name]: value }
          const error = await errorOf(way, text, { ...options, limits })
          if (value > 3) expect(error, `${value}`).toBeUndefined()
          else if (error) expect(error).toMatchObject({ name: 'LimitError', limit: expect.any(Number) })
          if (value === 0 && name !== 'freeExpansion' && name !== 'maxRetained') expect(error, `${value}`).toBeDefined()
        }
      }
    }
  })

  test('that are not numbers from 0, and unknown names, are refused', () => {
    for (const name of names) {
      for (const wrong of [-1, Number.NaN, '5', null, true, {}, 5n]) {
        const limits = { [name]: wrong } as Partial<XmlLimits>
        expect(() => readXml([text], { limits })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
        expect(() => parseXml(text, { limits })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
      }
    }
    const limits = { maxDept: 5 } as Partial<XmlLimits>
    expect(() => readXml([text], { limits })).toThrow('unknown limit maxDept: did you mean maxDepth?')
    expect(() => readXml([text], { limits: [] as Partial<XmlLimits> })).toThrow('limits must be an object')
  })

  test('of depth count the elements round an entity, whatever is wanted', async () => {
    const deep = '<!DOCTYPE a [<!ENTITY e "<c/>">]><a><b>&e;</b></a>'
    for (const way of Object.values(WAYS)) {
      for (const namespaces of [true, false]) {
        expect(await errorOf(way, deep, { namespaces, limits: { maxDepth: 2 } })).toMatchObject({ code: 'depth-limit' })
        expect(await errorOf(way, deep, { namespaces, limits: { maxDepth: 3 } })).toBeUndefined()
      }
    }
  })
})

describe('defaults of attributes', () => {
  const declare = (count: number) =>
    `<!DOCTYPE r [<!ATTLIST a ${Array.from({ length: count }, (_, i) => `b${i} CDATA "${'v'.repeat(50)}"`).join(' ')}>]>\n`

  test('count as what entities make', async () => {
    const text = `${declare(20)}<r>${'<a/>'.repeat(100)}</r>`
    const limits = { freeExpansion: 10_000, maxAmplification: 1 }
    const error = await everywhere(text, limits)
    expect(error).toMatchObject({ name: 'LimitError', code: 'entity-limit', line: 2, limit: 1 })
    expect(error.message).toContain('with attribute defaults of the element a')
    expect(error.message).toContain('(maxAmplification)')
    expect(() => parseXml(text, { limits })).toThrow(error.message)
  })

  test('do not count where a tag has the attributes, nor where they have none', async () => {
    const text = `<!DOCTYPE r [<!ATTLIST a b CDATA "v" c CDATA #IMPLIED>]><r>${'<a b="v"/>'.repeat(100)}</r>`
    for (const way of Object.values(WAYS)) {
      expect(await errorOf(way, text, { limits: { freeExpansion: 0, maxAmplification: 0 } })).toBeUndefined()
    }
  })

  test.runIf(isThorough)(
    'are refused by themselves where a megabyte of declarations would make gigabytes',
    async () => {
      const text = `${declare(12_000)}<r>${'<a/>'.repeat(250_000)}</r>`
      for (const [name, way] of sample(Object.entries(WAYS), 1)) {
        expect(await errorOf(way, text, {}), name).toMatchObject({ code: 'entity-limit' })
      }
    },
  )
})

describe('what standalone repeats around each element', () => {
  const ways: Readonly<Record<string, (text: string, options: XmlOptions) => AsyncIterable<unknown>>> = {
    select: (text, options) => readXml(text, options).select('a', { standalone: true }),
    records: (text, options) => readXml(text, options).records('a', { x: { path: '.', as: 'xml', standalone: true } }),
    inner: (text, options) => readXml(text, options).records('r', { x: [{ path: 'a', as: 'xml', standalone: true }] }),
  }

  test('counts as what entities make', async () => {
    const declarations = Array.from({ length: 1000 }, (_, i) => ` xmlns:p${i}="urn:example:${i}"`).join('')
    const long = ` xml:lang="${'en-'.repeat(10_000)}"`
    for (const [name, read] of sample(Object.entries(ways), 2)) {
      for (const attributes of sample([declarations, long], 1)) {
        const text = `<r${attributes}>\n${'<a/>'.repeat(2000)}</r>`
        const error = expect.objectContaining({ name: 'LimitError', code: 'entity-limit', line: 2, limit: 100 })
        await expect(collectAll(read(text, {})), name).rejects.toEqual(error)
        if (!isComplete && !(isThorough && name === 'select')) continue
        const limits = { freeExpansion: 500_000_000 }
        expect((await collectAll(read(text, { limits }))).length, name).toBeGreaterThan(0)
      }
      expect(
        await collectAll(read(`<r>${'<a/>'.repeat(9)}</r>`, { limits: { freeExpansion: 0, maxAmplification: 0 } })),
      )
    }
  })

  test('gives the elements before the limit', async () => {
    const text = `<r xmlns:p="urn:example"><a/><a/><a/></r>`
    for (const name of ['select', 'records'] as const) {
      const items: unknown[] = []
      const read = async () => {
        const limits = { freeExpansion: 48, maxAmplification: 0 }
        for await (const item of (ways[name] as (typeof ways)[string])(text, { limits })) items.push(item)
      }
      await expect(read()).rejects.toMatchObject({ code: 'entity-limit', byteOffset: 33 })
      expect(items.length).toBe(2)
    }
  })
})

describe('external entities', () => {
  /** Answers with the declaration of a new entity, and a reference to it, for ever. */
  const endless = ({ systemId }: { systemId: string }) =>
    `<!ENTITY % ${systemId}x SYSTEM "${systemId}x"> %${systemId}x;`

  test.each([
    ['maxExternalEntities', 50],
    ['maxExternalText', 2000],
  ] as const)('that never end are ended by %s', async (name, limit) => {
    for (const document of ['<!DOCTYPE a SYSTEM "p"><a/>', '<!DOCTYPE a [\n<!ENTITY % p SYSTEM "p">\n %p;]><a/>']) {
      const limits = { [name]: limit }
      const error = await everywhere(document, limits, { resolve: endless })
      expect(error).toMatchObject({ code: 'external-limit', limit, byteOffset: document.includes('\n') ? 40 : 0 })
      expect(error.message).toContain(`(${name})`)
      expect(() => parseXml(document, { resolve: endless, limits })).toThrow(error.message)
    }
  })

  test('that never end are ended by default', async () => {
    let asked = 0
    const tiny = () => `<!ENTITY % p${++asked} SYSTEM "p">%p${asked};`
    const error = await errorOf(WAYS.check as Way, '<!DOCTYPE a SYSTEM "p"><a/>', { resolve: tiny })
    expect(error).toMatchObject({ code: 'external-limit', limit: 10_000 })
  })

  test('in content are asked for once each, and limited as well', async () => {
    const text = '<!DOCTYPE a [<!ENTITY e SYSTEM "e"><!ENTITY f SYSTEM "f">]><a>&e;&e;\n&e;<b/>&f;&f;</a>'
    const requests: string[] = []
    const resolve = ({ systemId }: { systemId: string }) => {
      requests.push(systemId)
      return systemId === 'e' ? 'text<b/>' : undefined
    }
    for (const way of Object.values(WAYS)) await way([text], { resolve })
    expect(requests).toEqual(Object.keys(WAYS).flatMap(() => ['e', 'f']))
    expect(await everywhere(text, { maxExternalEntities: 1 }, { resolve })).toMatchObject({ line: 2, column: 8 })
    expect(await everywhere(text, { maxExternalText: 7 }, { resolve })).toMatchObject({ line: 1, column: 63 })
    expect(await everywhere(text, { maxExternalEntities: 0 }, { resolve })).toMatchObject({ line: 1, column: 63 })
  })

  test('are input: what is made of them counts against them, too', async () => {
    const resolve = () => 'x'.repeat(1000)
    const text = `<!DOCTYPE a [<!ENTITY e SYSTEM "e">]><a>${'&e;'.repeat(10)}</a>`
    const limits = { freeExpansion: 0, maxAmplification: 10 }
    for (const way of Object.values(WAYS)) expect(await errorOf(way, text, { resolve, limits })).toBeUndefined()
    const more = text.replace('</a>', `${'&e;'.repeat(5)}</a>`)
    expect(await everywhere(more, limits, { resolve })).toMatchObject({ code: 'entity-limit' })
  })
})

describe('lists of nested elements in records', () => {
  const nested = (depth: number, text: string) => `${`<a>${text}`.repeat(depth)}${'</a>'.repeat(depth)}`
  const fields = { all: ['**/a'] } as const

  test('are limited as what is held of the input is', async () => {
    // What is held grows with the square of the depth.
    const limit = extent(256, 1024, 1024) * 1024
    const limits = { maxRetained: limit }
    for (const text of sample(['&e;', 'x', '&lt;'], 1)) {
      const document = `<!DOCTYPE a [<!ENTITY e "&#65;">]>${nested(isThorough ? 3000 : 800, text)}`
      const error = await drain(readXml([document], { limits }).records('/a', fields)).catch(
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ name: 'LimitError', code: 'retained-limit', line: 1, limit })
      expect((error as Error).message).toContain('the fields of one record, up to all, are larger than')
    }
    const all: string[][] = []
    for await (const { all: values } of readXml([nested(200, 'x')], { limits }).records('/a', fields)) all.push(values)
    expect(all[0]).toHaveLength(199)
    expect(all[0]?.[0]).toBe('x'.repeat(199))
  })

  test('may be open in any number', async () => {
    const document = `<!DOCTYPE a [<!ENTITY e "x">]>${nested(isThorough ? 200_000 : 20_000, '')}`.replace(
      '</a>',
      '&e;</a>',
    )
    const pieces = piecesOf(new TextEncoder().encode(document), 1 << 16)
    const error = await drain(readXml(pieces).records('/a', fields)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'retained-limit' })
  })
})

describe('strings that cannot be', () => {
  const unit = 2 ** 20
  const count = Math.ceil(LONGEST_STRING / unit)
  const limits = { maxAmplification: Number.POSITIVE_INFINITY, maxRetained: Number.POSITIVE_INFINITY }
  const subset = `<!ENTITY e "${'x'.repeat(unit)}">`
  const many = '&e;'.repeat(count)

  test.each(
    sample(
      [
        ['a text', `<!DOCTYPE a [${subset}]>\n<a>${many}</a>`, 'events'],
        ['a text with a section', `<!DOCTYPE a [${subset}]>\n<a>${many}<![CDATA[x]]></a>`, 'events'],
        ['a text of entities in entities', `<!DOCTYPE a [${subset}<!ENTITY f "${many}">]>\n<a>&f;</a>`, 'events'],
        ['a value', `<!DOCTYPE a [${subset}]>\n<a b="${many}"/>`, 'events'],
        ['a default', `<!DOCTYPE a [${subset}\n<!ATTLIST a b CDATA "${many}">]><a/>`, 'check'],
        ['a value of a field', `<!DOCTYPE a [${subset}]>\n<a b="${many}"/>`, 'records'],
        ['a field', `<!DOCTYPE a [${subset}]>\n<a>${many}</a>`, 'records'],
        ['a field with markup', `<!DOCTYPE a [${subset}]>\n<a>y<b/>${many}<b/></a>`, 'records'],
        ['an element', `<!DOCTYPE a [${subset}]>\n<a>${many}</a>`, 'select'],
      ] as const,
      0,
    ),
  )('%s is refused with its place', async (_, text, way) => {
    const error = await errorOf(WAYS[way] as Way, text, { limits })
    expect(error).toMatchObject({ name: 'LimitError', code: 'length-limit', limit: LONGEST_STRING, line: 2 })
    expect(error?.message).toContain('UTF-16 units')
    expect(() => parseXml(text, { limits })).toThrow(expect.objectContaining({ code: 'length-limit' }))
  })

  test.runIf(isThorough)('the value of an entity is refused with its place', async () => {
    const dtd = `<!ENTITY % e "${'x'.repeat(unit)}"><!ENTITY f "${'%e;'.repeat(count)}">`
    const error = await readXml(['<!DOCTYPE a\n[<!ENTITY % d SYSTEM "d">%d;]><a/>'], { resolve: () => dtd, limits })
      .check()
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'length-limit', line: 2, column: 26 })
  })

  test.runIf(isThorough)('the text of an element that has several is refused when it is asked for', () => {
    const half = '&e;'.repeat(count / 2 + 1)
    const { root } = parseXml(`<!DOCTYPE a [${subset}]>\n<a>${half}<b/>${half}</a>`, { limits })
    expect(root.children).toHaveLength(3)
    const start = subset.length + 16
    const error = expect.objectContaining({ code: 'length-limit', byteOffset: start })
    expect(() => root.text).toThrow(error)
    expect(() => root.ownText).toThrow(error)
  })

  test.runIf(isThorough)('text in pieces has no such limit', async () => {
    let units = 0
    const text = `<!DOCTYPE a [${subset}]><a>${many}</a>`
    for await (const events of readXml([text], { limits })
      .events({ maxText: 2 ** 22 })
      .batches()) {
      for (const event of events) if (event.type === 'text') units += event.text.length
    }
    expect(units).toBe(count * unit)
    expect(units).toBeGreaterThan(LONGEST_STRING)
  })
})

describe('a document lets the event loop turn', () => {
  const list = (length: number, write: (i: number) => string) => Array.from({ length }, (_, i) => write(i)).join('')
  const documents: readonly (readonly [what: string, write: () => [subset: string, content?: string]])[] = [
    ['with many declarations', () => [list(isThorough ? 200_000 : 60_000, (i) => `<!ELEMENT e${i} ANY>`)]],
    ['with one list of attributes', () => [`<!ATTLIST a ${list(150_000, (i) => `b${i} CDATA "c" `)}>`]],
    ['with one content model', () => [`<!ELEMENT a (b${list(400_000, () => ',b')})>`]],
    ['with one enumeration', () => [`<!ATTLIST a b (x${list(400_000, (i) => `|x${i}`)}) "x">`]],
    [
      'with a chain of parameter entities',
      () => [`<!ENTITY % p0 "">${list(60_000, (i) => `<!ENTITY % p${i + 1} "&#37;p${i};">`)}%p60000;`],
    ],
    ['with entities that are texts', () => ['<!ENTITY e "x">', '&e;'.repeat(100_000)]],
    ['with entities that hold elements', () => ['<!ENTITY e "<b/>">', '&e;'.repeat(100_000)]],
    ['with many entities', () => [list(20_000, (i) => `<!ENTITY e${i} "<b/>">`), list(20_000, (i) => `&e${i};`)]],
    ['with a long text of references', () => ['', '&lt;&#65;'.repeat(200_000)]],
  ]
  test.each(sample(documents, 1))('%s', async (_, write) => {
    const [subset, content = ''] = write()
    const { turns, fair } = await countTurns(async (isOver) => {
      do
        await drain(
          readXml([`<!DOCTYPE a [${subset}]><a>${content}</a>`])
            .events()
            .batches(),
        )
      while (!isOver())
    })
    expect(turns).toBeGreaterThan(fair)
  })
})
