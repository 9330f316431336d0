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

/** Whether a promise is settled within so many milliseconds. */
export async function isSoon(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  const isSettled = () => true
  return Promise.race([promise.then(isSettled, isSettled), late]).finally(() => clearTimeout(timer))
}
