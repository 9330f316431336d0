/**
 * Cursors over a stream, the sources that they read, and the text cursor.
 *
 * @module xylem/stream
 */

export * from './stream/index.ts'
export * from './text/index.ts'
