// Fields of the command line, as shapes of the library.

import { describe, expect, test } from 'vitest'
import { readPrefixes, shapeOfFields } from '../../../source/cli/options/shape-options.ts'
import { planShape } from '../../../source/xml/question/plan.ts'

const shapeOf = (...fields: string[]) => Object.fromEntries(shapeOfFields(fields))

describe('a field', () => {
  test.each([
    ['title', { title: 'title' }],
    ['text=revision/text', { text: 'revision/text' }],
    ['tags[]', { tags: ['tags'] }],
    ['tags[]=a/tag', { tags: ['a/tag'] }],
    ['@id', { '@id': '@id' }],
    ['name()', { 'name()': 'name()' }],
    ['link[@rel="x"]/@href', { 'link[@rel="x"]/@href': 'link[@rel="x"]/@href' }],
    ['url=link[@rel="a=b"]/@href', { url: 'link[@rel="a=b"]/@href' }],
    ['a.b=a/b', { 'a.b': 'a/b' }],
    ['{u}a', { '{u}a': '{u}a' }],
    ['2=b', { 2: 'b' }],
    ['size:integer=@size', { size: { path: '@size', as: 'integer' } }],
    ['sizes[]:integer=file/@size', { sizes: [{ path: 'file/@size', as: 'integer' }] }],
    ['day:date=date', { day: { path: 'date', as: 'date' } }],
    ['x:present=//x', { x: { path: '//x', as: 'present' } }],
    ['more:rest=', { more: { as: 'rest' } }],
  ])('%s has a name and a path, and may be a list or of a kind', (field, shape) => {
    expect(shapeOf(field)).toEqual(shape)
  })

  test.each([
    ['dc:date=dc:date', 'dc:date'],
    ['dc:date=metadata/dc:date', 'dc:date'],
    ['x:integer=a/@x:integer', 'x:integer'],
    ['dc:title=title', 'dc:title'],
    ['dc:note=note', 'dc:note'],
    ['x:y:z=a', 'x:y:z'],
  ])('%s has a colon in its name, as far as no kind can be meant', (field, name) => {
    expect([...shapeOfFields([field]).keys()]).toEqual([name])
  })

  test.each([
    ['size:int=@size', 'did you mean integer?'],
    ['size:interger=@size', 'did you mean integer?'],
    ['a:bool=@a', 'did you mean boolean?'],
    ['time:float=@time', 'did you mean number?'],
    ['sizes[]:nubmer=@size', 'did you mean number?'],
    ['sizes[]:size=@size', 'expected one of string, integer, int64, number, boolean, date, decimal, byteLength'],
  ])('%s is refused, because a kind is mistyped', (field, advice) => {
    expect(() => shapeOf(field)).toThrow(`--field ${field}: unknown kind`)
    expect(() => shapeOf(field)).toThrow(advice)
  })

  test.each(['title,link', 'a=title,b=link', '@id, @name'])(
    '%s is refused, because an option is for one field',
    (field) => {
      expect(() => shapeOf(field)).toThrow(
        `--field ${field}: each field has an option of its own: --field id --field title`,
      )
    },
  )

  test.each(['cases[]name=testcase/@name', 'cases[].=testcase/@name', '=@name', 'a/b=c'])(
    '%s is refused, because a name cannot be so',
    (field) => {
      expect(() => shapeOf(field)).toThrow(
        `--field ${field}: expected name=path, name[]=path for a list, or list[].name=path for a list of records`,
      )
    },
  )

  test('has commas and signs in its conditions', () => {
    expect(shapeOf('tag[@k="a,b=c"]/@v')).toEqual({ 'tag[@k="a,b=c"]/@v': 'tag[@k="a,b=c"]/@v' })
  })

  test('keeps its place among the others, whatever its name', () => {
    expect([...shapeOfFields(['b', '2=x', 'l[].a=p/a', '1=y', 'l[].b=p/b']).keys()]).toEqual(['b', '2', 'l', '1'])
  })

  test('has a name of its own, in each list', () => {
    for (const [fields, name] of [
      [['b', 'b=c'], 'b'],
      [['a[]=b', 'a[].c=b/c'], 'a'],
      [['a[].c=b/c', 'a[].c=b/d'], 'a[].c'],
      [['a[].b[].c=x/y/z', 'a[].b=x/w'], 'a[].b'],
    ] as const)
      expect(() => shapeOf(...fields)).toThrow(`the field name ${name} is used twice`)
    expect(shapeOf('c', 'a[].c=b/c')).toEqual({ c: 'c', a: [{ of: 'b', fields: { c: 'c' } }] })
  })
})

