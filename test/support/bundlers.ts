// A program for browsers, bundled by each of the usual bundlers.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rollup } from '@rollup/wasm-node'
import { build as runEsbuild } from 'esbuild'
import { build as runVite } from 'vite'
import webpack from 'webpack'
import { root } from './markdown.ts'

export interface Bundled {
  /** The file that the page loads. */
  readonly script: string
  readonly isModule: boolean
}

/** Puts an entry module together into a folder. */
export type Bundler = (entry: string, folder: string) => Promise<Bundled>

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { browser?: string }>
}

/** The file that a browser gets for a path of the package. */
function browserFile(specifier: string): string | undefined {
  const entry = exports[specifier.replace(/^xylem/, '.')]
  return typeof entry === 'object' && entry.browser ? join(root, entry.browser) : undefined
}

export const bundlers: Readonly<Record<string, Bundler>> = {
  async esbuild(entry, outdir) {
    await runEsbuild({
      entryPoints: { main: entry },
      outdir,
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      logLevel: 'error',
    })
    return { script: 'main.js', isModule: true }
  },

  async Vite(entry, outDir) {
    await runVite({
      root,
      configFile: false,
      logLevel: 'error',
      base: './',
      build: { outDir, rollupOptions: { input: entry, output: { entryFileNames: 'main.js' } } },
    })
    return { script: 'main.js', isModule: true }
  },

  async Rollup(entry, dir) {
    const build = await rollup({
      input: entry,
      plugins: [{ name: 'xylem', resolveId: (specifier) => browserFile(specifier) ?? null }],
    })
    await build.write({ dir, format: 'es', entryFileNames: 'main.js' })
    await build.close()
    return { script: 'main.js', isModule: true }
  },

  async webpack(entry, path) {
    const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
      webpack(
        { mode: 'production', context: root, entry, output: { path, filename: 'main.js' }, performance: false },
        (error, result) => (error ? reject(error) : resolve(result)),
      )
    })
    if (stats?.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }))
    return { script: 'main.js', isModule: false }
  },
}

/** Writes the page that loads what was bundled. */
export function writePage(folder: string, { script, isModule }: Bundled): void {
  const type = isModule ? 'type="module"' : 'defer'
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><script ${type} src="${script}"></script>`,
  )
}
