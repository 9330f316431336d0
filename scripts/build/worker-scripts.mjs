// Scripts that run in workers. Each is a file of its own, with all that it needs, since copies of it are served from anywhere; and for browsers its text is
// a module, which is loaded when the first worker is started: no bundler has to find a file then.

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = new URL('../..', import.meta.url)

/** Their files in dist/, what they are made of, and the modules that say where they are. */
const scripts = [
  {
    file: 'block-worker.js',
    source: 'source/compression/bzip2/block-worker.ts',
    place: 'block-script',
    name: 'BLOCK_SCRIPT',
  },
  { file: 'xml-worker.js', source: 'source/worker/xml-worker.ts', place: 'xml-script', name: 'XML_SCRIPT' },
]
const place = new RegExp(`/(${scripts.map((script) => script.place).join('|')})\\.ts$`)

/** Replaces the modules that say where scripts are. */
function replacePlaces(contentsOf) {
  return {
    name: 'places',
    setup: ({ onLoad }) =>
      onLoad({ filter: place }, ({ path }) => {
        const script = scripts.find((each) => path.endsWith(`/${each.place}.ts`))
        return { contents: `export const ${script.name} = ${contentsOf(script)}`, resolveDir: fileURLToPath(root) }
      }),
  }
}

/** Writes the files. Their workers start no workers. */
export async function buildWorkers(options) {
  await build({
    ...options,
    entryPoints: scripts.map(({ source, file }) => ({ in: source, out: file.replace('.js', '') })),
    outdir: 'dist',
    minify: true,
    plugins: [replacePlaces(() => '{}')],
  })
}

/** Puts the text of the script that decodes blocks where its workers are started, as a URL. */
export function embedBlockWorker() {
  return replacePlaces(({ file }) => {
    const text = readFileSync(new URL(`dist/${file}`, root), 'utf8')
    return `{ get file() { return new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(text)})) } }`
  })
}

/** Puts the text of the files that were written in modules. */
export function embedWorkers() {
  const places = replacePlaces(
    ({ file }) => `{ load: async () => (await import('${file.replace('.js', '-text')}')).TEXT }`,
  )
  return {
    name: 'workers',
    setup(plugin) {
      places.setup(plugin)
      plugin.onResolve({ filter: /^\w+-worker-text$/ }, ({ path }) => ({ path, namespace: 'worker-text' }))
      plugin.onLoad({ filter: /./, namespace: 'worker-text' }, async ({ path }) => {
        const text = await readFile(new URL(`dist/${path.replace('-text', '.js')}`, root), 'utf8')
        return { contents: `export const TEXT = ${JSON.stringify(text.trimEnd())}` }
      })
    },
  }
}
