// The package as its users get it: packed, unpacked into another folder, imported by its published names.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isThorough } from './support/extent.ts'
import { fixturePath } from './support/fixtures.ts'
import { InstalledPackage, manifest, specifier } from './support/installed-package.ts'
import { root } from './support/markdown.ts'

const XML = [
  'LimitError',
  'ParseError',
  'SourceError',
  'XmlError',
  'XylemError',
  'loadKernel',
  'parseXml',
  'readXml',
  'readXmlDocuments',
]

/** Every path that can be imported, and all that it exports at run time. */
const surface: Record<string, string[]> = {
  '.': [
    'BlockList',
    'CompressionError',
    'Cursor',
    'DumpReader',
    'Grammar',
    'GrammarError',
    'HttpSource',
    'LONGEST_SIGNATURE',
    'LimitError',
    'LineCounter',
    'MultistreamIndex',
    'ParseError',
    'PromiseQueue',
    'RangeReader',
    'SourceError',
    'StreamCache',
    'SyntaxNode',
    'TextCursor',
    'XmlError',
    'XylemError',
    'buildIndex',
    'checkRanges',
    'decompress',
    'detectCompression',
    'formatIndexEnd',
    'formatIndexEntry',
    'formatIndexHead',
    'guessCuts',
    'isSameDump',
    'loadKernel',
    'makeIndexHead',
    'makeTransform',
    'parseXml',
    'planRanges',
    'readDump',
    'readIndex',
    'readPageAt',
    'readXml',
    'readXmlDocuments',
    'readXmlInWorker',
    'resolveTitle',
    'takeFingerprint',
    'verifyCuts',
  ],
  './node': ['FileSource', 'StandardInput'],
  './stream': [
    'Cursor',
    'HttpSource',
    'LimitError',
    'LineCounter',
    'ParseError',
    'PromiseQueue',
    'SourceError',
    'StreamCache',
    'TextCursor',
    'XylemError',
    'makeTransform',
  ],
  './compression': [
    'CompressionError',
    'LONGEST_SIGNATURE',
    'LimitError',
    'SourceError',
    'XylemError',
    'decompress',
    'detectCompression',
  ],
  './grammar': [
    'Grammar',
    'GrammarError',
    'LimitError',
    'ParseError',
    'SourceError',
    'SyntaxNode',
    'XylemError',
    'makeSchema',
    'writeTypes',
  ],
  './xml': XML,
  './xml/streaming': XML.filter((name) => name !== 'parseXml'),
  './xml/edit': [
    'EditedElement',
    'EditedTag',
    'LimitError',
    'SourceError',
    'XmlEditError',
    'XmlError',
    'XylemError',
    'atTags',
    'editXml',
    'remove',
    'rename',
    'unwrap',
  ],
  './xml/html-entities': ['htmlEntities'],
  './xml/infer': ['formatShape', 'inferShape'],
  './xml/object': ['descendants', 'find', 'findAll', 'fromObject', 'toObject'],
  './xml/ranges': [
    'CompressionError',
    'LimitError',
    'ParseError',
    'SourceError',
    'XmlError',
    'XmlRangeReader',
    'XylemError',
    'checkRanges',
    'guessCuts',
    'planXmlRanges',
    'readXmlRange',
    'verifyCuts',
  ],
  './xml/write': ['XmlWriteError', 'XmlWriter', 'rawXml', 'toXml', 'writeXml'],
  './mediawiki': [
    'BlockList',
    'CompressionError',
    'DumpReader',
    'LimitError',
    'MultistreamIndex',
    'ParseError',
    'RangeReader',
    'SourceError',
    'XmlError',
    'XylemError',
    'buildIndex',
    'checkRanges',
    'formatIndexEnd',
    'formatIndexEntry',
    'formatIndexHead',
    'guessCuts',
    'isSameDump',
    'makeIndexHead',
    'planRanges',
    'readDump',
    'readIndex',
    'readPageAt',
    'resolveTitle',
    'takeFingerprint',
    'verifyCuts',
  ],
  './grammars/combined': ['combined', 'grammar'],
  './grammars/csv': ['csv', 'grammar'],
  './grammars/json': ['grammar', 'json'],
  './grammars/json-lines': ['grammar', 'jsonLines'],
  './grammars/logfmt': ['grammar', 'logfmt'],
  './grammars/ntriples': ['grammar', 'ntriples'],
  './grammars/syslog': ['grammar', 'syslog'],
  './grammars/syslog-bsd': ['grammar', 'syslogBsd'],
  './worker': [
    'CompressionError',
    'LimitError',
    'ParseError',
    'SourceError',
    'XmlError',
    'XylemError',
    'readXmlInWorker',
  ],
}
/** What pages load by themselves, or a copy of it. */
const servedFiles = [
  './block-worker.js',
  './elements.wasm',
  './records.wasm',
  './xml-worker.js',
  './xylem.js',
  './xylem.min.js',
]
/** The files of grammars. */
const grammarFiles = './grammars/*.bnf'
const dataFiles = ['./page.schema.json', './revision.schema.json', './package.json']

