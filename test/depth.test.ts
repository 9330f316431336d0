// All that walks through something nested, on something that is nested deeper than any stack: it gives a result, or an error of ours.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Grammar, type SyntaxNode, type SyntaxNodeData, writeTypes } from '../source/grammar/index.ts'
import { readDump } from '../source/mediawiki/index.ts'
import { makeTransform } from '../source/stream/make-transform.ts'
import { XylemError } from '../source/stream/xylem-error.ts'
import { formatJson } from '../source/text/json.ts'
import { readXmlInWorker } from '../source/worker/index.ts'
import { parseXml, readXml, type XmlElement, type XmlElementData } from '../source/xml/index.ts'
import { run } from './support/command.ts'
import { extent, sample } from './support/extent.ts'

/**
 * More than the simplest function can call itself, which is 11,200 times in Node 20, and where everything is tried more than a call can have arguments,
 * some 120,000. Fewer than the limit of open elements, a million.
 */
const LEVELS = extent(12_000, 50_000, 150_000)
const nested = (start: string, end: string, inner = '') => start.repeat(LEVELS) + inner + end.repeat(LEVELS)
const odd = nested('<odd>', '</odd>', 'x')

/** What is read to its end: how many items there were, and the last. */
async function last<Item>(items: AsyncIterable<Item>): Promise<Item> {
  let found: Item | undefined
  for await (const item of items) found = item
  return found as Item
}

function depthOf(data: XmlElementData): number {
  let depth = 0
  let next: XmlElementData | undefined = data
  while (next) {
    depth++
    next = next.children.find((child): child is XmlElementData => 'name' in child)
  }
  return depth
}

/** How deep the JSON of a line is, which no stack would hold. */
function depthOfJson(line: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of line.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  expect(depth).toBe(0)
  return deepest
}

/** Where the deep element stands in a document; `i` is around it. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'in the document': `<r><i>${odd}</i></r>`,
  'in an entity': `<!DOCTYPE r [<!ENTITY e "${odd}">]><r><i>&e;</i></r>`,
  'with namespaces and attributes': `<r><i>${nested('<a:b xmlns:a="u" c="d">', '</a:b>', 'x')}</i></r>`,
}

type Walk = (document: string) => unknown

const WALKS: Readonly<Record<string, Walk>> = {
  parseXml: (text) => parseXml(text).root.name,
  'the text of a document': (text) => expect(parseXml(text).root.text).toBe('x'),
  toJSON: (text) => expect(depthOf(parseXml(text).root.toJSON())).toBeGreaterThanOrEqual(LEVELS),
  'what console.log prints': (text) => expect(inspect(parseXml(text)).length).toBeLessThan(20_000),
  children: (text) => {
    let element: XmlElement | undefined = parseXml(text).root
    while (element) element = element.childElements[0]
  },
  check: (text) => readXml(text).check(),
  events: (text) => last(readXml(text).events().batches()),
  'a selected element': async (text) => {
    const element = await last(readXml(text).select('i'))
    expect([element.text, element.childText('odd') ?? element.ownText]).toContain('x')
    expect(depthOf(element.toJSON())).toBeGreaterThanOrEqual(LEVELS)
    expect(inspect(element).length).toBeLessThan(2_000)
    expect(element.bytes?.length).toBeGreaterThan(3)
  },
  'the innermost elements': (text) => last(readXml(text).select('//*', { nested: 'innermost' })),
  'records of texts': async (text) => expect(await last(readXml(text).records('i', { t: '.' }))).toEqual({ t: 'x' }),
  'records of XML': (text) => last(readXml(text).records('i', { x: { path: '.', as: 'xml' } })),
  'records of children': (text) => last(readXml(text).records('i', { x: { path: '.', as: 'children' } })),
  'records of the rest': async (text) => {
    const { rest } = (await last(readXml(text).records('i', { rest: { as: 'rest' } }))) as { rest: XmlElementData[] }
    expect(depthOf(rest[0] as XmlElementData)).toBe(LEVELS)
  },
  'records of elements at any depth': (text) => last(readXml(text).records('//*', { t: '.' })),
  'JSON lines of the rest': async (text) => {
    const line = Buffer.from(await last(readXml(text).write('jsonl', 'i', { rest: { as: 'rest' } }))).toString()
    expect(depthOfJson(line)).toBeGreaterThan(2 * LEVELS)
  },
  'JSON lines of the rest with nulls': async (text) => {
    const shape = { none: 'none', rest: { as: 'rest' } } as const
    const line = Buffer.from(await last(readXml(text).write('jsonl', 'i', shape, { absent: 'null' }))).toString()
    expect(line.startsWith('{"none":null,"rest":[{')).toBe(true)
  },
  'records of objects': (text) => last(readXml(text).records('i', { x: { path: '.', as: 'object' } })),
  'JSON lines of objects': async (text) => {
    const line = Buffer.from(
      await last(readXml(text).write('jsonl', 'i', { x: { path: '.', as: 'object' } })),
    ).toString()
    expect(depthOfJson(line)).toBeGreaterThan(LEVELS)
  },
  'columns of objects': (text) => last(readXml(text).columns('i', { x: { path: '.', as: 'object' } })),
  'CSV of the rest': (text) => last(readXml(text).write('csv', 'i', { rest: { as: 'rest' } })),
  'TSV of the rest': (text) => last(readXml(text).write('tsv', 'i', { rest: { as: 'rest' } })),
  'columns of the rest': (text) => last(readXml(text).columns('i', { rest: { as: 'rest' } })),
  'a pipe of elements': (text) =>
    throughPipe(
      text,
      makeTransform((source) => readXml(source).select('i')),
    ),
  'a pipe of records': (text) =>
    throughPipe(
      text,
      makeTransform((source) => readXml(source).records('i', { rest: { as: 'rest' } })),
    ),
  'a pipe of lines': (text) =>
    throughPipe(
      text,
      makeTransform((source) => readXml(source).write('jsonl', 'i', { rest: { as: 'rest' } }), { type: 'bytes' }),
    ),
  'a pipe of events': (text) =>
    throughPipe(
      text,
      makeTransform((source) => readXml(source).events().batches()),
    ),
}

function throughPipe<Item>(
  text: string,
  pipe: { readonly readable: ReadableStream<Item>; readonly writable: WritableStream<string> },
): Promise<Item> {
  return last(new Blob([text]).stream().pipeThrough(new TextDecoderStream()).pipeThrough(pipe) as never)
}

const engines = sample(['wasm', 'plain'] as const, 1)

/** In `npm test`, some walks through the first document, and fewer through the others. */
const walksThrough = (document: string) => sample(Object.entries(WALKS), document === 'in the document' ? 7 : 2)

