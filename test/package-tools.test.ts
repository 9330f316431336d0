// The package with the tools that its users have: CommonJS, TypeScript's ways to resolve modules, and bundlers. docs/modules.md says what works.

import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rollup } from '@rollup/wasm-node'
import { build, type Format, type Platform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import webpack from 'webpack'
import { isThorough } from './support/extent.ts'
import { InstalledPackage, manifest, specifier } from './support/installed-package.ts'
import { root } from './support/markdown.ts'

const paths = Object.keys(manifest.exports).filter((path) => !/\.\w+$/.test(path))
const forBrowsers = paths.filter((path) => path !== './node')

let installed: InstalledPackage
beforeAll(() => {
  installed = new InstalledPackage(['typescript', '@types/node', 'undici-types'])
  // As npm links a package of the same workspace: bundlers say more about files that are not in node_modules.
  mkdirSync(join(installed.folder, 'workspace', 'node_modules'), { recursive: true })
  symlinkSync(root, join(installed.folder, 'workspace', 'node_modules', 'xylem'))
})
afterAll(() => installed.remove())

describe.runIf(isThorough)('CommonJS', () => {
  const program = `
    const { parseXml } = require('xylem')
    const all = ${JSON.stringify(paths.map(specifier))}.map((path) => Object.keys(require(path)).length)
    console.log(parseXml('<a>sap</a>').root.text, all.every((count) => count > 0))`
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const canRequire = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)

  test('requires every path, from Node 20.19 and 22.12 on', ({ skip }) => {
    if (!canRequire) skip('this version of Node cannot require modules')
    installed.write('program.cjs', program)
    expect(installed.run(process.execPath, ['program.cjs'])).toBe('sap true\n')
  })

  test('gets the advice to use import(), in a version of Node before that', ({ skip }) => {
    if (!canRequire) skip('its message is that of Node itself')
    if (major > 24) skip('this version of Node cannot be told to refuse')
    installed.write('program.cjs', program)
    const { status, stderr } = installed.fail('--no-experimental-require-module', 'program.cjs')
    expect(status).toBe(1)
    expect(stderr).toMatch(/Error \[ERR_REQUIRE_ESM\][\s\S]*dynamic import\(\)/)
  })

  test('imports every path with import(), in every version of Node', () => {
    installed.write(
      'program.cjs',
      `import('xylem').then(({ parseXml }) => console.log(parseXml('<a>sap</a>').root.text))`,
    )
    expect(installed.run(process.execPath, ['program.cjs'])).toBe('sap\n')
  })
})

// To compile takes seconds each time, and so does Rollup here.
describe.runIf(isThorough)('TypeScript', () => {
  const program = `
    ${paths.map((path, i) => `import * as all${i} from '${specifier(path)}'`).join('\n')}
    import { parseXml } from 'xylem'
    export const text: string = parseXml('<a/>').root.text
    export default [${paths.map((_, i) => `all${i}`).join()}]`

  /** What the compiler says of a file that imports all paths. */
  function compile(file: string, moduleResolution: string, module: string): string {
    installed.write(file, program)
    const compilerOptions = {
      moduleResolution,
      module,
      strict: true,
      noEmit: true,
      target: 'ES2022',
      lib: ['ES2022'],
      types: ['node'],
      skipLibCheck: true,
      ignoreDeprecations: '6.0',
    }
    installed.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }))
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    try {
      return installed.run(process.execPath, [tsc, '-p', installed.folder])
    } catch (error) {
      return (error as { stdout: string }).stdout
    }
  }

  test.each([
    ['node16', 'node16', 'use.mts'],
    ['nodenext', 'nodenext', 'use.mts'],
    ['nodenext', 'nodenext', 'use.cts'],
    ['bundler', 'esnext', 'use.ts'],
    ['bundler', 'preserve', 'use.ts'],
  ])('finds all types with moduleResolution %s, module %s, in %s', (moduleResolution, module, file) => {
    expect(compile(file, moduleResolution, module)).toBe('')
  })

  test('says what to set with moduleResolution node10, and to use import() in CommonJS with node16', () => {
    expect(compile('use.ts', 'node10', 'esnext')).toContain("Consider updating to 'node16', 'nodenext', or 'bundler'.")
    expect(compile('use.cts', 'node16', 'node16')).toContain(
      `Consider writing a dynamic 'import("xylem")' call instead.`,
    )
  })
})

describe.runIf(isThorough)('a bundler', () => {
  const folders = () => [installed.folder, join(installed.folder, 'workspace')]

  /** What esbuild says of programs that import these paths. */
  async function warningsOf(
    imported: readonly string[],
    folder: string,
    platform: Platform,
    format: Format,
  ): Promise<string[]> {
    const entryPoints = imported.map((path) => {
      const file = join(folder, `import${path.replaceAll(/\W/g, '-')}.js`)
      writeFileSync(file, `import * as all from '${specifier(path)}'\nconsole.log(all)`)
      return file
    })
    const options = { bundle: true, write: false, outdir: 'bundled', logLevel: 'silent' } as const
    const { warnings } = await build({ ...options, entryPoints, platform, format })
    return warnings.map(({ text }) => text).slice(0, 3)
  }

  test.each(['browser', 'node', 'neutral'] as const)(
    'has nothing to warn of: esbuild, platform %s',
    async (platform) => {
      for (const folder of folders()) {
        for (const format of ['esm', 'cjs', 'iife'] as const) {
          const imported = platform === 'node' ? paths : forBrowsers
          expect({ format, texts: await warningsOf(imported, folder, platform, format) }).toEqual({ format, texts: [] })
        }
      }
    },
  )

  test('says that xylem/node needs Node, for any other platform', async () => {
    await expect(warningsOf(['./node'], installed.folder, 'browser', 'esm')).rejects.toThrow(
      'Could not resolve "node:fs"',
    )
  })

  test.each(['browser', 'default'] as const)(
    'has nothing to warn of: Rollup, files by the condition %s',
    async (condition) => {
      // The modules of grammars are the same everywhere.
      const files = forBrowsers.map((path) => {
        const conditions = manifest.exports[path] as Record<string, string>
        return conditions[condition] ?? (conditions.default as string)
      })
      const warnings: string[] = []
      const bundle = await rollup({
        input: files.map((file) => realpathSync(join(root, file))),
        external: [/^node:/, ...Object.keys(manifest.dependencies)],
        onwarn: ({ message }) => warnings.push(message),
      })
      for (const format of ['es', 'cjs'] as const) await bundle.generate({ format, dir: 'bundled' })
      await bundle.close()
      expect(warnings).toEqual([])
    },
  )

  test.each(['web', 'node'])('has nothing to warn of: webpack, target %s', async (target) => {
    const imports = forBrowsers.map(
      (path, i) => `import * as all${i} from '${specifier(path)}'\nconsole.log(all${i})\n`,
    )
    const entry = installed.write('entry.js', imports.join(''))
    const output = { path: join(installed.folder, 'bundled', target), filename: 'main.js' }
    const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
      const context = installed.folder
      webpack({ mode: 'development', context, entry, target, output, performance: false }, (error, result) =>
        error ? reject(error) : resolve(result),
      )
    })
    expect(stats?.toString({ all: false, errors: true, warnings: true })).toBe('')
    expect(readFileSync(join(output.path, 'main.js'), 'utf8').length).toBeGreaterThan(0)
  })
})
