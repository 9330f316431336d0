// Compiles source/ to dist/, from scratch: a file that was renamed leaves nothing. Modules are bundled, and what entries share
// stands in chunks: to load a hundred modules one by one takes longer than the first results.
//
//     dist/*.js          the entries of the library and its chunks; the command line, the workers and their chunks
//     dist/cli/main.js   the command, which is nothing but the start of the command line
//     dist/**/*.d.ts     the types of the library, as its sources lie
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = new URL('..', import.meta.url)
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const { exports, bin } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))

/** The library: files of dist/, and what they are made of. */
const library = Object.values(exports)
  .filter(({ types }) => types)
  .map(({ types, default: file }) => [file, types.replace('./dist/', 'source/').replace('.d.ts', '.ts')])
library.push(['dist/block-worker.js', 'source/compression/block-worker.ts'])
/** The command line. It stands in the same folder: workers are looked for beside the module that starts them. */
const command = [
  ['dist/cli.js', 'source/cli/start.ts'],
  ['dist/cli-main.js', 'source/cli/main.ts'],
  ['dist/piece-worker.js', 'source/cli/piece-worker.ts'],
  ['dist/range-worker.js', 'source/cli/range-worker.ts'],
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
      return { contents: `/*! commander: ${licence}*/\n${code}` }
    })
  },
}

await rm(new URL('dist', root), { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
await bundle(library, { packages: 'external' })
// A bundle of its own, since what entries share is cut into chunks, and each file that is loaded takes time: with those of the library a
// command was made of 25 files. Names stay as they are: they are in stacks.
await bundle(command, {
  chunkNames: 'cli-[name]-[hash]',
  minifyWhitespace: true,
  minifySyntax: true,
  external: ['node:*', 'tinyglobby'],
  mainFields: ['main'],
  plugins: [withinCommander],
})
await keepClassNames()
// The command stands where it always did: npx keeps the link that it once made for a folder.
await mkdir(new URL('dist/cli', root))
await writeFile(new URL(bin.xylem, root), "#!/usr/bin/env node\nimport '../cli.js'\n")
await chmod(new URL(bin.xylem, root), 0o755)

async function bundle(entries, options) {
  await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: entries.map(([file, source]) => ({ in: source, out: file.replace(/^.*dist\/(.*)\.js$/, '$1') })),
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'neutral',
    external: ['node:*'],
    format: 'esm',
    target: 'es2022',
    // V8 keeps a file of nothing but ASCII in half of the memory, and is done with it sooner.
    charset: 'ascii',
    logLevel: 'warning',
    ...options,
  })
}

/**
 * A class that speaks of itself is renamed by the bundler (`var Cursor = class _Cursor`), and users see that in stacks and logs. Its own name
 * does as well: it stands for the same class.
 */
async function keepClassNames() {
  const folder = new URL('dist/', root)
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.js'))) {
    const code = await readFile(new URL(file, folder), 'utf8')
    const renamed = [...code.matchAll(/\bvar (\w+) ?= ?class _\1\b/g)].map(([, name]) => name)
    const kept = renamed.reduce((text, name) => text.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), name), code)
    await writeFile(new URL(file, folder), kept)
  }
}