describe.each(Object.entries(DOCUMENTS))('elements of many levels %s', (place, text) => {
  test.each(walksThrough(place))('do not end %s', { timeout: 300_000 }, async (__, walk) => {
    await walk(text)
  })
})

test.each(engines)(
  'deep elements have the same line on the engine %s, in pieces',
  { timeout: 300_000 },
  async (engine) => {
    const text = DOCUMENTS['in the document'] as string
    const pieces = [text.slice(0, LEVELS), text.slice(LEVELS)]
    const line = Buffer.from(
      await last(readXml(pieces, { engine }).write('jsonl', 'i', { rest: { as: 'rest' } })),
    ).toString()
    expect(depthOfJson(line)).toBe(2 * LEVELS + 3)
  },
)

test('a worker passes on deep elements', { timeout: 300_000 }, async () => {
  const text = DOCUMENTS['in the document'] as string
  const shape = { rest: { as: 'rest' } } as const
  const { rest } = (await last(readXmlInWorker(text).records('i', shape))) as { rest: XmlElementData[] }
  expect(depthOf(rest[0] as XmlElementData)).toBe(LEVELS)
})

describe('an unknown element of many levels in a dump', () => {
  const page = (inPage: string, inRevision = '') =>
    `<page><title>A</title><id>1</id>${inPage}<revision><id>2</id>${inRevision}</revision></page>`
  const dumpOf = (content: string) => `<mediawiki>${content}<page><title>B</title><id>9</id></page></mediawiki>`
  const dumps = { page: dumpOf(page(odd)), revision: dumpOf(page('', odd)) }

  test.each(Object.entries(dumps))('in a %s does not end any way of reading', { timeout: 300_000 }, async (_, dump) => {
    const ids: number[] = []
    for await (const { id } of readDump([dump]).pages()) ids.push(id)
    expect(ids).toEqual([1, 9])
    let lines = ''
    for await (const { bytes } of readDump([dump]).pageLines()) lines += Buffer.from(bytes).toString()
    expect(lines.split('\n').length).toBe(3)
    expect(depthOfJson(lines.slice(0, lines.indexOf('\n')))).toBeGreaterThan(2 * LEVELS)
    for await (const revision of readDump([dump]).revisions()) expect(revision.id).toBe(2)
    lines = ''
    for await (const { bytes } of readDump([dump]).revisionLines()) lines += Buffer.from(bytes).toString()
    expect(lines.endsWith('\n')).toBe(true)
    await last(readDump([dump]).places())
  })

  describe('on the command line', () => {
    let folder: string
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'depth-'))
      for (const [name, dump] of Object.entries(dumps)) writeFileSync(join(folder, name), dump)
      writeFileSync(join(folder, 'document'), DOCUMENTS['in the document'] as string)
      writeFileSync(join(folder, 'g.bnf'), 'program ::= "(" program ")" | "x" ;')
      // The line of the tree has some 700 characters for each level, and must fit into a string.
      const levels = Math.min(LEVELS, 200_000)
      writeFileSync(join(folder, 'nested'), `${'('.repeat(levels)}x${')'.repeat(levels)}`)
    })
    afterAll(() => rmSync(folder, { recursive: true }))

    const commands: readonly (readonly string[])[] = [
      ['pages', 'page'],
      ['pages', 'revision'],
      ['pages', 'page', '--on-error', 'skip-page'],
      ['pages', 'page', '--format', 'csv'],
      ['pages', 'page', '--fields', 'id,other'],
      ['pages', 'page', '--fields', 'id,other', '--format', 'tsv'],
      ['pages', 'page', '--verify'],
      ['revisions', 'revision'],
      ['revisions', 'revision', '--fields', 'id,other'],
      ['revisions', 'page'],
      ['get', '--id', '1', 'page'],
      ['check', 'page'],
      ['info', 'page'],
      ['parse', '-g', 'g.bnf', 'nested'],
      ['select', 'i', 'document'],
      ['select', 'odd', 'document'],
      ['select', 'i', 'document', '--xml'],
      ['select', 'i', 'document', '--as-object'],
      ['select', 'i', 'document', '--field', 't=.'],
    ]
    test.each(sample(commands, 3))('%s %s %s %s', { timeout: 300_000 }, async (...args) => {
      const files = new Set([...Object.keys(dumps), 'document', 'g.bnf', 'nested'])
      const given = args.filter((arg) => arg !== undefined)
      const { code, stdout, stderr } = await run(given.map((arg) => (files.has(arg) ? join(folder, arg) : arg)))
      expect({ code, stderr: stderr.slice(0, 300) }).toEqual({ code: 0, stderr: expect.any(String) })
      expect(stderr).not.toMatch(/internal|stack/i)
      for (const line of stdout.split('\n').slice(0, 2)) if (line.startsWith('{')) depthOfJson(line)
    })
  })
})

