// Waiting for what cannot be cancelled itself.

/** Settles like the promise, or rejects with the signal's reason when that comes first. What the promise does then is of no interest. */
export function abortable<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
}
