// Documents in other encodings than UTF-8: copied as they are, or converted.

import { describe, expect, test } from 'vitest'
import {
  atTags,
  type EditedElement,
  type EditOptions,
  remove,
  rename,
  type XmlEdits,
} from '../../../source/xml/edit/index.ts'
import { parseXml } from '../../../source/xml/index.ts'
import { editPieces } from '../../support/edited.ts'
import { isThorough } from '../../support/extent.ts'
import { growthOf, MOST_GROWTH } from '../../support/growth.ts'

const wide = (text: string) => Buffer.from(text, 'utf16le')
const narrow = (text: string) => Buffer.from(text, 'latin1')
const EDITS: XmlEdits = {
  b: (b) => {
    b.setAttribute('k', `${b.element.attribute('k')}€`)
    b.setContent([b.text, { type: 'text', text: '€𝄞' }])
  },
  c: atTags((c) => {
    c.rename('d')
    c.removeAttribute('x')
    c.append('!')
  }),
}
const document = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><a>ö<b k="ö">ä</b><c y="ü" x="1"/></a>\n`

/** The result, which is the same byte by byte. */
async function edit(bytes: Buffer, edits: XmlEdits, options?: EditOptions): Promise<Buffer> {
  const whole = await editPieces([bytes], edits, options)
  const single = await editPieces(
    Array.from(bytes, (byte) => Uint8Array.of(byte)),
    edits,
    options,
  )
  expect(single.error).toEqual(whole.error)
  expect(single.bytes).toEqual(whole.bytes)
  if (whole.error) throw whole.error
  return whole.bytes
}

describe('a document', () => {
  test('in UTF-16 keeps its bytes and its mark', async () => {
    const result = `\ufeff${document('UTF-16')}`
      .replace('k="ö">ä', 'k="ö€">ä€𝄞')
      .replace('<c y="ü" x="1"/>', '<d y="ü">!</d>')
    const bytes = wide(`\ufeff${document('UTF-16')}`)
    expect(await edit(bytes, EDITS)).toEqual(wide(result))
    expect(await edit(Buffer.from(bytes).swap16(), EDITS)).toEqual(wide(result).swap16())
  })

  test('in ISO-8859-1 or US-ASCII has references for characters that it lacks', async () => {
    const result = document('ISO-8859-1')
      .replace('k="ö">ä', 'k="ö&#8364;">ä&#8364;&#119070;')
      .replace('<c y="ü" x="1"/>', '<d y="ü">!</d>')
    expect(await edit(narrow(document('ISO-8859-1')), EDITS)).toEqual(narrow(result))
    const ascii = '<?xml version="1.0" encoding="US-ASCII"?><a><b k="1">2</b></a>'
    expect(`${await edit(narrow(ascii), EDITS)}`).toBe(ascii.replace('1">2', '1&#8364;">2&#8364;&#119070;'))
  })

  test('cannot get a name that its encoding lacks', async () => {
    const lacking = edit(narrow(document('ISO-8859-1')), { b: rename('ő') })
    await expect(lacking).rejects.toMatchObject({ code: 'unencodable-name', line: 1 })
  })

  test('in another encoding is refused before its first byte', async () => {
    const { bytes, error } = await editPieces([narrow(document('windows-1252'))], {})
    expect(bytes).toHaveLength(0)
    expect(error).toMatchObject({ code: 'unsupported-encoding', byteOffset: 0 })
    expect(error?.message).toMatch(/^a document in windows-1252 .* convert: 'utf-8'/)
  })

  test.each([
    ['windows-1252', narrow(document('windows-1252'))],
    ['ISO-8859-1', narrow(document('ISO-8859-1'))],
    ['UTF-16', wide(`\ufeff${document('UTF-16')}`)],
    ['UTF-8', Buffer.from(document('UTF-8'))],
  ])('in %s is converted to UTF-8, and says so', async (_, bytes) => {
    const result = document('UTF-8').replace('k="ö">ä', 'k="ö€">ä€𝄞').replace('<c y="ü" x="1"/>', '<d y="ü">!</d>')
    expect(`${await edit(bytes, EDITS, { convert: 'utf-8' })}`).toBe(result)
    expect(`${await edit(bytes, { none: remove }, { convert: 'utf-8' })}`).toBe(document('UTF-8'))
  })

  test('that is converted has places of the input', async () => {
    const starts: number[] = []
    const look = atTags((tag) => void starts.push(tag.start))
    const bytes = narrow(document('windows-1252'))
    await editPieces([bytes], { '*': look }, { convert: 'utf-8' })
    expect(starts).toEqual(['<a', '<b', '<c'].map((tag) => bytes.indexOf(tag)))
  })

  test.each([
    ['windows-1252', narrow, '', { convert: 'utf-8' }],
    ['UTF-16', wide, '\ufeff', { convert: 'utf-8' }],
    ['UTF-16', wide, '\ufeff', {}],
    ['UTF-8', Buffer.from, '\ufeff', {}],
  ] as const)('in %s has elements with places of the input', async (encoding, encode, mark, options) => {
    const places: number[] = []
    const look = ({ element, start }: EditedElement) => {
      places.push(start, element.start, element.end)
      for (const child of element.childElements) places.push(child.start, child.end)
    }
    // Long texts before the element and in it: what was decoded is forgotten again.
    const filler = 'ä'.repeat(200_000)
    const text = `${mark}<?xml version="1.0" encoding="${encoding}"?><r>${filler}<a>${filler}<b>ö</b><c/></a></r>`
    const bytes = encode(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 9999) }, (_, i) =>
      bytes.subarray(9999 * i, 9999 * (i + 1)),
    )
    const { error } = await editPieces(pieces, { a: look }, options)
    expect(error).toBeUndefined()
    const bounds = ['<a>', '<a>', '</r>', '<b>', '<c/>', '<c/>', '</a>']
    expect(places).toEqual(bounds.map((bound) => encode(text.slice(0, text.indexOf(bound))).length))
  })

  test('that is converted has what is before an error', async () => {
    for (const options of [{ convert: 'utf-8' }, {}] as const) {
      const bytes = wide('\ufeff<a>ö<b/>ä</c>')
      const whole = await editPieces([bytes], { b: remove }, options)
      const single = await editPieces(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        { b: remove },
        options,
      )
      expect(whole.error).toMatchObject({ name: 'XmlError', byteOffset: 24 })
      for (const one of [whole, single]) {
        expect(one.bytes.toString(options.convert ? 'utf8' : 'utf16le').replace('\ufeff', '')).toBe('<a>öä</')
      }
    }
  })

  test('that is a string becomes UTF-8, whatever it declares', async () => {
    const { editXml } = await import('../../../source/xml/edit/index.ts')
    const yielded: Uint8Array[] = []
    for await (const bytes of editXml(document('ISO-8859-1'), {})) yielded.push(bytes)
    expect(`${Buffer.concat(yielded)}`).toBe(document('UTF-8'))
    expect(parseXml(Buffer.concat(yielded)).root.childText('b')).toBe('ä')
  })

  test('is in the encoding that is given', async () => {
    const bytes = narrow('<a>ö<b/></a>')
    expect(await edit(bytes, { b: remove }, { encoding: 'iso-8859-1' })).toEqual(narrow('<a>ö</a>'))
  })

  test.runIf(isThorough)('takes time in proportion to its length, also if it comes byte by byte', async () => {
    const make = (count: number) => {
      const bytes = narrow(`<?xml version="1.0" encoding="windows-1252"?><a>${'x'.repeat(count)}</a>`)
      const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte))
      return () => editPieces(pieces, { a: atTags(() => {}) }, { convert: 'utf-8' })
    }
    expect(await growthOf({ count: 20_000, make })).toBeLessThan(MOST_GROWTH)
  })
})
