// What Node prints of an error that nobody catches: the line of code where it was thrown, the stack, and what the error knows.

import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isThorough } from './support/extent.ts'
import { InstalledPackage, manifest } from './support/installed-package.ts'
import { root } from './support/markdown.ts'

const LINES = 24
const COLUMNS = 80

/** Programs that throw, by what they import. */
const programs: Readonly<Record<string, string>> = {
  xylem: `import { readXml } from 'xylem'
    for await (const _ of readXml('<a><b>x</b><b></a>').records('b', { text: '.' }));`,
  'xylem/node': `import { FileSource } from 'xylem/node'
    for await (const _ of new FileSource('missing.xml'));`,
  'xylem/stream': `import { StreamCache } from 'xylem/stream'
    async function* fail() {
      yield new Uint8Array(1)
      throw new Error('sap')
    }
    await StreamCache.from(fail()).cursor().read(4)`,
  'xylem/compression': `import { decompress } from 'xylem/compression'
    for await (const _ of decompress([Uint8Array.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4)]));`,
  'xylem/grammar': `import { Grammar } from 'xylem/grammar'
    Grammar.from('program ::= "a" ;').parse('b')`,
  'xylem/grammar, a grammar with an error': `import { Grammar } from 'xylem/grammar'
    Grammar.from('program ::= missing ;')`,
  'xylem/xml': `import { parseXml } from 'xylem/xml'
    parseXml('<a><b></a>')`,
  'xylem/xml, a limit': `import { parseXml } from 'xylem/xml'
    parseXml('<a><b/></a>', { limits: { maxDepth: 1 } })`,
  'xylem/xml/streaming': `import { readXml } from 'xylem/xml/streaming'
    for await (const _ of readXml('<a><b>x</b><b></a>').select('b'));`,
  'xylem/xml/streaming, wrong use': `import { readXml } from 'xylem/xml/streaming'
    readXml('<a/>', { limts: {} })`,
  'xylem/xml/ranges': `import { readXmlRange } from 'xylem/xml/ranges'
    const source = { from: () => ['<a><b>x</b><b></a>'] }
    for await (const _ of readXmlRange(source, { codec: 'other', start: 0, end: 18, path: ['b'] }).records({ text: '.' }));`,
  'xylem/xml/edit': `import { editXml, remove } from 'xylem/xml/edit'
    for await (const _ of editXml('<a/>', { a: remove }));`,
  'xylem/xml/infer': `import { inferShape } from 'xylem/xml/infer'
    await inferShape('<a></b>')`,
  'xylem/xml/object': `import { fromObject } from 'xylem/xml/object'
    fromObject({ a: { b: [[]] } })`,
  'xylem/xml/write': `import { XmlWriter } from 'xylem/xml/write'
    new XmlWriter().element('a b')`,
  'xylem/mediawiki': `import { readDump } from 'xylem/mediawiki'
    for await (const _ of readDump('<mediawiki><page></mediawiki>').pages());`,
  'xylem/worker': `import { readXmlInWorker } from 'xylem/worker'
    for await (const _ of readXmlInWorker('<a><b></a>').records('b', { text: '.' }));`,
  'a worker of XML': `import { Worker } from 'node:worker_threads'
    const worker = new Worker(new URL(import.meta.resolve('xylem/xml-worker.js')))
    worker.on('message', () => worker.postMessage(null))`,
  'a worker of blocks': `import { Worker } from 'node:worker_threads'
    const worker = new Worker(new URL(import.meta.resolve('xylem/block-worker.js')))
    worker.on('message', () => worker.postMessage(null))`,
}

const imported = Object.keys(manifest.exports).filter((path) => !/\.\w+$/.test(path))

let installed: InstalledPackage
beforeAll(() => {
  installed = new InstalledPackage()
  // So that all of xylem fails as soon as it is loaded.
  installed.write('broken.cjs', 'globalThis.TextDecoder = undefined')
})
afterAll(() => installed.remove())

/** What was printed, with a short path to the package. */
function shorten(stderr: string): string {
  return stderr.replaceAll(installed.folder, '/app')
}

function expectScreen(stderr: string): void {
  const text = shorten(stderr)
  expect(text).toMatch(/^ {4}at /m)
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES)
  expect(text.length).toBeLessThan(LINES * COLUMNS)
}

