import { describe, expect, test } from 'vitest'
import { breathe } from '../../source/async/breathe.ts'

/** Works for `milliseconds` without a turn of the event loop. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe('breathing', () => {
  test('is not needed right after a turn', async () => {
    work(12)
    await breathe()
    expect(breathe()).toBeUndefined()
  })

  test('is due after 10 ms, and is one turn for all who ask', async () => {
    work(12)
    const turn = breathe()
    expect(turn).toBeInstanceOf(Promise)
    expect(breathe()).toBe(turn)
    await turn
    expect(breathe()).toBeUndefined()
  })

  test('lets timers fire that are due', async () => {
    let hasFired = false
    setTimeout(() => {
      hasFired = true
    }, 1)
    work(12)
    await breathe()
    expect(hasFired).toBe(true)
  })

  test('keeps timers going beside a loop that never waits', async () => {
    let fired = 0
    const timer = setInterval(() => fired++, 1)
    const start = performance.now()
    while (performance.now() - start < 300) {
      work(0.1)
      const turn = breathe()
      if (turn) await turn
      else await undefined
    }
    clearInterval(timer)
    // 25 to 30 on an idle machine.
    expect(fired).toBeGreaterThan(8)
  })
})
