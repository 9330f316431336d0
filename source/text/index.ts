export { LineCounter, type Position } from './line-counter.ts'
export { ParseError, type ParseErrorDetails } from './parse-error.ts'
export { TextCursor } from './text-cursor.ts'
