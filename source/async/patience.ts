// Waiting for what may never answer.

/** How long a source that is closed is waited for, in milliseconds. */
const PATIENCE = 1000

/** Settles like the promise, or resolves after one second when that does not settle before. */
export async function withPatience(promise: Promise<void>): Promise<void> {
  if (await isSoon(promise, PATIENCE)) await promise
}

/** Whether a promise is settled within so many milliseconds. */
export async function isSoon(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  const settled = promise.then(
    () => true,
    () => true,
  )
  const isSettled = await Promise.race([settled, late])
  clearTimeout(timer)
  return isSettled
}
