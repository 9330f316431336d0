// All that other encodings take, as one module.

export { OffsetMap } from '../../text/offset-map.ts'
export { makeTranscoder } from '../../text/transcoders.ts'