/** Either works, or is refused with an error of ours, whose message is short. */
async function isAnswered(attempt: () => unknown): Promise<void> {
  try {
    await attempt()
  } catch (error) {
    expect(error).toBeInstanceOf(XylemError)
    expect((error as Error).message.length).toBeLessThan(2_000)
    expect(inspect(error).length).toBeLessThan(20_000)
    JSON.stringify(error)
  }
}

const MANY = Math.min(LEVELS, 50_000)
const RULES = extent(1_000, 5_000, 5_000)
const entities = (make: (before: string) => string) => {
  const declared = Array.from({ length: MANY }, (_, i) => `<!ENTITY e${i + 1} "${make(`&e${i};`)}">`).join('')
  return `<!DOCTYPE r [<!ENTITY e0 "x">${declared}]>`
}

test.each(
  Object.entries({
    'entities in entities': () => parseXml(`${entities((before) => before)}<r>&e${MANY};</r>`).root.text,
    'elements in entities in entities': () =>
      parseXml(`${entities((before) => `<a>${before}</a>`)}<r>&e${MANY};</r>`).root.toJSON(),
    'entities in an attribute': () =>
      parseXml(`${entities((before) => before)}<r a="&e${MANY};"/>`).root.attribute('a'),
    'an entity that refers to itself': () => parseXml('<!DOCTYPE r [<!ENTITY a "&b;"><!ENTITY b "&a;">]><r>&a;</r>'),
    'brackets of a content model': () => parseXml(`<!DOCTYPE r [<!ELEMENT r ${nested('(', ')', 'a')}>]><r/>`),
    'sequences of a content model': () => parseXml(`<!DOCTYPE r [<!ELEMENT r ${nested('(a,(b|', '))', 'c')}>]><r/>`),
    'conditional sections': () => parseXml(`<!DOCTYPE r [${nested('<![INCLUDE[', ']]>')}]><r/>`),
    'elements that are not closed': () => parseXml('<a>'.repeat(LEVELS)),
    'elements that are not closed, in a stream': () => readXml('<a>'.repeat(LEVELS)).check(),
    'elements with a wrong end tag': () => last(readXml(`${'<a>'.repeat(LEVELS)}</b>`).select('a')),
    'brackets of a grammar': () => Grammar.from(`program ::= ${nested('(', ')', '"a"')} ;`),
    'brackets of a grammar in the other dialect': () =>
      Grammar.from(`program ::= ${nested('(', ')', '"a"')} ;`, { dialect: 'bnf-parser' }),
    'choices of sequences of a grammar': () =>
      Grammar.from(`program ::= ${'"a" | "b" '.repeat(LEVELS)} ;`, { dialect: 'bnf-parser' }),
    'prefixes of a grammar': () => Grammar.from(`program ::= ${'%'.repeat(LEVELS)}"a" ;`),
    'items of a grammar': () => Grammar.from(`program ::= ${'"a" '.repeat(MANY)} ;`).test('a'),
    'rules that begin with each other': () => {
      const rules = Array.from({ length: RULES }, (_, i) => `r${i} ::= r${i + 1} ;`).join('\n')
      const grammar = Grammar.from(`program ::= r0 ;\n${rules}\nr${RULES} ::= "z" ;`)
      writeTypes(grammar)
      grammar.warnings.at(0)
      inspect(grammar)
      grammar.parse('z').toJSON()
    },
  }),
)('%s of many levels are read, or refused in words', { timeout: 300_000 }, async (_, attempt) => {
  await isAnswered(attempt)
})

