// Options of all layers are checked in the same way.

import { describe, expect, test } from 'vitest'
import { decompress, Grammar, HttpSource, parseXml, readDump, readXml, StreamCache } from '../../source/index.ts'
import { FileSource } from '../../source/node.ts'
import { makeTransform } from '../../source/stream/make-transform.ts'

const grammar = Grammar.from('program ::= "a" ;')
const TAKERS: Record<string, (options: never) => unknown> = {
  StreamCache: (options) => new StreamCache(options),
  HttpSource: (options) => new HttpSource('http://localhost/', options),
  FileSource: (options) => new FileSource('x', options),
  decompress: (options) => decompress('', options),
  'Grammar.from': (options) => Grammar.from('program ::= "a" ;', options),
  'Grammar.parse': (options) => grammar.parse('a', options),
  'Grammar.test': (options) => grammar.test('a', options),
  'Grammar.stream': (options) => grammar.stream('a', options),
  readXml: (options) => readXml('<a/>', options),
  'XmlReader.events': (options) => readXml('<a/>').events(options),
  'XmlReader.select': (options) => readXml('<a/>').select('a', options),
  'XmlReader.records': (options) => readXml('<a/>').records('a', { b: 'b' }, options),
  'XmlReader.write': (options) => readXml('<a/>').write('csv', 'a', { b: 'b' }, options),
  'XmlReader.columns': (options) => readXml('<a/>').columns('a', { b: 'b' }, options),
  parseXml: (options) => parseXml('<a/>', options),
  makeTransform: (options) => makeTransform((source) => source, options),
  readDump: (options) => readDump('', options),
}
const refuse = (act: () => unknown, message: string) =>
  expect(act).toThrow(expect.objectContaining({ name: 'TypeError', code: 'invalid-option', message }))

describe.each(Object.entries(TAKERS))('%s', (_, take) => {
  test('refuses what is not an object of options', () => {
    for (const [options, words] of [
      [null, 'null'],
      ['x', '"x"'],
      [[], 'an object of class Array'],
    ]) {
      refuse(() => take(options as never), `options must be an object, not ${words}`)
    }
  })

  test('refuses an option that does not exist', () => {
    expect(() => take({ nonsense: 1 } as never)).toThrow(/^unknown option nonsense: expected one of /)
  })

  test('takes an option that is undefined for one that is left out', () => {
    expect(() => take({ signal: undefined, chunkSize: undefined } as never)).toThrow(/^unknown option/)
    expect(() => take({} as never)).not.toThrow()
  })
})

test('what was probably meant is said', () => {
  refuse(
    () => new StreamCache({ highwatermark: 1 } as never),
    'unknown option highwatermark: did you mean highWaterMark?',
  )
  refuse(() => readXml('', { limits: { maxdepth: 1 } as never }), 'unknown limit maxdepth: did you mean maxDepth?')
  refuse(
    () => grammar.parse('a', { limits: { maxRetaind: 1 } as never }),
    'unknown limit maxRetaind: did you mean maxRetained?',
  )
})

test('options of the wrong kind are refused in the same words', () => {
  refuse(
    () => readXml('<a/>').select('a', { nested: 'inner' as never }),
    'nested must be outermost or innermost or all, not "inner"',
  )
  refuse(() => grammar.stream('a', { nested: 'inner' as never }), 'nested must be outermost or innermost, not "inner"')
  refuse(() => grammar.parse('a', { engine: 'wsm' as never }), 'engine must be wasm or plain, not "wsm"')
  refuse(() => readXml('', { engine: 'wsm' as never }), 'engine must be wasm or plain, not "wsm"')
  const limited = [
    (limit: unknown) => readDump('').pageLines({ limit } as never),
    (limit: unknown) => readDump('').revisionLines({ limit } as never),
    (limit: unknown) => readDump('').writePages('csv', { limit } as never),
  ]
  for (const read of limited) {
    refuse(() => read('7'), 'limit must be a number of at least 0, not "7"')
    for (const limit of [-1, Number.NaN]) expect(() => read(limit)).toThrow(RangeError)
  }
  for (const take of [
    TAKERS.StreamCache,
    TAKERS.decompress,
    TAKERS.readXml,
    TAKERS.readDump,
    TAKERS['Grammar.stream'],
  ]) {
    refuse(() => take?.({ signal: {} } as never), 'signal must be an AbortSignal, not an object of class Object')
    refuse(() => take?.({ limits: 7 } as never), 'limits must be an object, not 7')
    refuse(
      () => take?.({ limits: { maxRetained: '7' } } as never),
      'maxRetained must be a number of at least 0, not "7"',
    )
  }
})

test('a stream of no nodes at all is refused', () => {
  expect(() => grammar.stream('a', { emit: [] })).toThrow('emit names no rule: use check to get no nodes at all')
})
