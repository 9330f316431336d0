// Builds the page of playground/: a folder for any web server, at any path, and one HTML file that holds everything and opens from a disk too.
//
//     node scripts/build-playground.mjs           build/playground/, and build/playground.html
//     node scripts/build-playground.mjs --serve   the same, and serves the folder on this machine

import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { serveFolder } from './build/folder-server.mjs'
import { common, defineThreads, folder, makeModules, minifyStyle, writeAsset } from './build/page-modules.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const html = join(root, 'build/playground.html')

/**
 * What the page in the folder may do, and what the header of a server says: scripts, styles, images and workers come from its own server, and addresses that
 * the visitor opens from any other.
 */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'worker-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'", 'https:', 'http://localhost:*'],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
}

/** What the page that is one file may do. Its workers are made of text. */
function policyOf(script, style) {
  return {
    ...POLICY,
    'script-src': [hashOf(script), "'wasm-unsafe-eval'"],
    'worker-src': ['blob:'],
    'style-src': [hashOf(style)],
    'img-src': ['data:'],
    'connect-src': ['https:', 'http:'],
  }
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function formatPolicy(policy) {
  return Object.entries(policy)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')
}

function options(isOneFile, blockWorker) {
  return {
    ...common,
    entryPoints: { page: 'playground/shell/shell.ts' },
    define: { IS_ONE_FILE: String(isOneFile), ...defineThreads(blockWorker) },
    plugins: makeModules(isOneFile, blockWorker),
  }
}

/** Puts everything where the page's source has a place for it; as functions, because `$` means something in texts. */
function fill(page, parts) {
  return Object.entries(parts).reduce((text, [name, part]) => text.replaceAll(`%${name}%`, () => part), page)
}

/** In HTML, nothing in a script may look like its end or like a comment. */
function makeInline(script) {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
}

async function buildAll() {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const [page, icon, style] = await Promise.all([
    readFile(join(root, 'playground/index.html'), 'utf8'),
    readFile(join(root, 'playground/icon.svg'), 'utf8'),
    minifyStyle(join(root, 'playground/shell/shell.css')),
  ])
  const { version, license, repository } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const source =
    repository === undefined ? '' : `<li><a href="${repository.url.replace(/^git\+|\.git$/g, '')}">Source</a></li>`
  const facts = { VERSION: version, LICENCE: license, SOURCE: source }
  const blockWorker = await writeAsset('block-worker.js', await readFile(join(root, 'dist/block-worker.js')))
  const [{ outputFiles: parts }, { outputFiles: one }] = await Promise.all([
    build({
      ...options(false, blockWorker),
      outdir: folder,
      write: false,
      splitting: true,
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
    }),
    build({ ...options(true), write: false, outdir: folder }),
  ])
  for (const { path, contents } of parts) await writeFile(path, contents)
  const script = basename(parts.find(({ path }) => /[\\/]page-\w+\.js$/.test(path)).path)
  await writeFile(
    join(folder, 'index.html'),
    fill(page, {
      POLICY: formatPolicy(POLICY),
      ...facts,
      ICON: `./${await writeAsset('icon.svg', icon)}`,
      STYLE: `<link rel="stylesheet" href="./${await writeAsset('page.css', style)}">`,
      SCRIPT: `<script type="module" src="./${script}"></script>`,
    }),
  )
  const inline = makeInline(one[0].text)
  await writeFile(
    html,
    fill(page, {
      POLICY: formatPolicy(policyOf(inline, style)),
      ...facts,
      ICON: `data:image/svg+xml,${encodeURIComponent(icon.trim())}`,
      STYLE: `<style>${style}</style>`,
      SCRIPT: `<script type="module">${inline}</script>`,
    }),
  )
}

/** Serves the folder, and nothing else, on this machine alone. */
function serve(port) {
  const server = createServer(serveFolder(folder, formatPolicy(POLICY)))
  server.on('error', ({ message }) => {
    console.error(`cannot serve: ${message}`)
    process.exitCode = 1
  })
  server.listen(port, '127.0.0.1', () => {
    console.log(`http://localhost:${server.address().port}/ (ends with Ctrl+C)`)
  })
}

const USAGE = 'usage: npm run playground -- [--serve] [--port NUMBER]'

/** What was asked for. Ends with one line for what is not known. */
function readOptions() {
  try {
    const { values } = parseArgs({ options: { serve: { type: 'boolean' }, port: { type: 'string', default: '8080' } } })
    const port = Number(values.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port ${values.port} is not a port`)
    return { isServed: values.serve ?? false, port }
  } catch ({ message }) {
    console.error(`playground: ${message}\n${USAGE}`)
    process.exit(2)
  }
}

const { isServed, port } = readOptions()
await buildAll()
console.log('build/playground/      for any web server\nbuild/playground.html  everything in one file')
if (isServed) serve(port)
