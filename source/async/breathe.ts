// Letting the event loop breathe. A chain of resolved promises never leaves the current turn of the event loop: timers, input
// and signals starve until it ends (measured in 2018: not one turn in ten million steps). So every loop of ours that may run
// without really waiting asks here, and every ten milliseconds it waits for one turn.
//
// The time is that since the last turn that was taken here, by any loop: one turn serves all. Turns that the event loop takes by itself
// are not seen, so a loop that really waits may take one too many every ten milliseconds, which costs some microseconds.

/** Milliseconds that may pass between two turns of the event loop. */
const LONGEST_SLICE = 10

// Not `performance`: Node loads that when it is first asked for, which is a part of the time before a first result. Taken once: a program that
// replaces a global by a clock that stands still, as tests do, must not stop our loops.
const { now } = Date
let lastTurn = now()
let nextTurn: Promise<void> | undefined

/**
 * Undefined while a turn was taken within the last 10 ms; else a promise that resolves in the next turn of the event loop.
 * Callers write `const turn = breathe()`, then `if (turn) await turn`: the test keeps the usual case free of promises.
 */
export function breathe(): Promise<void> | undefined {
  if (nextTurn) return nextTurn
  // The system's clock may be set, back as well.
  if (Math.abs(now() - lastTurn) < LONGEST_SLICE) return undefined
  nextTurn = turn().then(() => {
    lastTurn = now()
    nextTurn = undefined
  })
  return nextTurn
}

// Taken once as well.
const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => void }

/** One turn of the event loop, in the cheapest way that the runtime has. Timers that are due fire before it resolves. */
function turn(): Promise<void> {
  // An immediate asked for while input is handled runs before the timers of that turn: the second one runs after them.
  if (setImmediate) return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  // Browsers clamp nested timeouts to 4 ms; a message does not wait.
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
