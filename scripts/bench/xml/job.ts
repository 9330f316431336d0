// What the processes of this benchmark are asked to do, and what they answer.

import type { DigestResult } from '../grammar/digest.ts'
import type { InputFiles } from '../grammar/inputs.ts'
import type { RecordKind, Use } from './engine.ts'
import type { InputName } from './inputs.ts'

/** Asked of a process that runs TypeScript: the parent must stay small, and compiles nothing itself. */
export type Preparation =
  | { readonly prepare: 'input'; readonly input: InputName; readonly size: number; readonly files: InputFiles }
  | { readonly prepare: 'lengths'; readonly file: string; readonly kind: RecordKind }
  | { readonly prepare: 'program' }

/** The path of the program that does jobs, compiled; or that of lengths. */
export interface PreparedPath {
  readonly path: string
}

/** Asked of the compiled program. */
export interface Job {
  readonly measure: Use | 'first record'
  readonly engine: string
  readonly file: string
  readonly kind: RecordKind
}

export interface JobAnswer {
  /** Of what was read, except by a check. */
  readonly digest?: DigestResult
  /** In milliseconds. */
  readonly firstRecord?: number
  /** In MB of 2^20 bytes. */
  readonly peakMemory: number
}
