// What a command loads before it does anything. Counted in modules: they are what a start takes its time for.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sample } from '../support/extent.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const command = join(root, 'dist', 'cli', 'main.js')

let folder = ''
let small = ''
let list = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-start-'))
  small = join(folder, 'small.xml')
  list = join(folder, 'list.cjs')
  writeFileSync(small, '<feed><entry id="1"/></feed>')
  writeFileSync(
    list,
    `process.on('exit', () => require('fs').writeFileSync(process.env.LIST, JSON.stringify(process.moduleLoadList)))`,
  )
  always = new Set(loadedBy('-e', '0'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Modules of Node's that are loaded when a program ends, by their names. */
function loadedBy(...args: string[]): string[] {
  const file = join(folder, 'loaded.json')
  execFileSync(process.execPath, ['-r', list, ...args], { cwd: root, env: { ...process.env, LIST: file } })
  const loaded = JSON.parse(readFileSync(file, 'utf8')) as string[]
  return loaded.map((name) => name.replace(/^NativeModule /, ''))
}

const HEAVY = ['child_process', 'crypto', 'perf_hooks', 'timers/promises', 'worker_threads', 'zlib']
// What Node itself has loaded by then differs from version to version.
let always: ReadonlySet<string>
const heavyOf = (loaded: string[]) => {
  return HEAVY.filter((name) => loaded.includes(name) && !always.has(name))
}

describe('a command', () => {
  test.each(sample([[['--version']], [['--help']], [['check', '--help']]], 2))(
    'that prints about itself loads neither files nor the library: %s',
    (args) => {
      const loaded = loadedBy(command, ...args)
      expect(heavyOf(loaded)).toEqual([])
      expect(loaded.includes('fs/promises') && !always.has('fs/promises')).toBe(false)
    },
  )

  test('that reads a small document loads nothing for archives, sums and clocks', () => {
    expect(heavyOf(loadedBy(command, 'check', small))).toEqual([])
  })

  test('that prints pages loads nothing for archives, sums and clocks', () => {
    const dump = join(root, 'fixtures', 'mediawiki', 'small-dump.xml')
    expect(heavyOf(loadedBy(command, 'pages', '--limit', '1', dump))).toEqual([])
  })

  test('uses the cache of compiled code that Node has, and none where that is switched off', ({ skip }) => {
    const cache = join(folder, 'cache')
    const { NODE_DISABLE_COMPILE_CACHE: _, ...env } = process.env
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    if (major < 22 || (major === 22 && minor < 1)) skip('Node 20 has no cache of compiled code')
    const run = (more: Record<string, string>, path: string) => {
      const settings = { ...env, ...more, NODE_COMPILE_CACHE: path }
      expect(execFileSync(process.execPath, [command, '--version'], { env: settings, encoding: 'utf8' })).toMatch(/^\d/)
    }
    run({}, cache)
    expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(2)
    const none = join(folder, 'none')
    run({ NODE_DISABLE_COMPILE_CACHE: '1' }, none)
    expect(() => readdirSync(none)).toThrow('ENOENT')
  })
})

/** Files of dist/ that a file imports at its start, itself included. */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  const code = readFileSync(join(root, 'dist', file), 'utf8')
  for (const [, path = ''] of code.matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g)) filesOf(path, found)
  return found
}

describe('what a command does', () => {
  test.each([
    ['checkDocuments', 4],
    ['selectFrom', 4],
    ['runDumpCommand', 7],
    ['printPage', 7],
    ['writeIndexes', 7],
    ['describeDumps', 7],
    ['printGrammar', 4],
    ['parseInputs', 4],
    ['printTypes', 4],
    ['commitParts', 8],
    ['printPlan', 8],
    ['readPlanned', 8],
  ])('is in few files: %s', (name, most) => {
    const folder = join(root, 'dist')
    const chunks = readdirSync(folder).filter((file) => /^cli-.*\.js$/.test(file))
    const actions = chunks.filter(
      (file) => /export ?\{([^}]*)\}/.exec(readFileSync(join(folder, file), 'utf8'))?.[1]?.trim() === name,
    )
    expect(actions).toHaveLength(1)
    expect(filesOf(actions[0] ?? '').size).toBeLessThanOrEqual(most)
  })
})

describe('the library', () => {
  test('reads a first document without what Node has for sums and clocks', () => {
    const program = join(folder, 'first.mjs')
    const library = new URL('../../dist/xml.js', import.meta.url).href
    writeFileSync(program, `import { parseXml } from '${library}'\nif (parseXml('<a/>').root.name !== 'a') throw 1`)
    expect(heavyOf(loadedBy(program))).toEqual([])
  })
})
