// What the commands that read XML do, loaded as one.

export { checkDocuments } from './check.ts'
export { selectFrom } from './select.ts'
