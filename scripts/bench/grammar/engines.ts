// The engines, without loading them.

import { MEBIBYTE } from '../corpus.ts'
import type { Engine } from './engine.ts'

export interface EngineEntry {
  readonly load: () => Promise<Engine>
  /** The largest input, in bytes, to recognise and to make a tree of; and why it is not larger. */
  readonly most: number
  readonly mostTree: number
  readonly because: string
}

/** What the others are compared with. */
export const REFERENCE = 'peggy'
export const OURS = 'xylem'

/** By their names, in the order of the tables. */
export const engines: Readonly<Record<string, EngineEntry>> = {
  [OURS]: {
    load: async () => (await import('./xylem.ts')).xylem,
    most: 1024 * MEBIBYTE,
    mostTree: 64 * MEBIBYTE,
    because: 'a whole tree is larger than its input: larger ones are streamed',
  },
  [REFERENCE]: {
    load: async () => (await import('./peggy.ts')).plain,
    most: 256 * MEBIBYTE,
    mostTree: 64 * MEBIBYTE,
    because: 'it wants one string, and V8 has none longer than half a gigabyte',
  },
  'peggy, cache': {
    load: async () => (await import('./peggy.ts')).caching,
    most: 4 * MEBIBYTE,
    mostTree: 4 * MEBIBYTE,
    because: 'its cache outgrows the heap',
  },
  chevrotain: {
    load: async () => (await import('./chevrotain.ts')).chevrotain,
    most: 16 * MEBIBYTE,
    mostTree: 16 * MEBIBYTE,
    because: 'it makes all tokens first',
  },
  nearley: {
    load: async () => (await import('./nearley.ts')).nearleyJs,
    most: 4 * MEBIBYTE,
    mostTree: 4 * MEBIBYTE,
    because: 'its chart outgrows the heap',
  },
  'bnf-parser': {
    load: async () => (await import('./bnf-parser.ts')).bnfParser,
    most: 48 * 1024,
    mostTree: 48 * 1024,
    because: 'it takes 65,536 bytes at the most, fewer where its tree is large',
  },
  ohm: {
    load: async () => (await import('./ohm.ts')).ohmJs,
    most: 128 * 1024,
    mostTree: 128 * 1024,
    because: 'it keeps hundreds of bytes for each byte: 1 MB takes its heap',
  },
}

/** Throws for a name that is not there. */
export function findEngine(name: string): EngineEntry {
  const entry = engines[name]
  if (!entry) throw new RangeError(`there is no engine named ${name}`)
  return entry
}
