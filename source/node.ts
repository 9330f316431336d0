/**
 * Sources that need Node.
 *
 * @module xylem/node
 */

export { FileSource, type FileSourceOptions, StandardInput } from './stream/sources/node.ts'
