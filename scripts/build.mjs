// Compiles source/ to dist/, unless that is there already (build/stamp.mjs), and from scratch: a file that was renamed leaves nothing. Modules
// are bundled, and what entries share stands in chunks: to load a hundred modules one by one takes longer than the first results. Each file costs a millisecond or two, so
// chunks that are loaded together become one, and white space is left out. Names stay as they are: they are in stacks.
//
//     dist/*.js          the entries of the library and its chunks; the command line, the workers and their chunks; with source maps
//     dist/browser/*.js  the entries of the library and their chunks for bundlers
//     dist/*-worker.js   the scripts of workers, each with all that it needs
//     dist/xylem.js      everything for browsers in one file, also minified, with source maps
//     dist/*.wasm        kernels, for those who serve them
//     dist/cli/main.js   the command, which is nothing but the start of the command line
//     dist/**/*.d.ts     the types of the library, as its sources lie
//     python/xylem_reader/js/xylem.mjs  the complete command line in one file, for the Python package
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildKernelFiles } from './build/kernel-files.mjs'
import { buildOneFile } from './build/one-file.mjs'
import { writePythonVersion } from './build/python-version.mjs'
import { buildSingleFiles } from './build/single-files.mjs'
import { isBuilt, stampBuild } from './build/stamp.mjs'
import { buildWorkers, embedWorkers } from './build/worker-scripts.mjs'

const root = new URL('..', import.meta.url)
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const { exports, bin } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))

/** The library: files of dist/, and what they are made of. */
const library = Object.values(exports)
  .filter(({ types }) => types)
  .map(({ types, default: file }) => [file, types.replace('./dist/', 'source/').replace('.d.ts', '.ts')])
/** `xylem` is all others together, and shares chunks with none of them: it exports what they do. */
const whole = library.filter(([file]) => file === './dist/index.js')
const parts = library.filter((entry) => !whole.includes(entry))
/** What bundlers for browsers take. */
const forBrowsers = Object.values(exports)
  .filter(({ browser }) => browser)
  .map(({ types, browser }) => [browser, types.replace('./dist/', 'source/').replace('.d.ts', '.ts')])
/** The command line. It stands in the same folder: workers are looked for beside the module that starts them. */
const command = [
  ['dist/cli.js', 'source/cli/start.ts'],
  ['dist/cli-main.js', 'source/cli/main.ts'],
  ['dist/cli-worker.js', 'source/cli/read/range-worker.ts'],
]

/**
 * Commander comes with us, and its licence with it: as it is, it loads node:child_process and node:fs, for commands that are programs of
 * their own, of which there are none here. That took half of the time of `xylem --version`.
 */
const builtins = { 'node:child_process': '', 'node:fs': '', 'node:process': 'module.exports = process' }
const withinCommander = {
  name: 'commander',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      if (!/[\\/]commander[\\/]/.test(importer)) return undefined
      return { path, namespace: 'builtin' }
    })
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: builtins[path] ?? `export * from '${path}'`,
    }))
    onLoad({ filter: /[\\/]commander[\\/]index\.js$/ }, async ({ path }) => {
      const [code, licence] = await Promise.all(
        [path, path.replace('index.js', 'LICENSE')].map((file) => readFile(file, 'utf8')),
      )
      return { contents: `${code}\n/*! commander: ${licence}*/` }
    })
  },
}

/** Finds the parts of the library beside `xylem`, where they are bundled already. */
const besideTheOthers = {
  name: 'beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/\w+\/index\.ts$/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined
      const part = path.replace(/^\.\/(\w+)\/.*$/, '$1')
      return { path: `./${part === 'text' ? 'stream' : part}.js`, external: true }
    })
  },
}

/** What is the same for all. */
const common = {
  absWorkingDir: fileURLToPath(root),
  bundle: true,
  platform: 'neutral',
  external: ['node:*'],
  format: 'esm',
  target: 'es2022',
  minifyWhitespace: true,
  minifySyntax: true,
  // V8 keeps a file of nothing but ASCII in half of the memory, and is done with it sooner.
  charset: 'ascii',
  logLevel: 'warning',
}
/** What Node loads. It prints the line of an error that nobody catches, so lines are short; and with --enable-source-maps, where it is in source/. */
const forNode = { lineLimit: 80, sourcemap: 'linked', sourcesContent: false }
/** What bundlers load, and tests that imitate a browser in Node. */
const forBundlers = { lineLimit: 80 }
/** Bundlers leave an import alone in which this stands: of packages that users may have installed. */
const LEFT_ALONE = '/* webpackIgnore: true */ /* @vite-ignore */ '
/** Bytes from which on a chunk is not small. */
const LARGE_CHUNK = 64_000
const [select, parse, get, read] = ['select', 'parse', 'get', 'read'].map((name) => `source/cli/actions/${name}.ts`)
const dumps = 'source/cli/actions/pages.ts'
const [grammar, compression, stream, worker, xml, streaming] = [
  'grammar/index',
  'compression/index',
  'stream',
  'worker/index',
  'xml/index',
  'xml/streaming',
].map((name) => `source/${name}.ts`)
const [records, elements] = ['records', 'elements'].map((name) => `source/xml/readings/${name}.ts`)
/**
 * Files that are made of chunks, for the library and for the command line: their names, and whether they have a chunk, by the entries that
 * load it and by its size. A chunk is part of the first that has it.
 */
