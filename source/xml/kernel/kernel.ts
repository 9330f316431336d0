// The kernel of XML: what only XML does with the tape of a machine, on the machine's memory.

export { writeLines, writeText } from './lines'
export { project } from './project'
export { writeValues } from './values'
