// `xylem/node`: what needs Node.

export { FileSource, type FileSourceOptions, standardInput } from './stream/sources/node.ts'
