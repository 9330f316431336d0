// The modules that `playground/build-modules.d.ts` describes: in the folder files beside the page; in the one file all that they hold.

import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join, parse, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { renderDocs } from './page-docs.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const folder = join(root, 'build/playground')

/** Options of all that is bundled. */
export const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  conditions: ['browser'],
  logLevel: 'warning',
}

/** Writes a file beside the page. Gives its name, which is another one for other contents, so that browsers may keep it. */
export async function writeAsset(name, contents) {
  const { name: stem, ext } = parse(name)
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8)
  const file = `${stem}-${hash}${ext}`
  await writeFile(join(folder, file), contents)
  return file
}

export async function minifyStyle(path) {
  const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true })
  return code.trim()
}

/** Where the threads that decompress bzip2 have their script. */
export function defineThreads(blockWorker) {
  return { BLOCK_WORKER: blockWorker === undefined ? 'undefined' : JSON.stringify(blockWorker) }
}

/** Workers that ask the library for nothing that it gives in a promise: what it loads later is not needed, which is most of it. */
const SYNCHRONOUS = ['grammar-worker.ts']
const withoutLateModules = {
  name: 'without-late-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'left-out' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: '' }))
  },
}

/** In the folder, threads that decompress are started from a file, and not from the text that the library has. */
const withoutBlockWorker = {
  name: 'without-block-worker',
  setup({ onLoad }) {
    onLoad({ filter: /block-worker-text-\w+\.js$/ }, () => ({ contents: "export const TEXT = ''" }))
  },
}

/** In the one file, all workers have one script, because they share most of what they need. Which one it is stands in its name. */
function allWorkers() {
  const start = (path) => `if (name === '${basename(path, '.ts')}') import('./${path}')`
  return WORKERS.map(start).join('\n')
}

const WORKERS = ['explorer/worker/explorer-worker.ts', 'grammar/grammar-worker.ts', 'waiting/waiting-worker.ts']

/**
 * A worker is one script without imports, so that it can be started from text too; and no module, because pages on a disk may start no modules from text.
 * `blockWorker`: the file of the threads that decompress; undefined in the one file.
 */
async function bundleWorker(entry, blockWorker) {
  const isSynchronous = entry.entryPoints?.some((path) => SYNCHRONOUS.includes(basename(path))) ?? false
  const { outputFiles } = await build({
    ...common,
    ...entry,
    write: false,
    format: 'iife',
    define: { 'import.meta.url': 'location.href', ...defineThreads(blockWorker) },
    plugins: [
      ...(isSynchronous ? [withoutLateModules] : []),
      ...(blockWorker === undefined ? [] : [withoutBlockWorker]),
    ],
  })
  return outputFiles[0].text
}

/** What modules with a prefix in their name are: `contentsOf` gives their script for the path of the file. */
function modulesOf(prefix, contentsOf) {
  return {
    name: prefix,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${prefix}:`) }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path.slice(prefix.length + 1)),
        namespace: `made-${prefix}`,
      }))
      onLoad({ filter: /./, namespace: `made-${prefix}` }, async ({ path }) => ({
        contents: `import { addressOf, adoptStyle, decodeBytes, fetchFile, inflate, keep, linkStyle } from './shell/files.ts'
          ${await contentsOf(path)}`,
        resolveDir: join(root, 'playground'),
      }))
    },
  }
}

/** `files.ts` has what they call. */
export function makeModules(isOneFile, blockWorker) {
  const base64 = (bytes) => JSON.stringify(bytes.toString('base64'))
  const addressOf = async (name, contents) => `new URL('./${await writeAsset(name, contents)}', import.meta.url)`
  return [
    modulesOf('text', async (path) => `export default ${JSON.stringify(await readFile(path, 'utf8'))}`),
    modulesOf('style', async (path) => {
      const css = await minifyStyle(path)
      const added = isOneFile
        ? `adoptStyle(${JSON.stringify(css)})`
        : `linkStyle(${await addressOf(basename(path), css)})`
      return `export const addStyle = keep(() => ${added})`
    }),
    modulesOf('file', async (path) => {
      const bytes = await readFile(path)
      const loaded = isOneFile
        ? `new Blob([decodeBytes(${base64(bytes)})])`
        : `(await fetchFile(${await addressOf(basename(path), bytes)})).blob()`
      return `export const load = keep(async () => ${loaded})`
    }),
    modulesOf('docs', async () => {
      const json = JSON.stringify(await renderDocs())
      const loaded = isOneFile
        ? `inflate(decodeBytes(${base64(deflateRawSync(json, { level: 9 }))}))`
        : `(await fetchFile(${await addressOf('docs.json', json)}))`
      return `export const load = keep(async () => ${loaded}.json())`
    }),
    modulesOf('worker', async (path) => {
      const name = basename(path, '.ts')
      if (isOneFile) {
        return `import { address } from 'workers:all'
          export const startWorker = () => new Worker(address(), { name: '${name}' })`
      }
      const script = await bundleWorker({ entryPoints: [path] }, blockWorker)
      return `export const startWorker = () => new Worker(${await addressOf(`${name}.js`, script)})`
    }),
    modulesOf('workers', async () => {
      const script = await bundleWorker({ stdin: { contents: allWorkers(), resolveDir: join(root, 'playground') } })
      return `let made
        export const address = () => made ??= addressOf(${JSON.stringify(script)})`
    }),
  ]
}
