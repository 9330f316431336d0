import { afterEach, describe, expect, test, vi } from 'vitest'
import { Grammar, type StreamOptions, type SyntaxNode } from '../../source/grammar/index.ts'
import type { Cursor } from '../../source/stream/cursor.ts'
import { LimitError, SourceError } from '../../source/stream/errors.ts'
import type { ByteSource } from '../../source/stream/sources/source.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { ParseError } from '../../source/text/parse-error.ts'
import { everyCut, inPieces } from '../support/collect.ts'
import { isThorough, sample } from '../support/extent.ts'
import { lender } from '../support/lent-cursors.ts'
import { collectGarbage } from '../support/resources.ts'
import { failing, settle, stalling } from '../support/sources.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const

/** Records of a line each. */
const LINES = Grammar.from('program ::= line* ; line ::= word ( %" " word )* %"\\n" ; word ::= [^ \\n]+ ;')
/** Lists in lists. */
const LISTS = Grammar.from('program ::= list* ; list ::= %"(" ( list | atom )* %")" ; atom ::= [a-z] ;')

const textOf = ({ type, text, start }: SyntaxNode) => `${type} ${start} ${JSON.stringify(text)}`

/** What a stream delivers before it fails, and what it fails with (undefined: it ends). */
async function readUntilFault(nodes: AsyncIterable<SyntaxNode>): Promise<{ texts: string[]; error: unknown }> {
  const texts: string[] = []
  try {
    for await (const node of nodes) texts.push(textOf(node))
    return { texts, error: undefined }
  } catch (error) {
    return { texts, error }
  }
}

async function read(grammar: Grammar, source: ByteSource | Cursor, options: StreamOptions): Promise<string[]> {
  const { texts, error } = await readUntilFault(grammar.stream(source, options))
  if (error !== undefined) throw error
  return texts
}

/** Reads a stream of pieces that are delivered one by one, and returns which nodes came with which piece. */
async function readPieceByPiece(grammar: Grammar, pieces: string[], options: StreamOptions): Promise<string[][]> {
  const cache = new StreamCache()
  const came: string[] = []
  const reading = (async () => {
    for await (const node of grammar.stream(cache, options)) came.push(node.text)
  })()
  const steps: string[][] = []
  for (const piece of pieces) {
    await cache.write(piece)
    await settle()
    steps.push(came.splice(0))
  }
  cache.end()
  await reading
  return [...steps, came]
}

describe('a part is yielded', () => {
  test('as soon as its last byte has arrived, when nothing can undo it any more', async () => {
    for (const engine of ENGINES) {
      const steps = await readPieceByPiece(LINES, ['a b\nc', ' d', '\n', 'e\n'], { emit: 'line', engine })
      expect(steps).toEqual([['a b\n'], [], ['c d\n'], ['e\n'], []])
    }
  })

  test('as soon as the evidence has arrived, when its last byte does not show that it is the last', async () => {
    for (const engine of ENGINES) {
      const steps = await readPieceByPiece(LINES, ['ab', 'c', ' ', 'd', '\n'], { emit: 'word', engine })
      expect(steps).toEqual([[], [], ['abc'], [], ['d'], []])
    }
  })

  test('at the end of the input, when that is the evidence', async () => {
    const grammar = Grammar.from('program ::= word ( %" " word )* ; word ::= [a-z]+ ;')
    const steps = await readPieceByPiece(grammar, ['ab', ' c'], { emit: 'word' })
    expect(steps).toEqual([[], ['ab'], ['c']])
  })

  test('when it is certain that no other option is left, and not before', async () => {
    // Whether it is `a` or `b` shows at the very end.
    const grammar = Grammar.from(
      'program ::= a | b ; a ::= ( item+ %"!" ) ; b ::= ( other+ %"?" ) ; item ::= "x" ; other ::= "x" ;',
    )
    const options = { emit: ['item', 'other'] }
    expect(await readPieceByPiece(grammar, ['x', 'x', '?'], options)).toEqual([[], [], ['x', 'x'], []])
    expect(await readPieceByPiece(grammar, ['x', 'x', '!'], options)).toEqual([[], [], ['x', 'x'], []])
  })

  test('by a cut earlier than without it', async () => {
    const rules = 'item ::= [a-z] %";" ; tail ::= item "." ;'
    const without = Grammar.from(`program ::= item* tail? ; ${rules}`)
    const withCut = Grammar.from(`program ::= ( item &!"." ^ )* tail? ; ${rules}`)
    const pieces = ['a;', 'b;', 'c;']
    const steps = await readPieceByPiece(without, pieces, { emit: 'item' })
    expect(steps.flat()).toEqual(pieces)
    expect(await readPieceByPiece(withCut, pieces, { emit: 'item' })).toEqual([[], ['a;'], ['b;'], ['c;']])
  })

  test('also where there are hundreds of rules, and each is a part', async () => {
    const names = Array.from({ length: isThorough ? 400 : 200 }, (_, i) => `rule${i}`)
    const groups = Array.from({ length: names.length / 20 }, (_, i) => names.slice(20 * i, 20 * i + 20))
    const grammar = Grammar.from(
      [
        `program ::= ( ${groups.map((_, i) => `group${i}`).join(' | ')} )* ;`,
        ...groups.map((group, i) => `group${i} ::= ${group.join(' | ')} ;`),
        ...names.map((name, i) => `${name} ::= "<${i}>" ;`),
      ].join('\n'),
    )
    const text = names.map((_, i) => `<${i}>`).join('')
    for (const engine of ENGINES) {
      const types: string[] = []
      for await (const { type } of grammar.stream([text], { emit: names, engine })) types.push(type)
      expect(types).toEqual(names)
    }
  })

  test('though the source gives nothing more', async () => {
    const source = stalling([encoder.encode('one two\nthr')])
    const iterator = LINES.stream(source, { emit: 'line' })[Symbol.asyncIterator]()
    const { value } = await iterator.next()
    expect((value as SyntaxNode).text).toBe('one two\n')
    await iterator.return(undefined)
  })
})

