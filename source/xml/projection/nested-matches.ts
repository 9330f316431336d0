// What reads all matches in matches is loaded for the first document of which they are wanted.

import { LazyModule } from '../../async/lazy-module.ts'

export const nestedMatches = new LazyModule(() => import('./open-matches.ts'))