const libraryCores = [
  // What most parts share; what grammars and XML do; what XML takes beyond that: at once, where paths are followed, and for records.
  { name: 'chunk-core', has: (by) => by.includes(xml) && (by.includes(stream) || by.includes(compression)) },
  { name: 'chunk-machine', has: (by) => by.includes(grammar) && (by.includes(xml) || by.includes(records)) },
  { name: 'chunk-xml', has: (by) => by.includes(xml) },
  { name: 'chunk-paths', has: (by) => by.includes(records) && by.includes(elements) },
  { name: 'chunk-records', has: (by) => by.includes(records) },
]
/**
 * The same for browsers. A bundler makes a file of each set of modules that is loaded by the same parts of a program, and each file is compressed by
 * itself. So few files that are loaded together are smaller than many, as long as nothing is in them that others do not need.
 */
const browserCores = [
  { name: 'core', has: (by) => by.includes(streaming) && by.includes(stream) },
  // What a page has whose XML is read by a worker: errors.
  { name: 'errors', has: (by) => by.includes(streaming) && by.includes(worker) },
  { name: 'machine', has: (by) => by.includes(streaming) && by.includes(grammar) },
  // What texts become, for those who read records of XML and for those who read values of grammars.
  { name: 'values', has: (by) => by.includes(grammar) && by.includes(records) },
  { name: 'parser', has: (by) => by.includes(streaming) },
  // What elements are written with, also those of a document.
  { name: 'markup', has: (by) => by.includes(elements) && by.includes('source/xml/write/index.ts') },
  { name: 'paths', has: (by) => by.includes(records) && by.includes(elements) },
  { name: 'records', has: (by) => by.includes(records) },
]
const commandCores = [
  { name: 'cli-core', has: (by, bytes) => by.includes('source/cli/main.ts') && bytes < LARGE_CHUNK },
  // What nearly every command needs to read anything; what errors take, and grammars; what XML takes beyond that; what dumps do; and plans.
  { name: 'cli-engine', has: (by) => by.includes(parse) && (by.includes(select) || by.includes(records)) },
  { name: 'cli-grammar', has: (by) => by.includes(parse) },
  { name: 'cli-xml', has: (by) => by.includes(select) },
  { name: 'cli-document', has: (by) => by.includes('source/xml/language/generated/document.ts') },
  { name: 'cli-projection', has: (by) => by.includes(dumps) && (by.includes(records) || by.includes(elements)) },
  { name: 'cli-dumps', has: (by) => by.includes(dumps) || by.includes(get) },
  { name: 'cli-plans', has: (by) => by.includes(read) },
]

await writePythonVersion()
if (await isBuilt()) process.exit()
await rm(new URL('dist', root), { recursive: true, force: true })
// The types take longer than all the rest, beside which they are made.
const typings = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
const areTyped = once(typings, 'exit')
await buildWorkers(common)
await bundle(parts, { ...forNode, packages: 'external' }, libraryCores)
// For browsers, chunks stay as they are: bundlers make of them what a program needs, and nothing is loaded that is not.
const browserOptions = { ...forBundlers, packages: 'external', outdir: 'dist/browser', plugins: [embedWorkers()] }
await bundle(forBrowsers, browserOptions, browserCores)
await buildSingleFiles(common)
await buildKernelFiles()
await bundle(whole, { ...forNode, packages: 'external', plugins: [besideTheOthers] })
// A bundle of its own, since what entries share is cut into chunks: with those of the library a command was made of 25 files.
const commandOptions = {
  external: ['node:*', 'tinyglobby', 'xz-decompress', 'yauzl'],
  mainFields: ['main'],
  plugins: [withinCommander],
}
await bundle(command, { ...forNode, ...commandOptions, chunkNames: 'cli-[name]-[hash]' }, commandCores)
await buildOneFile({ ...common, plugins: [withinCommander] })
await tidy()
// The command stands where it always did: npx keeps the link that it once made for a folder.
await mkdir(new URL('dist/cli', root))
await writeFile(new URL(bin.xylem, root), "#!/usr/bin/env node\nimport '../cli.js'\n")
await chmod(new URL(bin.xylem, root), 0o755)
const [code] = await areTyped
if (code !== 0) process.exit(code ?? 1)
await stampBuild()

