import { vi } from 'vitest'

/** Counts the `AbortController`s that are made from now on, until `vi.unstubAllGlobals()`. */
export function countControllers(): () => number {
  let count = 0
  class Counted extends AbortController {
    constructor() {
      super()
      count++
    }
  }
  vi.stubGlobal('AbortController', Counted)
  return () => count
}
