import { expect, test } from 'vitest'
import { ParseError } from '../../source/text/parse-error.ts'

test('a ParseError says what and where, in its message and in its fields', () => {
  const cause = new Error('below')
  const error = new ParseError('no name', { code: 'no-name', byteOffset: 12, line: 2, column: 3, excerpt: '<>', cause })
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({
    name: 'ParseError',
    code: 'no-name',
    byteOffset: 12,
    line: 2,
    column: 3,
    excerpt: '<>',
    cause,
  })
  expect(error.message).toBe('no name (line 2, column 3, byte 12)')
})

test('a ParseError without lines has the byte alone', () => {
  const error = new ParseError('wrong', { code: 'wrong', byteOffset: 7 })
  expect(error.message).toBe('wrong (byte 7)')
  expect([error.line, error.column, error.excerpt]).toEqual([undefined, undefined, undefined])
  expect('cause' in error).toBe(false)
})
