import { describe, expect, test } from 'vitest'
import type { FormatName } from '../../../source/record/format/index.ts'
import { readXml } from '../../../source/xml/reader.ts'
import { collectAll, inPieces } from '../../support/collect.ts'
import { extent, sample } from '../../support/extent.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Groups with fields before, between and after their records, and some without any. */
const groups = Array.from({ length: extent(24, 40, 40) }, (_, g) => {
  const records = Array.from({ length: g % 7 === 0 ? extent(40, 90, 90) : g % 4 }, (_, r) => {
    const late = r === 2 ? `<name>late, "${g}"</name>` : ''
    return `<item n="${g}.${r}"><size>${r}</size>${r % 5 === 0 ? '<note>a &amp; "b", é</note>' : ''}</item>\n${late}`
  })
  const name = g % 3 === 0 ? '' : `<name>group ${g} &lt; ${g + 1}</name>`
  return `<group id="${g}">${name}\n${records.join('')}<name>after</name></group>`
})
const bytes = encode(`<r><item n="none"><size>7</size></item>${groups.join('\n')}</r>`)
const shape = {
  group: { outer: 'group', fields: { id: { path: '@id', as: 'integer' }, name: 'name' } },
  n: '@n',
  size: { path: 'size', as: 'integer' },
  note: 'note',
} as const
const small = { group: { outer: 'group', fields: { id: '@id' } }, note: 'note' } as const

describe('records with something around them', () => {
  test('are the same in all formats as they are alone, in pieces of any size', async () => {
    for (const one of sample([shape, small, { note: 'note', group: shape.group }] as const, 2)) {
      const records = await collectAll(readXml(bytes).records('item', one))
      const write = async (size: number, format: FormatName, options = {}) => {
        const pieces = await collectAll(readXml(inPieces(bytes, size)).write(format, 'item', one, options))
        return Buffer.concat(pieces).toString('latin1')
      }
      const linesOf = (empty?: null) => {
        const line = (record: object) => JSON.stringify(record, (_, value) => (value === undefined ? empty : value))
        return Buffer.from(records.map((record) => `${line(record)}\n`).join('')).toString('latin1')
      }
      for (const size of [200, 4000, 100_000]) {
        expect(await write(size, 'jsonl')).toBe(linesOf())
        expect(await write(size, 'jsonl', { absent: 'null' })).toBe(linesOf(null))
      }
      for (const format of ['json', 'csv', 'tsv', 'arrows'] as const) {
        // In pieces of some bytes, no kernel writes anything.
        const alone = await write(20, format)
        for (const size of [200, 4000, 100_000]) expect((await write(size, format)) === alone, format).toBe(true)
      }
    }
  })

  test('are an error where that is not valid, after all records before', async () => {
    const wrong = encode(new TextDecoder().decode(bytes).replace('id="21"', 'id="x"'))
    const lines: string[] = []
    const reading = readXml(inPieces(wrong, 3000)).write('jsonl', 'item', shape)
    const all = async () => {
      for await (const piece of reading) lines.push(new TextDecoder().decode(piece))
    }
    await expect(all()).rejects.toMatchObject({ code: 'invalid-value' })
    const last = lines.join('').trimEnd().split('\n').at(-1) as string
    expect(JSON.parse(last)).toMatchObject({ group: { id: 19 } })
  })
})
