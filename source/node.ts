// `xylem/node`: what needs Node.

export { FileSource, type FileSourceOptions, StandardInput } from './stream/sources/node.ts'
