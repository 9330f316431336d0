// `xylem/stream`: the stream layer, and what reads text over it.

export * from './stream/index.ts'
export * from './text/index.ts'
