// What the process that fuzzes reports to the one that watches it.

/** What the watching process asks for. */
export interface Job {
  readonly target: string
  readonly seed: number
  /** The number of the first case, and how many cases or milliseconds there are at most. */
  readonly first: number
  readonly cases: number
  readonly milliseconds: number
}

/** What it gets. A case that hangs or ends the process is the last one that was begun. */
export type Message =
  | { readonly type: 'opened'; readonly oracles: string }
  | { readonly type: 'begun'; readonly index: number }
  | { readonly type: 'failed'; readonly index: number; readonly failure: string; readonly path: string }
  | { readonly type: 'done' }
