// All that reads document type declarations and entities, as one module.

export { DoctypeReader } from './declaration/doctype-parser.ts'
export { expandValue } from './declaration/literal-values.ts'
export { DeclaredAttributes } from './declared-attributes.ts'
export { readExternalText } from './external-text.ts'
export { declareKnown } from './known-entities.ts'
export { parseReplacement } from './replacement.ts'
export { SkippedEntities } from './skipped.ts'