describe('what is yielded', () => {
  test('is the entry, when nothing is said', async () => {
    expect(await read(LINES, ['a b\n', 'c\n'], {})).toEqual(['program 0 "a b\\nc\\n"'])
    expect(await read(LINES, ['a b\n'], { entry: 'line' })).toEqual(['line 0 "a b\\n"'])
  })

  test('is the nodes of one rule or of several, in the order in which they end, however the input is cut', async () => {
    const bytes = encoder.encode('(a(bc)())((d))')
    const cases: [StreamOptions, string[]][] = [
      [{ emit: 'list' }, ['list 0 "(a(bc)())"', 'list 9 "((d))"']],
      [{ emit: ['list'], nested: 'innermost' }, ['list 2 "(bc)"', 'list 6 "()"', 'list 10 "(d)"']],
      [{ emit: 'atom' }, ['atom 1 "a"', 'atom 3 "b"', 'atom 4 "c"', 'atom 11 "d"']],
      [
        { emit: ['atom', 'list'], nested: 'innermost' },
        ['atom 1 "a"', 'atom 3 "b"', 'atom 4 "c"', 'list 6 "()"', 'atom 11 "d"'],
      ],
    ]
    for (const [options, expected] of cases) {
      for (const engine of ENGINES) {
        for (const pieces of everyCut(bytes)) {
          expect(await read(LISTS, pieces, { ...options, engine }), JSON.stringify(options)).toEqual(expected)
        }
      }
    }
  })

  test('is each innermost node, though the one that holds them could have been yielded too', async () => {
    // The second `pair` is being tried when the first one is delivered.
    const grammar = Grammar.from('program ::= pair{0,2} "a" ; pair ::= ( [a] "a" ){2} | "a" ;')
    for (const pieces of everyCut(encoder.encode('aaaaaa'))) {
      for (const engine of ENGINES) {
        const nodes = await read(grammar, pieces, { emit: ['program', 'pair'], nested: 'innermost', engine })
        expect(nodes).toEqual(['pair 0 "aaaa"', 'pair 4 "a"'])
      }
    }
  })

  test('is the node that holds others, when those are undone', async () => {
    const grammar = Grammar.from('program ::= [a] ( ( "a" program ){2,} "ab" )? ;')
    for (const pieces of everyCut(encoder.encode('aaaaaaaaaab?'))) {
      for (const engine of ENGINES) {
        const options = { emit: 'program', nested: 'innermost', partial: true, engine } as const
        expect(await read(grammar, pieces, options)).toEqual(['program 0 "a"'])
      }
    }
  })

  test('comes in batches of what is there at once, none of them empty', async () => {
    const batches: string[][] = []
    for await (const nodes of LINES.stream(['a\nb\nc\n', 'd', '\n', '', 'e\n'], { emit: 'line' }).batches()) {
      batches.push(nodes.map(({ text }) => text))
    }
    expect(batches.flat()).toEqual(['a\n', 'b\n', 'c\n', 'd\n', 'e\n'])
    expect(batches.every(({ length }) => length > 0)).toBe(true)
    expect(batches.length).toBeLessThan(5)
  })

  test('is nothing, when there is nothing', async () => {
    expect(await read(LINES, [], { emit: 'line' })).toEqual([])
    expect(await read(LINES, [''], {})).toEqual(['program 0 ""'])
  })

  test('is the same from any kind of source', async () => {
    const input = 'é 🌳\nb\n'
    const expected = ['line 0 "é 🌳\\n"', 'line 8 "b\\n"']
    const bytes = encoder.encode(input)
    const sources: ByteSource[] = [input, bytes, [bytes], new Blob([input]), StreamCache.from(input)]
    for (const source of sources) expect(await read(LINES, source, { emit: 'line' })).toEqual(expected)
  })
})

