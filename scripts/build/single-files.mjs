// All that browsers may use of xylem in one file, for <script type="module">: nothing is loaded beside it, and its workers are in it.

import { readFile, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { embedWorkers } from './worker-scripts.mjs'

const dist = new URL('../../dist/', import.meta.url)

/** Writes dist/xylem.js, dist/xylem.min.js and their source maps. */
export async function buildSingleFiles({ minifyWhitespace: _whitespace, minifySyntax: _syntax, ...options }) {
  await Promise.all(
    [
      { out: 'xylem', minify: false },
      { out: 'xylem.min', minify: true },
    ].map(async ({ out, minify }) => {
      await build({
        ...options,
        entryPoints: [{ in: 'source/index.ts', out }],
        outdir: 'dist',
        packages: 'external',
        minify,
        sourcemap: 'linked',
        legalComments: 'inline',
        plugins: [embedWorkers()],
      })
      await shortenMap(new URL(`${out}.js.map`, dist))
    }),
  )
}

/** Leaves the texts of workers out of a source map: they are what was built, and not sources. */
async function shortenMap(file) {
  const map = JSON.parse(await readFile(file, 'utf8'))
  map.sourcesContent = map.sourcesContent.map((text, i) => (map.sources[i].includes('worker-text:') ? null : text))
  await writeFile(file, JSON.stringify(map))
}