const RIGHT = Grammar.from('program ::= "(" program ")" | "x" ;')
const TAIL = Grammar.from('program ::= "(" program | "x" ;')

describe.each([
  ['in brackets', RIGHT, nested('(', ')', 'x')],
  ['to the right', TAIL, nested('(', '', 'x')],
] as const)('a syntax tree that is nested %s', (_, grammar, input) => {
  const depthOfTree = ({ value }: SyntaxNodeData | SyntaxNode): number => {
    let depth = 0
    for (let next = value; typeof next !== 'string'; depth++) next = next.at(next.length > 2 ? 1 : -1)?.value ?? ''
    return depth
  }
  const options = { limits: { maxDepth: 5 * LEVELS } }

  test.each(engines)('is walked, printed and written (%s)', { timeout: 300_000 }, (engine) => {
    const tree = grammar.parse(input, { ...options, engine })
    expect(tree.text.length).toBe(input.length)
    expect(inspect(tree).length).toBeLessThan(2_000)
    expect(depthOfTree(tree)).toBeGreaterThanOrEqual(LEVELS)
    if (LEVELS > 20_000) return // the JSON of more levels takes gigabytes
    const data = tree.toJSON()
    expect(depthOfTree(data)).toBeGreaterThanOrEqual(LEVELS)
    expect(depthOfJson(formatJson(data))).toBeGreaterThan(2 * LEVELS)
  })

  test('is streamed', { timeout: 300_000 }, async () => {
    const node = await last(grammar.stream(input, options))
    expect(node.text.length).toBe(input.length)
  })

  test('that lacks its end is an error in words', () => isAnswered(() => grammar.parse(input.slice(0, -1), options)))
})

test('brackets in a grammar are refused in words where the stack is small, as in workers of browsers', async () => {
  const url = import.meta.resolve('xylem/grammar')
  const program = `import('${url}').then(({ Grammar }) => Grammar.from('a ::= ' + '('.repeat(450) + '"b"' + ')'.repeat(450) + ' ;'))
    .catch(({ name, message }) => require('node:worker_threads').parentPort.postMessage(name + ': ' + message))`
  const worker = new Worker(program, { eval: true, resourceLimits: { stackSizeMb: 0.5 } })
  const [answer] = await once(worker, 'message')
  expect(answer).toMatch(/^GrammarError: brackets and choices are nested too deep \(line 1, column \d+\)\n/)
  await worker.terminate()
})
