import { afterEach, describe, expect, test, vi } from 'vitest'
import { Leaving, signalOf } from '../../source/async/leaving.ts'
import { countControllers } from '../support/count-controllers.ts'

afterEach(() => vi.unstubAllGlobals())

describe('leaving', () => {
  test('aborts the signal that was made before, with the first reason', () => {
    const leaving = new Leaving()
    const { signal } = leaving
    expect([leaving.aborted, signal.aborted]).toEqual([false, false])
    leaving.throwIfAborted()
    leaving.abort('enough')
    leaving.abort('too late')
    expect([leaving.aborted, signal.aborted, signal.reason]).toEqual([true, true, 'enough'])
    expect(() => leaving.throwIfAborted()).toThrow('enough')
  })

  test('gives a signal that is aborted if it is asked for afterwards, and always the same', () => {
    const leaving = new Leaving()
    leaving.abort('enough')
    expect([leaving.signal.aborted, leaving.signal.reason]).toEqual([true, 'enough'])
    expect(leaving.signal).toBe(leaving.signal)
  })

  test('makes no controller before its signal is asked for', () => {
    const count = countControllers()
    const leaving = new Leaving()
    leaving.abort('enough')
    expect(count()).toBe(0)
    expect(signalOf(leaving)?.aborted).toBe(true)
    expect(count()).toBe(1)
  })

  test('is waited for as any signal is', () => {
    const { signal } = new AbortController()
    expect([signalOf(signal), signalOf(undefined)]).toEqual([signal, undefined])
  })
})
