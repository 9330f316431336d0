// All that other encodings take, as one module.

export { makeTranscoder } from '../../text/make-transcoder.ts'
export { OffsetMap } from '../../text/offset-map.ts'
