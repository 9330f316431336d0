// Builds the page of playground/: a folder for any web server, at any path, and one HTML file that holds everything and opens from a disk too.
//
//     node scripts/build-playground.mjs           build/playground/, and build/playground.html
//     node scripts/build-playground.mjs --serve   the same, and serves the folder on this machine

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'build/playground')
const html = join(root, 'build/playground.html')

/**
 * What a page may do. Addresses that the visitor enters may be anywhere. Styles are set by elements that come with the views; `blob:` is for workers
 * that the library makes of text.
 */
const POLICY = {
  'default-src': ["'none'"],
  'connect-src': ['*', 'data:', 'blob:'],
  'img-src': ["'self'", 'data:'],
  'style-src': ["'self'", "'unsafe-inline'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'worker-src': ["'self'", 'blob:'],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
}

function formatPolicy(policy) {
  return Object.entries(policy)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')
}

const common = {
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

/**
 * A worker is one script without imports, so that it can be started from text too; and no module, because pages on a disk may start no modules from text.
 */
async function bundleWorker(entry) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [entry],
    write: false,
    format: 'iife',
    define: { 'import.meta.url': 'location.href' },
  })
  return outputFiles[0].text
}

/** `worker:./name.ts`: in the folder a file beside the page; in the one file its text. */
function workers(isOneFile) {
  return {
    name: 'worker',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^worker:/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path.replace(/^worker:/, '')),
        namespace: 'worker',
      }))
      onLoad({ filter: /./, namespace: 'worker' }, async ({ path }) => {
        const text = await bundleWorker(path)
        if (isOneFile) {
          return {
            contents: `const text = ${JSON.stringify(text)}
              export function startWorker() {
                const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
                return new Worker(address)
              }`,
          }
        }
        const name = `${basename(path, '.ts')}.js`
        await writeFile(join(folder, name), text)
        return {
          contents: `export function startWorker() {
            return new Worker(new URL('./${name}', import.meta.url))
          }`,
        }
      })
    },
  }
}

/** `file:../name`: in the folder a file beside the page; in the one file its bytes in a data URL. */
function files(isOneFile) {
  return {
    name: 'file',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^file:/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path.replace(/^file:/, '')),
        namespace: 'address',
      }))
      onLoad({ filter: /./, namespace: 'address' }, async ({ path }) => ({
        contents: await readFile(path),
        loader: isOneFile ? 'dataurl' : 'file',
      }))
    },
  }
}

/** `text:../name`: the text of a file, as it is. */
const texts = {
  name: 'text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^text:/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(/^text:/, '')),
      namespace: 'text',
    }))
    onLoad({ filter: /./, namespace: 'text' }, async ({ path }) => ({ contents: await readFile(path), loader: 'text' }))
  },
}

function options(isOneFile) {
  return {
    ...common,
    entryPoints: { page: 'playground/shell/shell.ts' },
    loader: { '.css': 'text' },
    plugins: [workers(isOneFile), files(isOneFile), texts],
  }
}

/** Puts everything where the page's source has a place for it; as functions, because `$` means something in texts. */
function fill(page, parts) {
  return Object.entries(parts).reduce((text, [name, part]) => text.replace(`%${name}%`, () => part), page)
}

/** In HTML, nothing in a script may look like its end or like a comment. */
function makeInline(script) {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
}

async function buildAll() {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const [page, style] = await Promise.all(
    ['index.html', 'shell/shell.css'].map((name) => readFile(join(root, 'playground', name), 'utf8')),
  )
  const [, one] = await Promise.all([
    build({
      ...options(false),
      outdir: folder,
      splitting: true,
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
    }),
    build({ ...options(true), write: false, outdir: folder }),
  ])
  await writeFile(join(folder, 'page.css'), style)
  await writeFile(
    join(folder, 'index.html'),
    fill(page, {
      POLICY: formatPolicy(POLICY),
      STYLE: '<link rel="stylesheet" href="./page.css">',
      SCRIPT: '<script type="module" src="./page.js"></script>',
    }),
  )
  const inline = { ...POLICY, 'script-src': ["'unsafe-inline'", "'wasm-unsafe-eval'", 'blob:'] }
  await writeFile(
    html,
    fill(page, {
      POLICY: formatPolicy(inline),
      STYLE: `<style>${style}</style>`,
      SCRIPT: `<script type="module">${makeInline(one.outputFiles[0].text)}</script>`,
    }),
  )
}

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves the folder, and nothing else, on this machine alone. */
function serve(port) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(folder, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname))
    try {
      if (dirname(file) !== folder) throw new Error('there are no folders')
      const body = await readFile(file)
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      response.end(body)
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' })
      response.end('there is no such file\n')
    }
  })
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
