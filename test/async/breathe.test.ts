import { describe, expect, test } from 'vitest'
import { breathe } from '../../source/async/breathe.ts'
import { countTurns } from '../support/turns.ts'

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
    const { turns, fair } = await countTurns(async (isOver) => {
      while (!isOver()) {
        const turn = breathe()
        if (turn) await turn
        else await undefined
      }
    })
    expect(turns).toBeGreaterThan(fair)
  })

  test('is what such a loop needs: promises alone give no turn at all', async () => {
    const { turns, fair } = await countTurns(async (isOver) => {
      while (!isOver()) await undefined
    })
    expect(turns).toBeLessThan(fair)
  })
})
