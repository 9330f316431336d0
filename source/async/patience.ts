// Waiting for what may never answer.

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
