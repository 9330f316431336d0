// The end of a process on Node 20.

/** Longer than nearly all optimisations take. */
const GRACE = 25

/**
 * Waits until V8 optimises nothing any more. The V8 of Node 20 can lock up where a process ends: the main thread waits for the thread
 * that optimises, which waits for the main thread to collect garbage. So nothing new is begun, and what runs may still have its garbage
 * collected. Later versions end the wait themselves.
 */
export async function settleCompiler(): Promise<void> {
  if (!process.versions.v8.startsWith('11.')) return
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--no-opt')
  await new Promise((resolve) => setTimeout(resolve, GRACE))
}
