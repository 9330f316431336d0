// All that reads document type declarations and entities, as one module.

export { DoctypeReader } from './doctype-reader.ts'
export { parseReplacement } from './replacement.ts'
