import { describe, expect, test } from 'vitest'
import { Grammar, type GrammarValue, ParseError, type ValueWriteOptions } from '../../../source/grammar/index.ts'
import { valuesOf } from '../../../source/record/format/column.ts'

const LOG = Grammar.from(
  `program ::= entry* ;
  entry ::= at:number %" " ( level:level %" " )? from:( host:word %":" port:number ) ( %" " tags:word )* done?:"." value:( number | word )? %"\\n" ;
  level ::= "INFO" | "WARN" ; word ::= [a-z=]+ ; number @integer ::= [0-9]+ ;`,
  { dialect: 'xylem' },
)
const INPUT = '1 INFO a:1 x y.7\n2 b:2\n3 WARN c:3.=c\n'

async function write(input: string, options: ValueWriteOptions): Promise<string> {
  const whole = await collect(input, options)
  for (let cut = 0; cut <= input.length; cut++) {
    expect(await collect([input.slice(0, cut), input.slice(cut)], options)).toBe(whole)
  }
  return whole
}

async function collect(source: string | string[], options: ValueWriteOptions): Promise<string> {
  let text = ''
  for await (const bytes of LOG.lines(source, options)) text += Buffer.from(bytes).toString()
  return text
}

describe('values as lines', () => {
  test('are what JSON.stringify makes of them', async () => {
    const values: GrammarValue[] = []
    for await (const value of LOG.values(INPUT)) values.push(value)
    expect(await write(INPUT, {})).toBe(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
    expect(JSON.parse(await write(INPUT, { format: 'json' }))).toEqual(JSON.parse(JSON.stringify(values)))
    expect(await write('2 b:2\n', { absent: 'null' })).toBe(
      '{"at":2,"level":null,"from":{"host":"b","port":2},"tags":[],"done":false,"value":null}\n',
    )
  })

  test('are rows of a table', async () => {
    expect(await write(INPUT, { format: 'csv' })).toBe(
      [
        'at,level,from,tags,done,value',
        '1,INFO,"{""host"":""a"",""port"":1}","[""x"",""y""]",true,7',
        '2,,"{""host"":""b"",""port"":2}",[],false,',
        '3,WARN,"{""host"":""c"",""port"":3}",[],true,=c',
        '',
      ].join('\r\n'),
    )
    expect(await write('3 c:3.=c\n', { format: 'tsv', fields: ['value'], safe: true })).toBe("value\n'=c\n")
    expect(await write('', { format: 'csv', fields: ['at'] })).toBe('at\r\n')
  })

  test('have the fields that are asked for, also of records in them', async () => {
    expect(await write(INPUT, { format: 'csv', fields: ['from.port', 'at'] })).toBe(
      'from.port,at\r\n1,1\r\n2,2\r\n3,3\r\n',
    )
    expect(await write('2 b:2\n', { fields: ['from.host', 'level'] })).toBe('{"from.host":"b"}\n')
    await expect(collect(INPUT, { fields: ['hosts'] })).rejects.toThrow(TypeError)
    await expect(collect(INPUT, { fields: ['tags.x'] })).rejects.toThrow('did you mean tags?')
    await expect(collect(INPUT, { format: 'xlsx' as 'csv' })).rejects.toMatchObject({ code: 'invalid-option' })
  })

  test('other than records are written as they are, and in tables as a column', async () => {
    expect(await write(INPUT, { emit: 'word' })).toBe('"a"\n"x"\n"y"\n"b"\n"c"\n"=c"\n')
    expect(await write(INPUT, { emit: 'level', format: 'csv' })).toBe('value\r\nINFO\r\nWARN\r\n')
  })

  test('that are always null, and lists in lists to any depth, are JSON', async () => {
    const rules =
      'program ::= row{* ";"} ; row ::= never:never some:never* deep:list ; never ::= %"-" ; list ::= "[" lists "]" ; lists ::= list* ;'
    const grammar = Grammar.from(rules, { dialect: 'xylem' })
    const print = async (format: 'jsonl' | 'csv', emit?: string) => {
      let text = ''
      for await (const bytes of grammar.lines('---[[][]];-[]', { format, emit })) text += Buffer.from(bytes).toString()
      return text
    }
    expect(await print('jsonl')).toBe(
      '{"never":null,"some":[null,null],"deep":[[],[]]}\n{"never":null,"some":[],"deep":[]}\n',
    )
    expect(await print('csv')).toBe('never,some,deep\r\n,"[null,null]","[[],[]]"\r\n,[],[]\r\n')
    expect(await print('csv', 'never')).toBe(`value\r\n${'""\r\n'.repeat(4)}`)
    for await (const { columns } of grammar.columns('---[[][]];-[]')) {
      expect(columns.map(({ name, type, nullCount }) => [name, type, nullCount])).toEqual([
        ['never', 'utf8', 2],
        ['some', 'list', 0],
        ['deep', 'utf8', 0],
      ])
    }
  })

  test('have nothing in fields that only other records have, also if all objects have such a property', async () => {
    const rules =
      'program ::= row{* ";"} ; row ::= "a" constructor:[0-9] | "b" toString:in ; in ::= valueOf:"1" | __proto__:"2" ;'
    const grammar = Grammar.from(rules, { dialect: 'xylem' })
    let text = ''
    for await (const bytes of grammar.lines('a1;b1;b2', { format: 'csv' })) text += Buffer.from(bytes).toString()
    expect(text).toBe('constructor,toString\r\n1,\r\n,"{""valueOf"":""1""}"\r\n,"{""__proto__"":""2""}"\r\n')
    let chosen = ''
    const fields = ['toString.__proto__', 'toString.valueOf', 'constructor']
    for await (const bytes of grammar.lines('a1;b1;b2', { format: 'csv', fields }))
      chosen += Buffer.from(bytes).toString()
    expect(chosen).toBe(`${fields.join()}\r\n,,1\r\n,1,\r\n2,,\r\n`)
    for await (const { columns } of grammar.columns('a1;b1;b2')) {
      const [, inner] = columns
      expect(columns.map(({ nullCount }) => nullCount)).toEqual([2, 1])
      expect(inner?.type === 'struct' && inner.children.map(({ nullCount }) => nullCount)).toEqual([2, 2])
    }
  })

  test('come before an error in the input', async () => {
    let text = ''
    const reading = async () => {
      for await (const bytes of LOG.lines(['1 a:1\n2 b', ':2\n?'], { format: 'csv', fields: ['at'] })) {
        text += Buffer.from(bytes).toString()
      }
    }
    await expect(reading()).rejects.toThrow(ParseError)
    expect(text).toBe('at\r\n1\r\n2\r\n')
  })
})

describe('values as columns', () => {
  test('have texts of any length, with characters of one byte and of more at any place', async () => {
    const grammar = Grammar.from('program ::= row* ; row ::= text:[^\n]* n:( "\t" [a-z]* )* %"\n" ;', {
      dialect: 'xylem',
    })
    const texts = Array.from({ length: 120 }, (_, length) => 'x'.repeat(length)).flatMap((text) => {
      const at = (text.length * 7) % (text.length + 1)
      return [text, `${text.slice(0, at)}é${text.slice(at)}`, `${text}\u{1f332}`]
    })
    const input = texts.map((text) => `${text}\n`).join('')
    for (const rows of [1, 50, 1000]) {
      const found: string[] = []
      for await (const { columns } of grammar.columns(input, { rows, fields: ['text'] })) {
        const [column] = columns
        for (const bytes of column ? valuesOf(column) : []) found.push(new TextDecoder().decode(bytes as Uint8Array))
      }
      expect(found).toEqual(texts)
    }
  })

  test('have a type by their kind', async () => {
    const batches = []
    for await (const batch of LOG.columns(INPUT, { rows: 2 })) batches.push(batch)
    expect(batches.map(({ rows }) => rows)).toEqual([2, 1])
    const [first] = batches
    expect(first?.columns.map(({ name, type, nullCount }) => [name, type, nullCount])).toEqual([
      ['at', 'int64', 0],
      ['level', 'utf8', 1],
      ['from', 'struct', 0],
      ['tags', 'list', 0],
      ['done', 'bool', 0],
      ['value', 'utf8', 1],
    ])
    const [at] = first?.columns ?? []
    expect(at?.type === 'int64' && [...at.values]).toEqual([1n, 2n])
  })

  test('of records that may be in themselves have these as JSON', async () => {
    const tree = Grammar.from('program ::= node* ; node ::= name:[a-z] children:( "(" node* ")" )? ;', {
      dialect: 'xylem',
    })
    for await (const { columns } of tree.columns('a(bc(d))e')) {
      expect(columns.map(({ name, type }) => [name, type])).toEqual([
        ['name', 'utf8'],
        ['children', 'list'],
      ])
      const [, children] = columns
      const child = children?.type === 'list' ? children.child : undefined
      expect(child?.type === 'utf8' && new TextDecoder().decode(child.values)).toBe(
        '{"name":"b"}{"name":"c","children":[{"name":"d"}]}',
      )
    }
  })
})
