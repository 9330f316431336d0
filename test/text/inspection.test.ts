import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Grammar } from '../../source/grammar/index.ts'
import { parseXml, readXml } from '../../source/xml/index.ts'

const { root } = parseXml('<a x="1"><b>text</b></a>')

test('an element shows its name, attributes and children where it is printed', () => {
  expect(inspect(root, { breakLength: 400, compact: 6 })).toBe(
    "XmlElement { name: 'a', namespace: undefined, attributes: XmlAttributes [ [ 'x', '1' ] ], children: " +
      "[ XmlElement { name: 'b', namespace: undefined, attributes: [XmlAttributes], children: [Array], start: 9, end: 20 } ], start: 0, end: 24 }",
  )
})

test('an element that was selected shows the same', async () => {
  for await (const element of readXml('<r><a x="1"><b>text</b></a></r>').select('a')) {
    expect(inspect(element).replaceAll(/(?:start|end): \d+/g, '')).toBe(
      inspect(root).replaceAll(/(?:start|end): \d+/g, ''),
    )
  }
  expect.assertions(1)
})

test('a node of a tree shows its type and value', () => {
  const tree = Grammar.from('program ::= word word; word ::= "a";').parse('aa')
  expect(inspect(tree, { breakLength: 400, compact: 6 })).toBe(
    "SyntaxNode { type: 'program', start: 0, end: 2, value: [ SyntaxNode { type: 'word', start: 0, end: 1, value: [Array] }, " +
      "SyntaxNode { type: 'word', start: 1, end: 2, value: [Array] } ] }",
  )
})

test('a grammar shows the names of its rules, and how many more there are', () => {
  expect(inspect(Grammar.from('program ::= word word; word ::= "a";'))).toBe("Grammar { rules: [ 'program', 'word' ] }")
  const rules = Array.from({ length: 120 }, (_, i) => `r${i} ::= r${i + 1};`).join('')
  expect(inspect(Grammar.from(`program ::= r0; ${rules} r120 ::= "a";`))).toContain('... 22 more items')
})

test('what lies deeper than is shown is named', () => {
  expect(inspect({ root }, { depth: 0 })).toBe('{ root: [XmlElement a] }')
  expect(inspect(root, { depth: 0 })).toContain('children: [Array]')
  expect(inspect(root, { depth: null, breakLength: 400 })).toContain("{ type: 'text', text: 'text' }")
})