let installed: InstalledPackage
beforeAll(() => {
  installed = new InstalledPackage(['typescript', '@types/node', 'undici-types'])
})
afterAll(() => installed.remove())

/** What each path exports: one program imports them all. */
let exported: Record<string, string[]> | undefined

function readExports(): Record<string, string[]> {
  const paths = Object.keys(surface)
  const imports = paths.map((path) => `'${path}': Object.keys(await import('${specifier(path)}')).sort()`)
  const script = `console.log(JSON.stringify({ ${imports.join()} }))`
  return JSON.parse(installed.runModule(script))
}

describe('the package', () => {
  test('can be imported by the paths listed here and no others', () => {
    expect(Object.keys(manifest.exports).sort()).toEqual(
      [...Object.keys(surface), ...servedFiles, ...dataFiles, grammarFiles].sort(),
    )
  })

  test.each(Object.keys(surface))('exports from %s exactly what is listed here', (path) => {
    exported ??= readExports()
    expect(exported[path]).toEqual(surface[path])
  })

  test('has classes that go by their own names, which is what stacks and logs show', () => {
    const script = `
      import * as surface from 'xylem'
      const names = Object.entries(surface).filter(([, value]) => /^class/.test(value)).map(([key, { name }]) => [key, name])
      console.log(JSON.stringify(names))`
    const names = JSON.parse(installed.runModule(script)) as [string, string][]
    expect(names.length).toBeGreaterThan(10)
    for (const [key, name] of names) expect(name).toBe(key)
  })

  test('has its data files at their published names', () => {
    const script = dataFiles.map((path) => `import.meta.resolve('${specifier(path)}')`).join(',')
    const urls = JSON.parse(installed.runModule(`console.log(JSON.stringify([${script}]))`))
    for (const url of urls as string[])
      expect(JSON.parse(readFileSync(fileURLToPath(url), 'utf8'))).toBeTypeOf('object')
  })

  test.runIf(isThorough)('has grammars as modules and as files, which a grammar can be made of', () => {
    const paths = Object.keys(surface).filter((path) => path.startsWith('./grammars/'))
    const script = `
      import { readFileSync } from 'node:fs'
      import { Grammar } from 'xylem/grammar'
      for (const path of ${JSON.stringify(paths.map(specifier))}) {
        const { grammar, ...texts } = await import(path)
        const [text] = Object.values(texts)
        const file = readFileSync(new URL(import.meta.resolve(path + '.bnf')), 'utf8')
        const isSame = text === file && grammar instanceof Grammar && grammar.rules.length > 3
        console.log(path, isSame, Grammar.from(text).warnings.length, Grammar.from(text, { dialect: 'bnf-parser' }).rules.length === grammar.rules.length)
      }`
    expect(installed.runModule(script)).toBe(paths.map((path) => `${specifier(path)} true 0 true\n`).join(''))
  })

  test('has its served files at their published names', () => {
    const script = servedFiles.map((path) => `import.meta.resolve('${specifier(path)}')`).join(',')
    const urls = JSON.parse(installed.runModule(`console.log(JSON.stringify([${script}]))`)) as string[]
    for (const url of urls) {
      const bytes = readFileSync(fileURLToPath(url))
      if (url.endsWith('.wasm')) expect(WebAssembly.validate(bytes)).toBe(true)
      // Whatever they need is in them.
      else expect(bytes.toString()).not.toMatch(/^import\b|;import["{*]|\bfrom ?["']\.|\bimport\(["']\./m)
    }
  })

  test('works from another folder', () => {
    const script = `
      import { StreamCache } from 'xylem/stream'
      const cursor = StreamCache.from(['ab', 'cd']).cursor()
      console.log(new TextDecoder().decode(await cursor.read(3)))
      cursor.release()`
    expect(installed.runModule(script)).toBe('abc\n')
  })

  test.runIf(isThorough)('writes Parquet when its package is installed, and says what to install otherwise', () => {
    const input = installed.write('items.xml', '<r><a n="1"/></r>')
    const args = ['select', 'a', input, '--field', '@n', '--output', 'items.parquet']
    const command = join('node_modules', 'xylem', 'dist', 'cli', 'main.js')
    const advice =
      'Parquet is written by the package hyparquet-writer, which is not installed; run: npm install hyparquet-writer'
    expect(installed.fail(command, ...args)).toMatchObject({ status: 2, stderr: `xylem: ${advice}\n` })
    expect(existsSync(join(installed.folder, 'items.parquet'))).toBe(false)
    const dump = fixturePath('mediawiki/small-dump.xml')
    const plan = installed.fail(command, 'plan', dump, '--format', 'parquet')
    expect(plan).toMatchObject({ status: 2, stderr: `xylem: ${advice}\n` })
    const program = `
      import { readXml } from 'xylem/xml'
      try {
        for await (const bytes of readXml('<a/>').write('parquet', 'a', { n: '@n' })) console.log(bytes.length)
      } catch (error) {
        console.log(error.code, error.message)
      }`
    expect(installed.runModule(program)).toBe(`package-missing ${advice}\n`)
    const complete = new InstalledPackage(['hyparquet-writer'])
    try {
      const { status, stderr } = complete.fail(command, 'select', 'a', input, ...args.slice(3), '--quiet')
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(readFileSync(join(complete.folder, 'items.parquet')).toString('latin1', 0, 4)).toBe('PAR1')
      const [, range = ''] = complete.run(process.execPath, [command, 'plan', dump, '--format', 'parquet']).split('\n')
      expect(JSON.parse(range).encoding).toMatch(/^(zstd [\d.]+ level 1|snappy), hyparquet-writer 0\.17\.\d+$/)
    } finally {
      complete.remove()
    }
  })

  test.runIf(isThorough && process.getBuiltinModule?.('node:sqlite') === undefined)(
    'writes SQLite when its package is installed, and says what to install otherwise (skipped where Node has SQLite)',
    () => {
      const input = installed.write('items.xml', '<r><a n="1"/></r>')
      const args = ['select', 'a', input, '--field', '@n', '--quiet', '--output', 'items.sqlite']
      const command = join('node_modules', 'xylem', 'dist', 'cli', 'main.js')
      const advice = 'which is not installed; run: npm install node-sqlite3-wasm'
      expect(installed.fail(command, ...args)).toMatchObject({
        status: 2,
        stderr: `xylem: SQLite is written by Node 22.13 and later, or by the package node-sqlite3-wasm, ${advice}\n`,
      })
      expect(readdirSync(installed.folder).filter((name) => name.startsWith('items.sqlite'))).toEqual([])
      const complete = new InstalledPackage(['node-sqlite3-wasm'])
      try {
        expect(complete.fail(command, ...args)).toMatchObject({ status: 0, stderr: '' })
        const file = readFileSync(join(complete.folder, 'items.sqlite'))
        expect(file.toString('latin1', 0, 15)).toBe('SQLite format 3')
      } finally {
        complete.remove()
      }
    },
  )

  test('can be bundled as CommonJS, where modules do not know where they are', () => {
    const program = `
      import { readXmlInWorker } from 'xylem'
      const read = async () => {
        for await (const { text } of readXmlInWorker('<r><a>sap</a></r>').records('a', { text: '.' })) console.log(text)
      }
      read()`
    const outfile = join(installed.folder, 'program.cjs')
    const options = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent' } as const
    buildSync({ ...options, entryPoints: [installed.write('program.js', program)], outfile })
    expect(installed.run(process.execPath, ['program.cjs'])).toBe('sap\n')
  })

  test('holds only what users need', () => {
    const outside = installed.files.filter((file) => !/^dist\/(.*\.(js|js\.map|d\.ts)|\w+\.wasm)$/.test(file))
    expect(outside.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'docs/README.md',
      'docs/benchmarks.md',
      'docs/benchmarks.svg',
      'docs/browser.md',
      'docs/commands.md',
      'docs/dumps.md',
      'docs/fields.md',
      'docs/grammar-reference.md',
      'docs/grammar.md',
      'docs/grammars.md',
      'docs/infer.md',
      'docs/limits.md',
      'docs/modules.md',
      'docs/moving.md',
      'docs/page.schema.json',
      'docs/playground.png',
      'docs/python.md',
      'docs/recipes.md',
      'docs/revision.schema.json',
      'docs/sockets.md',
      'docs/spark.md',
      'docs/streams.md',
      'docs/tables.md',
      'docs/terminal.svg',
      'docs/writing.md',
      'docs/xml.md',
      ...['combined', 'csv', 'json-lines', 'json', 'logfmt', 'ntriples', 'syslog-bsd', 'syslog'].map(
        (name) => `grammars/${name}.bnf`,
      ),
      'man/xylem.1',
      'package.json',
    ])
    expect(installed.files.filter((file) => /\b(test|bench)\b|kernel\/(scan|machine|bzip2)\//.test(file))).toEqual([])
  })

  test.runIf(isThorough).each([
    [
      'the types of the DOM',
      { lib: ['ES2022', 'DOM'], types: [] as string[] },
      ['.', './stream', './compression', './mediawiki'],
    ],
    ['the types of Node', { lib: ['ES2022'], types: ['node'] }, Object.keys(surface)],
  ])('has typings that compile with only %s', (_, options, paths) => {
    const compilerOptions = {
      ...options,
      strict: true,
      noEmit: true,
      module: 'NodeNext',
      target: 'ES2022',
      skipLibCheck: false,
    }
    installed.write('use.ts', paths.map((path, i) => `export * as a${i} from '${specifier(path)}'\n`).join(''))
    installed.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['use.ts'] }))
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    try {
      installed.run(process.execPath, [tsc, '-p', installed.folder])
    } catch (error) {
      expect((error as { stdout: string }).stdout).toBe('')
    }
  })
})