describe('an error is thrown when all parts before it were yielded', () => {
  test.each(ENGINES)('of the input (%s)', async (engine) => {
    for (const pieces of everyCut(encoder.encode('a\nb c\nd  e\nf\n'))) {
      const { texts, error } = await readUntilFault(LINES.stream(pieces, { emit: 'line', engine }))
      expect(texts).toEqual(['line 0 "a\\n"', 'line 2 "b c\\n"'])
      expect(error).toBeInstanceOf(ParseError)
      expect(error).toMatchObject({ code: 'unexpected-input', byteOffset: 8, line: 3, column: 3 })
    }
  })

  test('of input that is left over', async () => {
    const grammar = Grammar.from('program ::= item* ; item ::= [a-z] %";" ;')
    for (const pieces of everyCut(encoder.encode('a;b;!c;'))) {
      const { texts, error } = await readUntilFault(grammar.stream(pieces, { emit: 'item' }))
      expect(texts).toEqual(['item 0 "a;"', 'item 2 "b;"'])
      expect(error).toBeInstanceOf(ParseError)
      expect(error).toMatchObject({ byteOffset: 4 })
      const partial = await readUntilFault(grammar.stream(pieces, { emit: 'item', partial: true }))
      expect(partial).toEqual({ texts, error: undefined })
    }
  })

  test('of input that ends too early', async () => {
    const { texts, error } = await readUntilFault(LINES.stream(['a\nb'], { emit: 'line' }))
    expect(texts).toEqual(['line 0 "a\\n"'])
    expect(error).toMatchObject({ name: 'ParseError', code: 'unexpected-end', byteOffset: 3 })
  })

  test('of text that is not UTF-8', async () => {
    const bytes = new Uint8Array([...encoder.encode('a\nb\n'), 0x63, 0xff, 0x0a])
    for (const pieces of everyCut(bytes)) {
      const { texts, error } = await readUntilFault(LINES.stream(pieces, { emit: 'line' }))
      expect(texts).toEqual(['line 0 "a\\n"', 'line 2 "b\\n"'])
      expect(error).toMatchObject({ name: 'ParseError', code: 'malformed-text', byteOffset: 5 })
    }
  })

  test('of the source', async () => {
    const reason = new Error('the disk is gone')
    const source = failing([encoder.encode('a\nb'), encoder.encode('\nc')], reason)
    const { texts, error } = await readUntilFault(LINES.stream(source, { emit: 'line' }))
    expect(texts).toEqual(['line 0 "a\\n"', 'line 2 "b\\n"'])
    expect(error).toBeInstanceOf(SourceError)
    expect(error).toMatchObject({ code: 'source-failed', cause: reason, byteOffset: 5 })
  })

  test('also in batches', async () => {
    const came: string[] = []
    const reading = (async () => {
      for await (const nodes of LINES.stream(['a\nb\n', ' '], { emit: 'line' }).batches()) {
        came.push(...nodes.map(({ text }) => text))
      }
    })()
    await expect(reading).rejects.toBeInstanceOf(ParseError)
    expect(came).toEqual(['a\n', 'b\n'])
  })
})

