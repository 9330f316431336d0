// Where the script of the workers is that decode blocks. scripts/build.mjs has another module for browsers, with the text of the script.

import type { WorkerScript } from '../../async/worker.ts'

export const BLOCK_SCRIPT: WorkerScript = {
  get file() {
    // Bundlers warn of `import.meta` in CommonJS, except where an error is caught: such a module does not know where it is.
    try {
      return new URL('./block-worker.js', import.meta.url)
    } catch {
      return undefined
    }
  },
}
