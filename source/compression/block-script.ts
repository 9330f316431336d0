// Where the script of the workers is that decode blocks. scripts/build.mjs has another module for browsers, with the text of the script.

import type { WorkerScript } from '../async/worker-script.ts'

export const BLOCK_SCRIPT: WorkerScript = {
  // Not before a worker is started: bundled as CommonJS, a module does not know where it is.
  get file() {
    return new URL('./block-worker.js', import.meta.url)
  },
}