describe('a cursor that is lent', () => {
  const pair = Grammar.from('program ::= item* ; item ::= [a-z] %";" ;')
  const lend = lender()

  test('stands at the end when all was parsed, and is not released', async () => {
    for (const pieces of everyCut(encoder.encode('a;b;'))) {
      const cursor = lend(pieces)
      expect(await read(LINES, StreamCache.from('a\n'), { emit: 'line' })).toEqual(['line 0 "a\\n"'])
      const { error } = await readUntilFault(pair.stream(cursor, { emit: 'item' }))
      expect(error).toBeUndefined()
      expect([cursor.offset, await cursor.fill(1), cursor.done]).toEqual([4, false, true])
    }
  })

  test('is directly after what was parsed, when something else follows', async () => {
    for (const pieces of everyCut(encoder.encode('a;b;!rest'))) {
      const cursor = lend(pieces)
      const { texts } = await readUntilFault(pair.stream(cursor, { emit: 'item', partial: true }))
      expect(texts).toEqual(['item 0 "a;"', 'item 2 "b;"'])
      expect(cursor.offset).toBe(4)
      expect(new TextDecoder().decode(await cursor.read(5))).toBe('!rest')
    }
  })

  test('can be lent again and again, and offsets continue while lines begin anew', async () => {
    const cursor = lend(['a;b;', '!c;', 'd;'])
    expect(await read(pair, cursor, { emit: 'item', partial: true })).toEqual(['item 0 "a;"', 'item 2 "b;"'])
    cursor.skip(1)
    const nodes: SyntaxNode[] = []
    for await (const node of pair.stream(cursor, { emit: 'item' })) nodes.push(node)
    expect(nodes.map(textOf)).toEqual(['item 5 "c;"', 'item 7 "d;"'])
    expect(nodes[1]?.ref.start).toEqual({ line: 1, col: 3, index: 2 })
    expect(cursor.offset).toBe(9)
  })

  test('is after the last node that was yielded, when the loop is left', async () => {
    for (const pieces of everyCut(encoder.encode('a;b;c;d;'))) {
      const cursor = lend(pieces)
      let count = 0
      for await (const node of pair.stream(cursor, { emit: 'item' })) {
        expect(node.start).toBe(count * 2)
        if (++count === 2) break
      }
      expect(cursor.offset).toBe(4)
      expect(new TextDecoder().decode(await cursor.read(4))).toBe('c;d;')
    }
  })

  test('is after the last batch that was yielded, when the loop is left', async () => {
    const cursor = lend(['a;b;', 'c;'])
    for await (const nodes of pair.stream(cursor, { emit: 'item' }).batches()) {
      expect(cursor.offset).toBeLessThanOrEqual(nodes.at(-1)?.end ?? 0)
      const { end } = nodes.at(-1) as SyntaxNode
      if (end >= 4) break
    }
    expect(cursor.offset).toBe(4)
  })

  test('is after the last node, and before the error, when it fails', async () => {
    for (const pieces of everyCut(encoder.encode('a;b;c!d;'))) {
      const cursor = lend(pieces)
      const { texts, error } = await readUntilFault(pair.stream(cursor, { emit: 'item' }))
      expect(texts.length).toBe(2)
      expect(error).toBeInstanceOf(ParseError)
      expect(cursor.offset).toBe(4)
      expect(new TextDecoder().decode(await cursor.read(2))).toBe('c!')
    }
  })
})

describe('a stream that is left early', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('closes its source', async () => {
    const source = stalling([encoder.encode('a\nb\n')])
    for await (const node of LINES.stream(source, { emit: 'line' })) {
      expect(node.text).toBe('a\n')
      break
    }
    await settle()
    expect(source.isClosed).toBe(true)
  })

  test('closes its source when it fails', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const source = stalling([encoder.encode('a\n ')])
    const reading = readUntilFault(LINES.stream(source, { emit: 'line' }))
    await settle()
    // It waits a second for what follows the error.
    await vi.advanceTimersByTimeAsync(1000)
    const { error } = await reading
    expect(error).toBeInstanceOf(ParseError)
    await settle()
    expect(source.isClosed).toBe(true)
  })

  test('does not disturb others that are read at once', async () => {
    const first = LINES.stream(inPieces(encoder.encode('a\nb\nc\n'), 1), { emit: 'line' })[Symbol.asyncIterator]()
    const second = LINES.stream(inPieces(encoder.encode('d\ne\nf\n'), 1), { emit: 'line' })[Symbol.asyncIterator]()
    const texts: unknown[] = []
    for (const iterator of [first, second, first, second]) {
      const { value } = await iterator.next()
      texts.push((value as SyntaxNode).text)
    }
    await first.return(undefined)
    texts.push(((await second.next()).value as SyntaxNode).text)
    expect(texts).toEqual(['a\n', 'd\n', 'b\n', 'e\n', 'f\n'])
  })
})

