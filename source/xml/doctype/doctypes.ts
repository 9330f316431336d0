// What reads document type declarations, and the entities that they declare. Most documents have none, so it is loaded for the first that has one.

import { LazyModule } from '../../async/lazy-module.ts'
import { explanations } from '../errors/explanations.ts'

export const doctypes = new LazyModule(async () => {
  // What an entity stands for may be wrong, and is parsed where nothing can be waited for.
  await explanations.load()
  return import('./reading.ts')
})
