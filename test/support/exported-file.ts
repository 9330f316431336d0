// Files of the package, by the names under which it exports them.

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(import.meta.url)

/** `xylem/block-worker.js`: where that is. Not by `import.meta.resolve`, which Vitest has in Node alone. */
export function findExport(name: string): URL {
  return pathToFileURL(require.resolve(name))
}
