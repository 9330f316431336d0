// All that reads document type declarations and entities, as one module.

export { DeclaredAttributes } from './declared-attributes.ts'
export { DoctypeReader } from './doctype-reader.ts'
export { readExternalText } from './external-text.ts'
export { expandValue } from './literal-values.ts'
export { parseReplacement } from './replacement.ts'
