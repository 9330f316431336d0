// Names from bytes: those that were read lately are found again, and are never others.

import { describe, expect, test } from 'vitest'
import { makeName, readName } from '../../../source/xml/names/names.ts'

const encoder = new TextEncoder()

function read(raw: string) {
  const bytes = encoder.encode(`<${raw}>`)
  return readName(bytes, 1, bytes.length - 1)
}

describe('a name that is read again', () => {
  test('is the same object', () => {
    expect(read('title')).toBe(read('title'))
    expect(read('xlink:href')).toBe(read('xlink:href'))
  })

  test('is what it would be the first time, whatever names were read between', () => {
    // Many times as many as are kept, of all lengths, so that most take the place of another one.
    const names = Array.from({ length: 20_000 }, (_, i) => `n${i % 7 === 0 ? ':' : ''}${'x'.repeat(i % 90)}${i}`)
    for (const raw of [...names, ...names.toReversed()]) {
      const name = read(raw)
      if (name.raw !== raw) expect(name).toEqual(makeName(raw))
    }
    expect(read('n:x1')).toEqual(makeName('n:x1'))
  })

  test('is not taken for one that has its bytes as characters', () => {
    // The bytes of é are those of Ã and © in Latin-1.
    expect(read('\u00c3\u00a9').raw).toBe('\u00c3\u00a9')
    expect(read('\u00e9').raw).toBe('\u00e9')
    expect(read('\u00c3\u00a9').raw).toBe('\u00c3\u00a9')
  })
})
