// Imports run one way, and reach Node and other packages only where the architecture allows it.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { findComponents } from '../source/grammar/facts/components.ts'
import { BUDGETS } from './room-budgets.ts'
import { countCodeLines } from './support/code-lines.ts'

const source = fileURLToPath(new URL('../source', import.meta.url))
const LAYERS = [
  'async',
  'kernel',
  'stream',
  'text',
  'compression',
  'record',
  'machine',
  'grammar',
  'grammars',
  'xml',
  'mediawiki',
  'worker',
  'cli',
]
/** Packages, and the only folder that may import them. */
const PACKAGES: Record<string, string> = {
  commander: 'cli',
  tinyglobby: 'cli',
  'xz-decompress': 'cli',
  yauzl: 'cli',
  // What some formats are written with: optional, and loaded late.
  'hyparquet-writer': 'record',
  'node-sqlite3-wasm': 'record',
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
const folders = [...new Set(files.map(dirname))].filter((folder) => folder !== '.')
/** Files of a folder at the most. */
const MOST_FILES = 15

/** What each file imports, statically, dynamically or for its types. */
const imports = new Map<string, string[]>()

function readImports(file: string): string[] {
  const known = imports.get(file)
  if (known) return known
  const found = findImports(readFileSync(join(source, file), 'utf8'))
  imports.set(file, found)
  return found
}

function findImports(text: string): string[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)
}

