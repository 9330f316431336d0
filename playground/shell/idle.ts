// What can wait until the page has nothing else to do.

/** Milliseconds after which a browser that does not say whether it is idle is taken to be. */
const SOON = 1000

export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => work())
  else setTimeout(work, SOON)
}
