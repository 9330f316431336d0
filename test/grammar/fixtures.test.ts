// The example grammars of fixtures/grammar, with inputs and the trees or errors they give, as text.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Grammar, type SyntaxNode } from '../../source/grammar/index.ts'
import { ParseError } from '../../source/text/parse-error.ts'
import { cutPlaces } from '../support/collect.ts'
import { isThorough } from '../support/extent.ts'

const folder = new URL('../../fixtures/grammar/', import.meta.url)
/** Longer inputs are not cut in two. */
const SHORT = 400

const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

/** A tree as the fixtures have it: a node a line, indented by its depth. */
function format(node: SyntaxNode, depth = 0): string {
  const { type, value, start, end } = node
  const name = typeof value === 'string' ? JSON.stringify(value) : type
  const line = `${'  '.repeat(depth)}${name} ${start}-${end}\n`
  return typeof value === 'string' ? line : line + value.map((child) => format(child, depth + 1)).join('')
}

/** The input complete, byte by byte, and where it is short cut in two. */
function* cut(bytes: Uint8Array): Generator<Uint8Array[]> {
  yield [bytes]
  yield Array.from(bytes, (byte) => Uint8Array.of(byte))
  const places = bytes.length <= SHORT ? cutPlaces(bytes.length) : []
  for (const at of places) yield [bytes.subarray(0, at), bytes.subarray(at)]
}

async function streamTree(grammar: Grammar, pieces: Uint8Array[]): Promise<string> {
  let tree = ''
  for await (const node of grammar.stream(pieces)) tree += format(node)
  return tree
}

describe.each(names)('the grammar for %s', (name) => {
  const path = new URL(`${name}/`, folder)
  const read = (file: string) => readFileSync(new URL(file, path))
  const files = readdirSync(path)
  const grammar = Grammar.from(read(`${name}.bnf`).toString())

  test.each(files.filter((file) => file.includes('.input.')))('reads %s as its tree says', async (file) => {
    const bytes = new Uint8Array(read(file))
    const expected = read(file.replace(/\.input\..*/, '.tree')).toString()
    expect(format(grammar.parse(bytes))).toBe(expected)
    expect(format(grammar.parse(bytes, { engine: 'plain' }))).toBe(expected)
    expect(grammar.test(bytes)).toBe(true)
    for (const pieces of cut(bytes)) expect(await streamTree(grammar, pieces)).toBe(expected)
  })

  test.each(files.filter((file) => file.includes('.bad.')))('refuses %s with a message that helps', async (file) => {
    const bytes = new Uint8Array(read(file))
    const expected = read(file.replace(/\.bad\..*/, '.error')).toString()
    const explain = (error: unknown) => `${(error as ParseError).report()}\n`
    const refusal = catchError(() => grammar.parse(bytes))
    expect(refusal).toBeInstanceOf(ParseError)
    expect(explain(refusal)).toBe(expected)
    expect(explain(catchError(() => grammar.parse(bytes, { engine: 'plain' })))).toBe(expected)
    expect(grammar.test(bytes)).toBe(false)
    for (const pieces of cut(bytes)) {
      const error = await streamTree(grammar, pieces).catch((reason: unknown) => reason)
      expect(cutExcerpt(error)).toEqual(cutExcerpt(refusal))
    }
  })
})

describe('what streams', () => {
  test.each([
    ['xml', 'element'],
    ['xml', 'content'],
    ['xml', 'text'],
    ['log', 'entry'],
  ])('the grammar for %s leaves no rewind point on the way to a node %s', (name, rule) => {
    const grammar = Grammar.from(readFileSync(new URL(`${name}/${name}.bnf`, folder), 'utf8'))
    const purpose = { entry: 'program', parts: new Set([rule]), nested: 'outermost', isPartial: false } as const
    const { rewindPoints } = grammar.compile(purpose)
    // Whether a declaration begins an XML document takes more than four bytes: the one place, after which a cut lets go.
    expect(rewindPoints.map((point) => point.rule)).toEqual(name === 'xml' ? ['program'] : [])
  })

  test.runIf(isThorough)('100,000 elements in a row are read while less is held than a hundredth of them', async () => {
    const grammar = Grammar.from(readFileSync(new URL('xml/xml.bnf', folder), 'utf8'))
    const element = '<a b="c">text &lt;<!-- x --><d/><![CDATA[y]]><?z?></a>\n'
    const source = ['<root>', ...Array.from({ length: 1000 }, () => element.repeat(100)), '</root>']
    const maxRetained = Math.floor((element.length * 100_000) / 100)
    let nodes = 0
    for await (const node of grammar.stream(source, { emit: 'element', limits: { maxRetained } }))
      nodes += node.value.length && 1
    expect(nodes).toBe(100_000)
  })
})

/** An error without what stands after the error: that may not have arrived. */
function cutExcerpt(error: unknown): object {
  const { message, code, byteOffset, line, column, expected, rules, excerpt = '' } = error as ParseError
  const [text = '', caret = ''] = excerpt.split('\n')
  return { message, code, byteOffset, line, column, expected, rules, excerpt: text.slice(0, caret.length - 1) }
}

function catchError(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
