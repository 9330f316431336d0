// Compiles source/ to dist/, from scratch: a file that was renamed leaves nothing behind. The command line is bundled, since loading its
// modules one by one takes longer than all that comes before the first page.
import { execFileSync } from 'node:child_process'
import { chmod, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = new URL('..', import.meta.url)
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

await rm(new URL('dist', root), { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
await build({
  absWorkingDir: fileURLToPath(root),
  // Workers are looked for beside the module that starts them.
  entryPoints: ['cli/main.ts', 'cli/piece-worker.ts', 'cli/range-worker.ts', 'compression/block-worker.ts'].map(
    (file) => `source/${file}`,
  ),
  outdir: 'dist/cli',
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
})
await chmod(new URL('dist/cli/main.js', root), 0o755)