describe('wrong use', () => {
  test('an unknown rule, as the entry or to be yielded, is a RangeError at once', () => {
    for (const options of [{ entry: 'nothing' }, { emit: 'nothing' }, { emit: ['line', 'nothing'] }]) {
      expect(() => LINES.stream('', options)).toThrow(RangeError)
      expect(() => LINES.stream('', options)).toThrow(expect.objectContaining({ code: 'unknown-rule' }))
    }
  })

  test('a rule that is never a node below the entry is a RangeError too', () => {
    const grammar = Grammar.from(
      'program ::= %a ...b &c !d e ; a ::= "a" ; b ::= "b" ; c ::= "c" ; d ::= "d" ; e ::= "e" ; f ::= program ;',
    )
    for (const emit of ['a', 'b', 'c', 'd', 'f']) {
      expect(() => grammar.stream('', { emit }), emit).toThrow(RangeError)
      expect(() => grammar.stream('', { emit }), emit).toThrow(expect.objectContaining({ code: 'unknown-rule' }))
    }
    expect(() => grammar.stream('', { emit: 'e' })).not.toThrow()
    expect(() => grammar.stream('', { emit: 'program', entry: 'f' })).not.toThrow()
  })

  test('limits that are not numbers from 0 are a RangeError', () => {
    for (const limit of [-1, Number.NaN]) {
      expect(() => LINES.stream('', { limits: { maxDepth: limit } })).toThrow(
        expect.objectContaining({ name: 'RangeError', code: 'invalid-option' }),
      )
    }
  })
})

