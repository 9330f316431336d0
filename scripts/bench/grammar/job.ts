// What the processes of this benchmark are asked to do, and what they answer. Inputs are made by one too: the parent must stay small.

import type { DigestResult } from './digest.ts'
import type { Language } from './engine.ts'
import type { InputFiles, InputName } from './inputs.ts'

export type Job = { readonly runs: number } & (
  | { readonly measure: 'making input'; readonly input: InputName; readonly size: number; readonly files: InputFiles }
  | {
      readonly measure: 'recognizing' | 'tree'
      readonly engine: string
      readonly language: Language
      readonly file: string
    }
  | { readonly measure: 'small'; readonly engine: string; readonly language: Language; readonly text: string }
  | { readonly measure: 'compiling'; readonly engine: string }
  | { readonly measure: 'first node'; readonly language: Language; readonly emit: string; readonly text: string }
  | { readonly measure: 'partial trees'; readonly language: Language; readonly emit: string; readonly file: string }
  | { readonly measure: 'bare reading'; readonly file: string }
)

export interface JobResult<Sample> {
  readonly samples: Sample[]
  /** Of the process, over all runs, in MB. */
  readonly peakMemory: number
}

/** A parse, or the mean of several in a row where one is short. */
export interface ParseSample {
  readonly seconds: number
  /** Of a tree that was read. */
  readonly digest?: DigestResult
}

/** A grammar made ready. The first of a process finds nothing compiled. */
export interface CompileSample {
  readonly seconds: number
}

/** A node from a source that stalls after its last byte. */
export interface FirstNodeSample {
  /** From the last byte to the node, in ms; undefined when it did not come. */
  readonly wait?: number
}

/** A file read to its end. */
export interface StreamSample {
  readonly seconds: number
  /** Bytes of the file. */
  readonly bytes: number
  /** Nodes that were delivered, and what was read of them. */
  readonly nodes: number
  readonly digest: DigestResult
}
