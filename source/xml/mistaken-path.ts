// A string is content. One that looks like a path gets an error that says so.

import { XmlError } from './errors/errors.ts'

/** A file name with an extension, or anything with a slash; without blanks at its start, and short. */
const PATH = /^(?=[^\s<>][^\n<>]{0,1000}$)(?:.*[/\\].*|.*\.\w{1,8})$/

/** Throws an `XmlError` with the code `path-as-content` for a string that looks like a path. */
export function refusePath(source: unknown): void {
  if (typeof source !== 'string' || !PATH.test(source)) return
  const message = `${JSON.stringify(source)} is not XML. If it is a file path, use new FileSource(path) from xylem/node`
  throw new XmlError(message, { code: 'path-as-content', byteOffset: 0, line: 1, column: 1 })
}
