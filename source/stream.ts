// `xylem/stream`: the stream layer, and the text cursor that reads over it.

export * from './stream/index.ts'
export { ParseError } from './text/parse-error.ts'
export { TextCursor } from './text/text-cursor.ts'
