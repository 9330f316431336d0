// The complete command line as one file, for packages that have no folder of modules: its grammars, its workers, and the packages that it takes, with
// their licences. It runs from any folder.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { embedBlockWorker } from './worker-scripts.mjs'

const root = new URL('../..', import.meta.url)
const file = new URL('python/xylem_reader/js/xylem.mjs', root)

/** A worker loads this file too. That it is one stands in a global variable before. */
const workers = {
  name: 'workers-in-one-file',
  setup({ onLoad, onEnd }) {
    let isFound = false
    const place = "new URL('./cli-worker.js', import.meta.url)"
    onLoad({ filter: /[\\/]cli[\\/]read[\\/]range-pool\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes(place)) throw new Error(`${path} starts no worker`)
      isFound = true
      const start = `new URL('data:text/javascript,' + encodeURIComponent('globalThis.xylemWorker=true;await import("' + import.meta.url + '")'))`
      return { contents: text.replace(place, () => start), loader: 'ts' }
    })
    onEnd(() => {
      if (!isFound) throw new Error('no file starts workers')
    })
  },
}

/** Packages of CommonJS load Node's modules by `require`. */
const HEAD = `import { createRequire as makeRequire } from 'node:module'
const require = makeRequire(import.meta.url)`

/** Writes the file. `options`: those of all bundles; `plugins`: those of the command line. */
export async function buildOneFile({ plugins, ...options }) {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: ['source/cli/one-file.ts'],
    platform: 'node',
    banner: { js: HEAD },
    lineLimit: 80,
    legalComments: 'inline',
    plugins: [...plugins, workers, embedBlockWorker()],
    write: false,
    metafile: true,
    outfile: 'xylem.mjs',
  })
  const packages = new Set(
    Object.keys(metafile.inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  )
  const licences = [await readFile(new URL('LICENSE', root), 'utf8')]
  for (const name of packages) licences.push(`${name}: ${await readLicence(name)}`)
  const notices = `/*!\n${licences.join('\n\n').replaceAll('*/', '* /')}\n*/\n`
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, outputFiles[0].text + notices)
}

async function readLicence(name) {
  const folder = new URL(`node_modules/${name}/`, root)
  const licence = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each))
  if (licence) return readFile(new URL(licence, folder), 'utf8')
  const { license, author, version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
  return `${license} License, version ${version}, by ${author?.name ?? author}`
}
