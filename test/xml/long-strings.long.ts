// Texts, values and names of more than half a gigabyte, which no string can hold: a LimitError with a place, and no other error.

import { expect, test } from 'vitest'
import { LONGEST_STRING } from '../../source/text/units.ts'
import { readXml, type XmlReader } from '../../source/xml/index.ts'

const piece = new Uint8Array(2 ** 20).fill(0x78)

function* source(before: string, after: string): Generator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  yield encoder.encode(before)
  for (let i = 0; i < LONGEST_STRING / piece.length; i++) yield piece
  yield encoder.encode(after)
}

/** What was made when it was asked for. */
const used: number[] = []

const WAYS: Record<string, (reader: XmlReader) => Promise<unknown>> = {
  check: (reader) => reader.check(),
  events: async (reader) => {
    for await (const _ of reader.events().batches());
  },
  select: async (reader) => {
    for await (const { text, children } of reader.select('a')) used.push(text.length, children.length)
  },
  records: async (reader) => {
    for await (const { text = '' } of reader.records('a', { text: '.', b: '@b' })) used.push(text.length)
  },
}

/** What stands around it, and what does not deliver it as a string. */
const CASES: readonly (readonly [what: string, before: string, after: string, free: readonly string[]])[] = [
  ['a text', '<a>', '</a>', ['check']],
  ['a text with references', '<a>&lt;', '&#65;</a>', ['check']],
  ['a text with a section', '<a>', '<![CDATA[y]]></a>', ['check']],
  ['a CDATA section', '<a><![CDATA[', ']]></a>', ['check']],
  ['a comment', '<a><!--', '--></a>', ['check']],
  ['an instruction', '<a><?x ', '?></a>', ['check']],
  ['a value', '<a b="', '"/>', ['check']],
  ['a value with references', '<a b="&lt;', '&#65;"/>', ['check']],
  ['a name', '<a><', '/></a>', []],
  ['an entity', '<!DOCTYPE a [<!ENTITY e "', '">]><a/>', []],
  ['an identifier', '<!DOCTYPE a PUBLIC "', '" "s"><a/>', []],
  ['a reference', '<a>&', ';</a>', []],
]

test.each(CASES)('%s', async (_, before, after, free) => {
  for (const [name, read] of Object.entries(WAYS)) {
    const reader = readXml(source(before, after), { limits: { maxRetained: 2 ** 32 } })
    const error = await read(reader).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (free.includes(name)) expect(error, name).toBeUndefined()
    else expect(error, name).toMatchObject({ name: 'LimitError', code: 'length-limit', limit: LONGEST_STRING })
  }
})
