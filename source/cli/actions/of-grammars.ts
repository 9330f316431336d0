// What the commands that read grammars do, loaded as one.

export { printGrammar } from './grammar.ts'
export { parseInputs } from './parse.ts'
export { writeTypes } from './types.ts'