describe('a signal', () => {
  test('that is aborted already stops the stream before anything is read', async () => {
    const reason = new Error('no')
    const { texts, error } = await readUntilFault(
      LINES.stream('a\n', { emit: 'line', signal: AbortSignal.abort(reason) }),
    )
    expect([texts, error]).toEqual([[], reason])
  })

  test('stops a stream that waits, and closes the source', async () => {
    const controller = new AbortController()
    const source = stalling([encoder.encode('a\nb')])
    const reading = readUntilFault(LINES.stream(source, { emit: 'line', signal: controller.signal }))
    await settle()
    controller.abort(new Error('enough'))
    const { texts, error } = await reading
    expect([texts, (error as Error).message]).toEqual([['line 0 "a\\n"'], 'enough'])
    await settle()
    expect(source.isClosed).toBe(true)
  })

  test('stops an error that waits for the input after it: what is thrown is the reason', async () => {
    // What explains errors is loaded with the first.
    await readUntilFault(LINES.stream(' '))
    const controller = new AbortController()
    const source = stalling([encoder.encode('a\n b')])
    const reading = readUntilFault(LINES.stream(source, { emit: 'line', signal: controller.signal }))
    await settle()
    controller.abort(new Error('enough'))
    const { texts, error } = await reading
    expect([texts, (error as Error).message]).toEqual([['line 0 "a\\n"'], 'enough'])
  })

  test('stops a stream that never waits', async () => {
    const controller = new AbortController()
    function* endless() {
      for (;;) yield encoder.encode('a b c\n')
    }
    let count = 0
    const reading = (async () => {
      for await (const _ of LINES.stream(endless(), { emit: 'line', signal: controller.signal })) {
        if (++count === 1000) controller.abort(new Error('enough'))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
  })
})

describe('a limit that is passed', () => {
  const long = (length: number) => inPieces(encoder.encode(`a\n${'x'.repeat(length)}\n`), 1000)

  test.each(ENGINES)('of retained input is a LimitError, after the parts before it (%s)', async (engine) => {
    const options = { emit: 'line', limits: { maxRetained: 64 * 1024 }, engine }
    expect((await read(LINES, long(32 * 1024), options)).length).toBe(2)
    const { texts, error } = await readUntilFault(LINES.stream(long(500 * 1024), options))
    expect(texts).toEqual(['line 0 "a\\n"'])
    expect(error).toBeInstanceOf(LimitError)
    expect((error as LimitError).code).toBe('retained-limit')
  })

  test.each(ENGINES)('of depth is a LimitError (%s)', async (engine) => {
    const nested = '('.repeat(5000)
    const { error } = await readUntilFault(LISTS.stream([nested], { limits: { maxDepth: 1000 }, engine }))
    expect(error).toBeInstanceOf(LimitError)
    expect((error as LimitError).code).toBe('depth-limit')
    const shallow = await readUntilFault(
      LISTS.stream(['('.repeat(100), ')'.repeat(100)], { limits: { maxDepth: 1000 }, engine }),
    )
    expect(shallow.error).toBeUndefined()
  })

  test.each(ENGINES)('of nodes is a LimitError (%s)', async (engine) => {
    const { error } = await readUntilFault(LINES.stream(['a\n'.repeat(5000)], { limits: { maxNodes: 1000 }, engine }))
    expect(error).toBeInstanceOf(LimitError)
    expect((error as LimitError).code).toBe('node-limit')
    const parts = await readUntilFault(
      LINES.stream(['a\n'.repeat(5000)], { emit: 'line', limits: { maxNodes: 1000 }, engine }),
    )
    expect([parts.texts.length, parts.error]).toEqual([5000, undefined])
  })
})

describe('nodes that are kept', () => {
  const input = Array.from({ length: 3000 }, (_, i) => `é${i} 🌳${'x'.repeat(i % 50)} line\r\n`).join('')

  test.each(ENGINES)('have their text and their children after the stream continued (%s)', async (engine) => {
    const kept: SyntaxNode[] = []
    for await (const node of LINES.stream(inPieces(encoder.encode(input), 997), { emit: 'line', engine }))
      kept.push(node)
    expect(kept.map(({ text }) => text).join('')).toBe(input)
    const [first] = kept as [SyntaxNode]
    expect((first.value as SyntaxNode[]).map(({ type, count, text }) => [type, count, text])).toEqual([
      ['word', 1, 'é0'],
      ['(...)*', 2, ' 🌳 line\r'],
    ])
  })

  test('have the references that they have in the complete tree', async () => {
    const whole = (LINES.parse(input).value as SyntaxNode[])[0]?.value as SyntaxNode[]
    const expected = whole.map(({ ref }) => ref)
    expect(expected.at(-1)?.end).toEqual({ line: 3001, col: 1, index: input.length })
    for (const size of sample([4096, 1, 5, 1 << 20], 2)) {
      const refs = []
      const pieces = inPieces(encoder.encode(input), size)
      for await (const { ref } of LINES.stream(pieces, { emit: 'line' })) refs.push(ref)
      expect(refs).toEqual(expected)
    }
  })

  test('have references inside them that are right at every cut', async () => {
    const text = 'é 🌳b\r\n\r\nc é🌳 d\n'
    const grammar = Grammar.from(
      'program ::= line* ; line ::= word ( %" " word )* %"\\r"? %"\\n" ; word ::= [^ \\r\\n]* ;',
    )
    const collect = (nodes: readonly SyntaxNode[]) => nodes.map((node) => node.toJSON())
    const [list] = grammar.parse(text).value as SyntaxNode[]
    const expected = collect(list?.value as SyntaxNode[])
    for (const pieces of everyCut(encoder.encode(text))) {
      const nodes: SyntaxNode[] = []
      for await (const node of grammar.stream(pieces, { emit: 'line' })) nodes.push(node)
      expect(collect(nodes)).toEqual(expected)
    }
  })
})

describe('memory', () => {
  test.runIf(isThorough)('does not grow with the input, whatever its length', async () => {
    const chunk = encoder.encode('2024-01-01 WARN message number 5 some text here é\n'.repeat(1300))
    const total = 800
    const step = 200
    let chunks = 0
    const measured: number[] = []
    async function* source() {
      for (; chunks < total; chunks++) {
        if (chunks % step === step / 2) {
          await collectGarbage()
          const { heapUsed, external } = process.memoryUsage()
          measured.push(heapUsed + external)
        }
        yield chunk
      }
    }
    let nodes = 0
    let last: SyntaxNode | undefined
    for await (const batch of LINES.stream(source(), {
      emit: 'line',
      limits: { maxRetained: 1024 * 1024 },
    }).batches()) {
      nodes += batch.length
      last = batch.at(-1)
    }
    expect(nodes).toBe(total * 1300)
    expect(last?.end).toBe(total * chunk.length)
    expect(last?.ref.end.line).toBe(total * 1300 + 1)
    const [early, ...later] = measured as [number, ...number[]]
    for (const size of later) expect(size - early).toBeLessThan(32 * 1024 * 1024)
  })
})