describe('a list of records', () => {
  const cases: [fields: string[], of: string, inner: object][] = [
    [['name=testcase/@name', 'time=testcase/@time'], 'testcase', { name: '@name', time: '@time' }],
    [['name=testcase/@name'], 'testcase', { name: '@name' }],
    [['name=testcase/name'], 'testcase', { name: 'name' }],
    [['name=p/name', 'lang=p/name/@lang'], 'p', { name: 'name', lang: 'name/@lang' }],
    [['a=x/y/z/@a', 'b=x/y/@b'], 'x/y', { a: 'z/@a', b: '@b' }],
    [['a=x[@y="/"]/@a', 'b=x[@y="/"]/b'], 'x[@y="/"]', { a: '@a', b: 'b' }],
    [['a=//x/@a', 'b=.//x//b'], '//x', { a: '@a', b: '//b' }],
    [['a=x//@a', 'b=x//y/b'], 'x', { a: '//@a', b: '//y/b' }],
    [['text=x/.', 'a=x/@a', 'name=x/name()'], 'x', { text: '.', a: '@a', name: 'name()' }],
    [['a=*:x/@*:a', 'b={u/v}x/b'].slice(0, 1), '*:x', { a: '@*:a' }],
    [['a={u/v}x/@a', 'b={u/v}x/{w}b'], '{u/v}x', { a: '@a', b: '{w}b' }],
    [
      ['size:integer=x/@s', 'all[]=x/t', 'ids[]:integer=x/y/@i'],
      'x',
      { size: { path: '@s', as: 'integer' }, all: ['t'], ids: [{ path: 'y/@i', as: 'integer' }] },
    ],
    [['a=x/@a', 'more:rest='], 'x', { a: '@a', more: { as: 'rest' } }],
  ]
  test.each(cases)('of %j stands on the element %s, with which the paths begin', (fields, of, inner) => {
    const shape = shapeOf(...fields.map((field) => `list[].${field}`))
    expect(shape).toEqual({ list: [{ of, fields: inner }] })
    expect(() => planShape(shape)).not.toThrow()
  })

  test('may be in a list of records', () => {
    const inner = { of: 'case', fields: { name: '@name', tags: ['tag'] } }
    expect(
      shapeOf('s[].name=suite/@name', 's[].cases[].name=suite/case/@name', 's[].cases[].tags[]=suite/case/tag'),
    ).toEqual({
      s: [{ of: 'suite', fields: { name: '@name', cases: [inner] } }],
    })
    expect(shapeOf('a[].b[].c[].d=x/y/z/@d')).toEqual({
      a: [{ of: 'x', fields: { b: [{ of: 'y', fields: { c: [{ of: 'z', fields: { d: '@d' } }] } }] } }],
    })
    expect(shapeOf('a[].b[].c=x//y/z/@c', 'a[].d=x//y/@d')).toEqual({
      a: [{ of: 'x//y', fields: { b: [{ of: 'z', fields: { c: '@c' } }], d: '@d' } }],
    })
  })

  test.each([
    [['l[].a=x/@a', 'l[].b=y/@b'], 'l[]', 'x/@a, y/@b; begin each with the same element'],
    [['l[].a=@a'], 'l[]', '@a; begin each with the same element'],
    [['l[].a=x', 'l[].b=x/@b'], 'l[]', 'x, x/@b; for the text of x itself, write x/.'],
    [['l[].a=x'], 'l[]', 'x; for the text of x itself, write x/.'],
    [['l[].a=x', 'l[].b=y/@b'], 'l[]', 'x, y/@b; begin each with the same element'],
    [['l[].a=x[@n="1"]/@a', 'l[].b=x[@n="2"]/@b'], 'l[]', 'begin each with the same element'],
    [['l[].m[].a=x/@a'], 'l[]', 'x/@a; begin each'],
    [['l[].m[].a=x/y/@a', 'l[].m[].b=x/z/@b'], 'l[].m[]', 'y/@a, z/@b; begin each'],
    [['l[].more:rest='], 'l[]', 'begin each'],
  ])('of %j is refused, because its fields have no element in common', (fields, list, advice) => {
    expect(() => shapeOf(...fields)).toThrow(
      `the fields of ${list} have no element in common that the records could be made of: `,
    )
    expect(() => shapeOf(...fields)).toThrow(advice)
  })

  test.each(['/x/@a', 'x/@a/'])('is refused for the path %s', (path) => {
    expect(() => shapeOf(`l[].a=${path}`)).toThrow(`invalid path "${path}": the path of a field in a list`)
  })
})

describe('a prefix', () => {
  test('stands for a namespace, whatever is in that', () => {
    expect(readPrefixes(['a=http://example.org/?x=1', 'b=urn:b'])).toEqual({ a: 'http://example.org/?x=1', b: 'urn:b' })
  })

  test.each(['a', 'a:b=u', '1=u'])('is refused for %j', (text) => {
    expect(() => readPrefixes([text])).toThrow(
      `--prefix ${text}: it must be a prefix and what it stands for: atom=http`,
    )
  })

  test('may be empty, for names without one, and stand for no namespace', () => {
    expect(readPrefixes(['=urn:a', 'b='])).toEqual({ '': 'urn:a', b: '' })
  })

  test('is given once', () => {
    expect(() => readPrefixes(['a=u', 'a=v'])).toThrow('--prefix a=v: the prefix a is given twice')
  })
})