describe.runIf(isThorough)('an error that nobody catches', () => {
  test('is tried with all that can be imported', () => {
    // The modules of grammars hold a text each, and that of entities a list.
    const acting = imported.filter((path) => !/^\.\/(grammars\/|xml\/html-entities)/.test(path))
    expect(Object.keys(programs)).toEqual(expect.arrayContaining(acting.map((path) => path.replace('.', 'xylem'))))
  })

  test.each(Object.keys(programs))('is printed on less than a screen: %s', (name) => {
    const file = installed.write('program.js', programs[name] as string)
    const { status, stderr } = installed.fail(file)
    expect(status).toBe(1)
    expectScreen(stderr)
  })

  test.each(Object.keys(programs))(
    'is printed with its places in the sources, if Node is asked for that: %s',
    (name) => {
      const file = installed.write('program.js', programs[name] as string)
      const { status, stderr } = installed.fail('--enable-source-maps', file)
      expect(status).toBe(1)
      expectScreen(stderr)
      // Scripts of workers are served to browsers as well, and are minified.
      expect(stderr).not.toMatch(/^ {4}at .*xylem\/dist\/(?!xml-worker|block-worker)/m)
      for (const [, path, line] of stderr.matchAll(/xylem\/(source\/[\w/-]+\.ts):(\d+)/g))
        expect(readFileSync(join(root, path as string), 'utf8').split('\n').length).toBeGreaterThanOrEqual(Number(line))
    },
  )

  test('is printed on less than a screen by the command line, which asks to report it', () => {
    const main = join(installed.folder, 'node_modules/xylem/dist/cli/main.js')
    const document = installed.write('small.xml', '<a/>')
    const { status, stderr } = installed.fail('--require', './broken.cjs', main, 'check', document)
    expect(status).toBe(70)
    expect(stderr).toMatch(/^xylem: internal error; please report it with the following details\nTypeError: /)
    expectScreen(stderr)
  })

  test.each(imported)('is printed on less than a screen if it is thrown while %s is loaded', (path) => {
    const file = installed.write('program.js', `await import('${path.replace('.', 'xylem')}')`)
    const { stderr } = installed.fail('--require', './broken.cjs', file)
    // Not all of them need it.
    if (stderr !== '') expectScreen(stderr)
  })
})

describe.runIf(isThorough)('a module of the package', () => {
  const modules = () => installed.files.filter((file) => /^dist\/.*\.js$/.test(file))
  const isMinified = (file: string) => /^dist\/(xylem(\.min)?|(xml|block)-worker)\.js$/.test(file)

  test('has short lines, unless it is minified or one file for browsers', () => {
    for (const file of modules().filter((each) => !isMinified(each))) {
      const longest = Math.max(
        ...installed
          .read(file)
          .split('\n')
          .map(({ length }) => length),
      )
      expect({ file, isShort: longest < 8 * COLUMNS }).toEqual({ file, isShort: true })
    }
  })

  test('has a source map if it is for Node, which leads from what is thrown to where that is in the sources', () => {
    const sources = new Map<string, string[]>()
    const readSource = (path: string) => {
      const lines = sources.get(path) ?? readFileSync(resolve(root, 'dist', path), 'utf8').split('\n')
      sources.set(path, lines)
      return lines
    }
    let thrown = 0
    let found = 0
    for (const file of modules().filter((each) => /^dist\/[^/]+$/.test(each) && !isMinified(each))) {
      const code = installed.read(file)
      expect(code).toContain(`//# sourceMappingURL=${file.replace('dist/', '')}.map`)
      const map = new SourceMap(JSON.parse(installed.read(`${file}.map`)) as SourceMapPayload)
      for (const [index, line] of code.split('\n').entries()) {
        for (const match of line.matchAll(/\bthrow(?= |$)/g)) {
          const { originalSource, originalLine, originalColumn } = map.findEntry(index, match.index) as SourceMapping
          if (!originalSource?.startsWith('../source/')) continue
          thrown++
          if (readSource(originalSource)[originalLine]?.startsWith('throw', originalColumn)) found++
        }
      }
    }
    expect(thrown).toBeGreaterThan(500)
    // Of others, what comes before has become a part of the statement.
    expect(found / thrown).toBeGreaterThan(0.9)
  })
})
