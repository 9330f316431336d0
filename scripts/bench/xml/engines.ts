// The engines, without loading them.

import type { Engine, Use } from './engine.ts'

interface EngineFacts {
  readonly uses: readonly Use[]
  /** Whether it takes any document for well-formed: its checks are none. */
  readonly neverRefuses?: true
  /** Why its strings may be others than the reference's; undefined where they must not be. */
  readonly otherStrings?: string
  /** Whether it is given the lengths of the strings (lengths.ts) instead of the document. */
  readonly readsLengths?: true
  /** The largest input in bytes, where there is a limit, and why it is not larger. */
  readonly most?: number
  readonly because?: string
}

/** A library, which runs in a process of Node, or a command, which is given a file. */
export type EngineEntry = EngineFacts &
  ({ readonly load: () => Promise<Engine> } | { readonly command: readonly [string, ...string[]] })

/** What the others are compared with. */
export const REFERENCE = 'saxes'
export const OURS = 'xylem'
/** Not an engine: the floor. */
export const FLOOR = 'reading alone'
/** The commands that checks are compared with as well. */
export const COMMANDS = ['xmllint', 'xmlwf'] as const

const MEBIBYTE = 2 ** 20
const CARRIAGE_RETURNS = 'it keeps carriage returns, which the small dump among the fixtures has a few of'
/** What nothing is held against need not read a gigabyte, which would take most of the time of the benchmark. */
const ENOUGH = { most: 256 * MEBIBYTE, because: 'no figure is a ratio to it, and more would only take longer' }
const ALL: readonly Use[] = ['check', 'events', 'records']

/** By their names, in the order of the tables. */
export const engines: Readonly<Record<string, EngineEntry>> = {
  [OURS]: { load: async () => (await import('./xylem.ts')).withNamespaces, uses: ALL },
  'xylem, no namespaces': { load: async () => (await import('./xylem.ts')).withoutNamespaces, uses: ALL },
  'xylem, whole elements': { load: async () => (await import('./xylem.ts')).withElements, uses: ['records'] },
  [REFERENCE]: { load: async () => (await import('./saxes.ts')).saxes, uses: ALL },
  sax: {
    load: async () => (await import('./sax.ts')).saxStrict,
    uses: ALL,
    otherStrings: CARRIAGE_RETURNS,
    ...ENOUGH,
  },
  htmlparser2: {
    load: async () => (await import('./htmlparser2.ts')).htmlparser2,
    uses: ALL,
    neverRefuses: true,
    otherStrings: CARRIAGE_RETURNS,
    ...ENOUGH,
  },
  'sax-wasm': {
    load: async () => (await import('./sax-wasm.ts')).saxWasm,
    uses: ALL,
    neverRefuses: true,
    otherStrings: 'it decodes no references, and leaves out line feeds and white space between elements',
    ...ENOUGH,
  },
  'fast-xml-parser': {
    load: async () => (await import('./fast-xml-parser.ts')).fastXmlParser,
    uses: ALL,
    otherStrings: 'it keeps no text of processing instructions',
    most: 256 * MEBIBYTE,
    because: 'it wants one string, and V8 has none longer than half a gigabyte',
  },
  xmllint: { command: ['xmllint', '--stream', '--noout', '--nonet'], uses: ['check'] },
  xmlwf: { command: ['xmlwf'], uses: ['check'] },
  'strings alone': {
    load: async () => (await import('./strings-alone.ts')).stringsAlone,
    uses: ['records'],
    neverRefuses: true,
    otherStrings: 'it is no parser: it makes as many strings, as long as those of the records, of nothing',
    readsLengths: true,
  },
  [FLOOR]: { load: async () => (await import('./reading-alone.ts')).readingAlone, uses: ['check'], neverRefuses: true },
}

/** Throws for a name that is not there. */
export function findEngine(name: string): EngineEntry {
  const entry = engines[name]
  if (!entry) throw new RangeError(`there is no engine named ${name}`)
  return entry
}
