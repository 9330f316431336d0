// The kernel of XML: what only XML does with the tape of a machine, on the machine's memory.

export { writeLines, writeText } from './json'
export { project } from './project'
