// Waiting for nothing but time.

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
