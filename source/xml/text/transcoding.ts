// What turns other encodings into UTF-8, as one module: most documents are UTF-8, so it is loaded for the first that is not.

import { LazyModule } from '../../async/lazy-module.ts'

export const transcoding = new LazyModule(() => import('./transcoders.ts'))
