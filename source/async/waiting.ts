// Waiting for what cannot be cancelled itself, for what may never answer, and for nothing but time.

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

/** How long a source that is closed is waited for, in milliseconds. */
const PATIENCE = 1000

/** Settles like the promise, or resolves after one second when that does not settle before. */
export async function withPatience(promise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const impatience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE)
  })
  try {
    await Promise.race([promise, impatience])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves after so many milliseconds. Rejects with the reason of the signal when that aborts before. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', abort)
  })
}

/** Turns of promises that are waited for without a timer, which takes longer. */
const TURNS = 8

/** Whether a promise is settled within so many milliseconds. */
export async function isSoon(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let isSettled = false
  const settle = (): boolean => {
    isSettled = true
    return true
  }
  const settled = promise.then(settle, settle)
  for (let turn = 0; turn < TURNS && !isSettled; turn++) await undefined
  if (isSettled) return true
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  return Promise.race([settled, late]).finally(() => clearTimeout(timer))
}
