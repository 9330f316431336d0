// What the benchmark asks of an engine. Each engine is one file that the others do not load.

import type { Digest } from './digest.ts'

export type Language = 'json' | 'csv' | 'log' | 'xml'

/** An input that is in memory, in both forms: an engine that needs text does not have to decode it. */
export interface Input {
  readonly bytes: Uint8Array
  readonly text: string
}

/** A grammar, ready to parse with. */
interface Parser {
  /** Whether the input matches, with as little made of it as the engine can. Some throw instead. */
  recognize(input: Input): boolean
  /** Makes the complete tree, then gives every string of it to the digest (digest.ts says which). Throws when the input does not match. */
  readTree(input: Input, digest: Digest): void
}

export interface Engine {
  /** Prepares a grammar. */
  compile(language: Language): Parser
}
