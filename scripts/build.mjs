// Compiles source/ to dist/, from scratch: a file that was renamed leaves nothing behind. Modules are bundled, and what entries share
// stands in chunks: to load a hundred modules one by one takes longer than the first results.
//
//     dist/*.js          the entries of the library, the command line and the workers, and their chunks
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

/** Files of dist/, and what they are made of. All are in one folder: workers are looked for beside the module that starts them. */
const entries = [
  ...Object.values(exports)
    .filter(({ types }) => types)
    .map(({ types, default: file }) => [file, types.replace('./dist/', 'source/').replace('.d.ts', '.ts')]),
  ['dist/cli.js', 'source/cli/main.ts'],
  ['dist/piece-worker.js', 'source/cli/piece-worker.ts'],
  ['dist/range-worker.js', 'source/cli/range-worker.ts'],
  ['dist/block-worker.js', 'source/compression/block-worker.ts'],
]

await rm(new URL('dist', root), { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: entries.map(([file, source]) => ({ in: source, out: file.replace(/^.*dist\/(.*)\.js$/, '$1') })),
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'neutral',
  external: ['node:*'],
  format: 'esm',
  target: 'es2022',
  // V8 keeps a file of nothing but ASCII in half of the memory, and is done with it sooner.
  charset: 'ascii',
  logLevel: 'warning',
})
await keepClassNames()
// The command stands where it always did: npx keeps the link that it once made for a folder.
await mkdir(new URL('dist/cli', root))
await writeFile(new URL(bin.xylem, root), "#!/usr/bin/env node\nimport '../cli.js'\n")
await chmod(new URL(bin.xylem, root), 0o755)

/**
 * A class that speaks of itself is renamed by the bundler (`var Cursor = class _Cursor`), and users see that in stacks and logs. Its own name
 * does as well: it stands for the same class.
 */
async function keepClassNames() {
  const folder = new URL('dist/', root)
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.js'))) {
    const code = await readFile(new URL(file, folder), 'utf8')
    const renamed = [...code.matchAll(/^var (\w+) = class _\1\b/gm)].map(([, name]) => name)
    const kept = renamed.reduce((text, name) => text.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), name), code)
    await writeFile(new URL(file, folder), kept)
  }
}
