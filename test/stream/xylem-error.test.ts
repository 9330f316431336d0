// Errors as plain data, and back.

import { describe, expect, test } from 'vitest'
import {
  CompressionError,
  decompress,
  Grammar,
  GrammarError,
  LimitError,
  ParseError,
  parseXml,
  SourceError,
  StreamCache,
  XmlError,
  XylemError,
} from '../../source/index.ts'
import { drain } from '../support/collect.ts'

async function readError(act: () => unknown): Promise<unknown> {
  try {
    await act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

async function* failing(): AsyncGenerator<Uint8Array, void, undefined> {
  yield new Uint8Array(3)
  throw new RangeError('no more')
}

const ERRORS: [name: string, Class: new (...details: never[]) => XylemError, act: () => unknown][] = [
  ['XmlError', XmlError, () => parseXml('<a>\n</b>')],
  ['XmlError', XmlError, () => parseXml('<a b="" b=""/>')],
  ['ParseError', ParseError, () => Grammar.from('program ::= "a" ;').parse('b')],
  ['GrammarError', GrammarError, () => Grammar.from('program ::= nothing ;')],
  ['LimitError', LimitError, () => parseXml('<a><b/></a>', { limits: { maxDepth: 1 } })],
  ['CompressionError', CompressionError, () => drain(decompress([new Uint8Array([0x1f, 0x8b, 8])]))],
  ['SourceError', SourceError, () => StreamCache.from(failing()).cursor().read(9)],
]

describe('an error', () => {
  test.each(ERRORS)('of the class %s is the same after JSON', async (name, Class, act) => {
    const error = (await readError(act)) as XylemError
    expect(error).toBeInstanceOf(Class)
    const again = XylemError.fromJSON(JSON.parse(JSON.stringify(error.toJSON({ stack: true }))))
    expect(again).toBeInstanceOf(Class)
    expect(again).toBeInstanceOf(Error)
    expect({ ...again }).toEqual({ ...error })
    expect([again.name, again.message, again.stack]).toEqual([name, error.message, error.stack])
    expect(Object.keys(again)).not.toContain('message')
    expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(error)))
  })

  test('keeps its cause, also one of another class', async () => {
    const error = (await readError(() => StreamCache.from(failing()).cursor().read(9))) as SourceError
    const { cause } = XylemError.fromJSON(JSON.parse(JSON.stringify(error.toJSON({ stack: true }))))
    expect(cause).toBeInstanceOf(Error)
    expect(cause).toMatchObject({ name: 'RangeError', message: 'no more', stack: (error.cause as Error).stack })
  })

  test('can be moved after it was rebuilt', async () => {
    const error = (await readError(() => parseXml('<a b="" b=""/>'))) as XmlError
    const again = XylemError.fromJSON(JSON.parse(JSON.stringify(error))) as XmlError
    expect({ ...again.at(50) }).toEqual({ ...error.at(50) })
    expect(again.at(50).message).toBe(error.at(50).message)
  })

  test('survives a message between threads', async () => {
    const error = (await readError(() => parseXml('<a>'))) as XmlError
    expect({ ...XylemError.fromJSON(structuredClone(error.toJSON())) }).toEqual({ ...error })
  })

  test.each([undefined, null, 5, {}, { name: 'Error', message: 'x' }, { name: 'XmlError' }])(
    'is not made of %j',
    (data) => {
      expect(() => XylemError.fromJSON(data as never)).toThrow(expect.objectContaining({ code: 'invalid-error' }))
    },
  )
})

test('has no stack in JSON, nor has its cause, unless it is asked for', () => {
  const error = new XmlWrapper()
  expect(JSON.stringify({ error })).not.toContain('stack')
  expect(error.toJSON()).not.toHaveProperty('stack')
  expect(error.toJSON({ stack: true })).toMatchObject({ stack: error.stack, cause: { stack: expect.any(String) } })
})

class XmlWrapper extends XylemError {
  readonly code = 'wrapper'
  constructor() {
    super('wrong', { cause: new RangeError('more wrong') })
  }
}