/** A text without what it imports for its types alone. */
function withoutTypes(text: string): string {
  return text.replace(/^(import|export) type\b[^']*'[^']+'/gm, '')
}

/** The file below source/ that a relative import names. AssemblyScript names files without their ending. */
function resolve(file: string, specifier: string): string {
  const path = relative(source, join(source, dirname(file), specifier))
    .split(sep)
    .join('/')
  return /^\w+\/kernel\//.test(file) ? `${path}.ts` : path
}

/** The layer of a file, or undefined at the root. */
function layerOf(file: string): string | undefined {
  const slash = file.indexOf('/')
  return slash === -1 ? undefined : file.slice(0, slash)
}

describe('the layers', () => {
  test('are the folders of source/, and are read', () => {
    const layers = new Set(files.map(layerOf).filter((layer) => layer !== undefined))
    expect(LAYERS).toEqual(expect.arrayContaining([...layers]))
    expect(files.length).toBeGreaterThan(30)
    expect(files.flatMap(readImports).length).toBeGreaterThan(80)
  })

  test('are read in every form that an import has', () => {
    const text = `
import { a } from './a.ts'
import type { B } from './b.ts'
import c, {
  d, // from here
  type E,
} from './c.ts'
import * as f from 'f'
import './g.ts'
export * from './h.ts'
export { i } from './i.ts'
const j = await import('./j.ts')
type K = import('./k.ts').K
export const l = 'from nowhere'
export interface M {
  /**
   * import { n } from './n.ts'
   */
}`
    const expected = ['./a.ts', './b.ts', './c.ts', 'f', './g.ts', './h.ts', './i.ts', './j.ts', './k.ts']
    expect(findImports(text).sort()).toEqual(expected.sort())
  })

  test('have no other way to what they must not reach', () => {
    for (const file of files) {
      const text = readFileSync(join(source, file), 'utf8')
      expect(text, file).not.toMatch(/\brequire\(|createRequire|<reference (types|path)/)
      // What runs in browsers as well asks there whether the runtime has a module; formats that are loaded late import nothing that all programs load.
      if (!/^(async\/builtin|record\/format\/(parquet|sqlite))\.ts$/.test(file))
        expect(text, file).not.toContain('getBuiltinModule')
      expect(text, file).not.toMatch(/^(import|export)[^'\n]*from\s+"/m)
    }
  })

  test.each(files)('%s imports only its own layer and those before it', (file) => {
    const layer = layerOf(file)
    const limit = layer === undefined ? LAYERS.indexOf('cli') - 1 : LAYERS.indexOf(layer)
    for (const specifier of readImports(file).filter((name) => name.startsWith('.'))) {
      // The version, and the names of fields.
      if (layer === 'cli' && /^(\.\.\/)+(package|docs\/page\.schema)\.json$/.test(specifier)) continue
      const target = layerOf(resolve(file, specifier))
      expect(target, `${specifier} is at the root`).toBeDefined()
      expect(LAYERS.indexOf(target as string), specifier).toBeLessThanOrEqual(limit)
      expect(existsSync(join(source, resolve(file, specifier))), specifier).toBe(true)
    }
  })

  test.each(files)('%s imports Node and other packages only where that is allowed', (file) => {
    const mayUseNode = file.startsWith('cli/') || file.endsWith('/node.ts') || file === 'node.ts'
    for (const specifier of readImports(file).filter((name) => !name.startsWith('.'))) {
      if (specifier.startsWith('node:')) expect(mayUseNode, specifier).toBe(true)
      else expect(layerOf(file), specifier).toBe(PACKAGES[specifier])
    }
  })

  test('of XML run without the compiler of grammars, except for what assembles its programs', () => {
    const seen = new Set(['xml/index.ts'])
    for (const file of seen) {
      const text = withoutTypes(readFileSync(join(source, file), 'utf8'))
      for (const specifier of findImports(text).filter((name) => name.startsWith('.')))
        seen.add(resolve(file, specifier))
    }
    expect(seen.size).toBeGreaterThan(50)
    expect([...seen].filter((file) => file.startsWith('grammar/'))).toEqual([])
  })

  test('reach files that need Node only from source/node.ts and the command line', () => {
    for (const file of files.filter((file) => file !== 'node.ts' && !file.startsWith('cli/'))) {
      for (const specifier of readImports(file)) expect(specifier).not.toMatch(/(^|\/)node\.ts$/)
    }
  })

  test('let nothing but the start of the command line import its commands, so that actions do not depend on them', () => {
    const importers = files.filter((file) =>
      readImports(file).some((name) => name.startsWith('.') && resolve(file, name).startsWith('cli/commands/')),
    )
    expect(importers).toEqual(['cli/main.ts'])
  })
})

/** What each file imports when it is loaded: neither types, nor what is loaded late. */
const loaded = files.map((file) => {
  const text = withoutTypes(readFileSync(join(source, file), 'utf8')).replace(/\bimport\('[^']+'\)/g, '')
  const names = findImports(text).filter((name) => name.startsWith('.'))
  return [file, names.map((name) => resolve(file, name))] as const
})

/** The room of a file, as the budgets name it. */
function roomOf(file: string): string {
  const [layer = '', ...path] = file.split('/')
  if (path.length === 0) return '.'
  if (path.length > 1) return `${layer}/${path[0]}`
  return layer === 'xml' ? file : layer
}

describe('the rooms', () => {
  test('have no more lines of code than their budgets', () => {
    const lines: Record<string, number> = {}
    for (const file of files.filter((file) => !file.includes('/generated/'))) {
      const room = roomOf(file)
      lines[room] = (lines[room] ?? 0) + countCodeLines(readFileSync(join(source, file), 'utf8'))
    }
    expect(Object.keys(lines).sort()).toEqual(Object.keys(BUDGETS).sort())
    expect(Object.entries(lines).filter(([room, count]) => count > (BUDGETS[room] ?? 0))).toEqual([])
  })

  test('are measured without comments and blank lines', () => {
    const text = '// one\n\nconst a = `x\n\ny` // two\n/** three */\nfunction b() {\n  /* four */\n  return a\n}\n'
    expect(countCodeLines(text)).toBe(6)
  })

  test('have no more than fifteen files', () => {
    const sizes = folders.map((folder) => [folder, files.filter((file) => dirname(file) === folder).length] as const)
    expect(sizes.flatMap(([folder, size]) => (size > MOST_FILES ? [folder] : []))).toEqual([])
  })

  test('have nothing that was written by hand in a folder generated/, and nothing generated outside of it', () => {
    for (const file of files) {
      const isGenerated = readFileSync(join(source, file), 'utf8').startsWith('// Generated by ')
      expect(file.includes('/generated/'), file).toBe(isGenerated)
    }
  })

  test.each(folders)('in %s import each other in no circle', (folder) => {
    const nameOf = (file: string) => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : '')
    const next = new Map<string, Set<string>>()
    for (const [file, targets] of loaded) {
      const name = nameOf(file)
      if (!name) continue
      const others = targets.map(nameOf).filter((other): other is string => !!other && other !== name)
      next.set(name, new Set([...(next.get(name) ?? []), ...others]))
    }
    const circles = findComponents(next.keys(), (name) => next.get(name) ?? []).filter(
      (names) => names.length > 1 && names.some((name) => !name.endsWith('.ts')),
    )
    expect(circles).toEqual([])
  })
})

test('files import each other in no circle, for types or late', () => {
  const next = (file: string) => readImports(file).flatMap((name) => (name.startsWith('.') ? resolve(file, name) : []))
  const own = files.filter((file) => !file.includes('/generated/'))
  expect(findComponents(own, next).filter((names) => names.length > 1)).toEqual([])
})
