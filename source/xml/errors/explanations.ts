// What explains why a document is not well-formed. Most documents are, so it is loaded when one is not.

import { LazyModule } from '../../async/lazy-module.ts'

export const explanations = new LazyModule(() => import('./explaining.ts'))