/** `cores`: the files that are made of chunks, in the order in which they may import each other. */
async function bundle(entries, options, cores = []) {
  const { metafile } = await build({
    ...common,
    entryPoints: entries.map(([file, source]) => ({ in: source, out: basename(file, '.js') })),
    outdir: 'dist',
    splitting: true,
    metafile: true,
    ...options,
  })
  const { outputs } = metafile
  const merged = new Set()
  const { outdir = 'dist', lineLimit, sourcemap, sourcesContent } = options
  for (const { name, files } of divideChunks(outputs, cores)) {
    for (const file of files) merged.add(file)
    await mergeChunks(name, outputs, files, merged, outdir, { lineLimit, sourcemap, sourcesContent })
  }
}

/**
 * The chunks of each core. What they import must be among them, or in a core before, so that no file is loaded in a circle: they are what
 * lies at the bottom.
 */
function divideChunks(outputs, cores) {
  const entries = Object.keys(outputs).filter((file) => outputs[file].entryPoint)
  const reached = entries.map((file) => [outputs[file].entryPoint, reach(outputs, file)])
  const loadedBy = (file) => reached.filter(([, files]) => files.has(file)).map(([entry]) => entry)
  const placed = new Set()
  return cores.map(({ name, has }) => {
    const files = []
    for (let count = -1; count < files.length; ) {
      count = files.length
      for (const [file, { entryPoint, bytes }] of Object.entries(outputs)) {
        if (entryPoint || placed.has(file) || !has(loadedBy(file), bytes)) continue
        if (!staticImports(outputs, file).every((path) => placed.has(path))) continue
        placed.add(file)
        files.push(file)
      }
    }
    return { name, files }
  })
}

function staticImports(outputs, file) {
  const { imports } = outputs[file]
  return imports.filter(({ kind, external }) => kind === 'import-statement' && !external).map(({ path }) => path)
}

function reach(outputs, file, reached = new Set()) {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const path of staticImports(outputs, file)) reach(outputs, path, reached)
  return reached
}

/** Makes one file of chunks, and lets all others import that. `merged`: these chunks, and those that are gone already. */
async function mergeChunks(name, outputs, files, merged, folder, lines) {
  const names = files.flatMap((file) => outputs[file].exports)
  const twice = names.find((each, i) => names.indexOf(each) !== i)
  if (twice) throw new Error(`two of the chunks that become one export ${twice}`)
  const all = files.map((file) => `export * from './${basename(file)}'\n`)
  const others = Object.keys(outputs).filter((file) => file.endsWith('.js') && !merged.has(file))
  const isPart = new Set(files.map((file) => `./${basename(file)}`))
  const beside = {
    name: 'beside',
    // What it loads when it is needed is not part of it, nor are the files that were made before.
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\// }, ({ path }) => (isPart.has(path) ? undefined : { path, external: true })),
  }
  await build({
    ...common,
    ...lines,
    stdin: { contents: all.join(''), resolveDir: fileURLToPath(new URL(folder, root)), sourcefile: 'core' },
    outfile: `${folder}/${name}.js`,
    packages: 'external',
    plugins: [beside],
    legalComments: 'inline',
  })
  const importsOfParts = new RegExp(`"\\./(?:${files.map((file) => basename(file)).join('|')})"`, 'g')
  for (const file of others) {
    const code = await readFile(new URL(file, root), 'utf8')
    // As long as before, as source maps count columns.
    const imported = code.replaceAll(importsOfParts, (before) => `"./${name}.js"`.padEnd(before.length))
    await writeFile(new URL(file, root), imported)
  }
  for (const file of files) {
    await rm(new URL(file, root))
    await rm(new URL(`${file}.map`, root), { force: true })
  }
}

/**
 * Leaves out imports of nothing, which stand where chunks were cut: no module of the library does anything when it is loaded, and bundlers warn of each.
 * What comes after them stays where it is.
 */
function dropEmptyImports(code) {
  const lines = code.split('\n').map((line) => {
    const kept = line.replaceAll(/\bimport ?"\.\/[\w-]+\.js" *;/g, (dropped) => ' '.repeat(dropped.length))
    return kept === line ? line : kept.trimEnd()
  })
  return lines.join('\n')
}

/**
 * A class that speaks of itself is renamed by the bundler (`Cursor = class _Cursor`), and users see that in stacks and logs. Its own name
 * does as well: it stands for the same class. A blank takes the place of the line, as source maps count columns.
 */
async function tidy() {
  const folder = new URL('dist/', root)
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const code = await readFile(new URL(file, folder), 'utf8')
    const isOfCommand = /^cli\b/.test(file)
    const renamed = [...code.matchAll(/\b(\w+)\s*=\s*class\s+_\1\b/g)].map(([, name]) => name)
    const kept = renamed.reduce((text, name) => text.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), ` ${name}`), code)
    const hinted = kept.replaceAll('import(String(', `import(${LEFT_ALONE}String(`)
    await writeFile(new URL(file, folder), isOfCommand ? kept : dropEmptyImports(hinted))
  }
}
