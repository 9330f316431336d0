// Errors on streams that stay open come as soon as they are certain, and the excerpt has what has arrived.

import { describe, expect, test } from 'vitest'
import { Grammar } from '../../source/grammar/grammar.ts'
import { readXml, type XmlError } from '../../source/xml/index.ts'
import { collectAll, drain } from '../support/collect.ts'

/** Chunks, and then silence. */
async function* openStream(...chunks: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield* chunks
  await new Promise(() => {})
}

const CASES = {
  'an end tag that does not match': ['<a>text</b>', 'tag-mismatch', 9],
  'what is no tag': ['<a>< ', 'unexpected-input', 4],
  'what is no declaration': ['<a><!x', 'unexpected-input', 3],
  'an attribute without a value': ['<a b>', 'unexpected-input', 4],
  'a second attribute of one name': ['<a b="" b=""', 'duplicate-attribute', 9],
  'an undeclared entity': ['<a>x\r\n&lt;&foo;y', 'undeclared-entity', 10],
  'an undeclared entity in a second piece': ['<a>x&amp;\r\ny&#65;|z&foo; and more', 'undeclared-entity', 18],
  'a reference to no character': ['<a>x&#0;', 'character-reference', 4],
  'a prefix that is not declared': ['<a><b:c/>', 'undeclared-prefix', 3],
} as const

describe.each(['wasm', 'plain'] as const)('with the engine %s', (engine) => {
  test.each(Object.entries(CASES))('%s is an error at once', async (_, [text, code, byteOffset]) => {
    const pieces = text.split('|')
    for (const read of ['events', 'check', 'select'] as const) {
      for (const chunks of [pieces, pieces.join('').split('')]) {
        const reader = readXml(openStream(...chunks), { engine })
        const reading =
          read === 'check' ? reader.check() : drain(read === 'events' ? reader.events() : reader.select('a'))
        const error = (await reading.catch((thrown: unknown) => thrown)) as XmlError
        expect({ read, code: error.code, byteOffset: error.byteOffset }).toEqual({ read, code, byteOffset })
        expect(error.excerpt).toContain('^')
      }
    }
  })

  test('an undeclared entity comes after the text before it, as where the text has ended', async () => {
    for (const rest of ['', ' more</a>']) {
      const texts: string[] = []
      const source = openStream('<a>one', ' two &lt; &foo;', rest)
      const reading = (async () => {
        for await (const event of readXml(source, { engine }).events())
          if (event.type === 'text') texts.push(event.text)
      })()
      await expect(reading).rejects.toMatchObject({ code: 'undeclared-entity', byteOffset: 16 })
      expect(texts).toEqual(['one two < '])
    }
  })

  test('a reference after one to an entity waits for what that stands for', async () => {
    const text = '<!DOCTYPE a [<!ENTITY e "<b></c>">]><a>&e;&foo;</a>'
    const error = await drain(readXml(text, { engine }).events()).catch((thrown: unknown) => thrown)
    expect(error).not.toMatchObject({ code: 'undeclared-entity' })
    const { message } = error as Error
    await expect(drain(readXml(text.split(''), { engine }).events())).rejects.toThrow(message)
  })

  test('an input of a grammar that is wrong is an error at once', async () => {
    const grammar = Grammar.from('program ::= ( word "\\n" )* ; word ::= [a-z]+ ;')
    const source = openStream('one\ntw', 'o\nth!')
    const reading = collectAll(grammar.stream(source, { emit: 'word', engine }))
    await expect(reading).rejects.toMatchObject({ code: 'unexpected-input', byteOffset: 10, excerpt: 'th!\n  ^' })
  })
})
