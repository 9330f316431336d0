// Where the script of the workers is that decode blocks. scripts/build.mjs has another module for browsers, with the text of the script.

import type { WorkerScript } from '../async/worker-script.ts'

export const BLOCK_SCRIPT: WorkerScript = {
  get file() {
    try {
      return new URL('./block-worker.js', import.meta.url)
    } catch {
      return undefined // bundled as CommonJS, a module does not know where it is
    }
  },
}
