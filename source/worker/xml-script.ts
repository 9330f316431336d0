// Where the script of the workers is that parse XML. scripts/build.mjs has another module for browsers, with the text of the script.

import type { WorkerScript } from '../async/worker-script.ts'

export const XML_SCRIPT: WorkerScript = {
  // Not before a worker is started: bundled as CommonJS, a module does not know where it is.
  get file() {
    return new URL('./xml-worker.js', import.meta.url)
  },
}
