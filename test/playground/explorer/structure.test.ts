import { describe, expect, test } from 'vitest'
import { readXml } from 'xylem/xml/streaming'
import type { PickedElement, StructureNode } from '../../../playground/explorer/protocol.ts'
import { Structure } from '../../../playground/explorer/worker/document/structure.ts'
import {
  listChoices,
  proposeShape,
  showProgram,
  toggleField,
  updateLists,
} from '../../../playground/explorer/xml/picked-shape.ts'
import { isThorough } from '../../support/extent.ts'

async function read(document: string, limit = 100): Promise<Structure> {
  const structure = new Structure(limit)
  for await (const events of readXml([document]).events().batches()) for (const event of events) structure.add(event)
  return structure
}

const feed = `<feed><entry id="1"><title>Sap</title><tag>a</tag><tag>b</tag><author><name>Ada</name></author></entry>
  <entry id="2" lang="en"><title>Roots</title><tag>c</tag><author id="7"><name>Bo</name></author></entry></feed>`

async function entryOf(document: string): Promise<PickedElement> {
  return (await read(document)).pick(1) as PickedElement
}

describe('the structure of a document', () => {
  test('counts elements by their paths, with attributes and examples', async () => {
    const structure = await read(feed)
    const entry = structure.pick(1)
    expect(structure.elements).toBe(12)
    expect(entry).toMatchObject({ path: 'feed/entry', count: 2, most: 2, example: undefined })
    expect(entry?.attributes).toEqual([
      { name: 'id', count: 2, example: '1' },
      { name: 'lang', count: 1, example: 'en' },
    ])
    const facts = entry?.children.map(({ name, count, most, example }) => [name, count, most, example])
    expect(facts).toEqual([
      ['title', 2, 1, 'Sap'],
      ['tag', 3, 2, 'a'],
      ['author', 2, 1, undefined],
    ])
  })

  test('distinguishes elements of one name by what is around them', async () => {
    const structure = await read('<a><a><a/></a><b><a/><a/></b></a>')
    const rows = [0, 1, 2, 3, 4].map((node) => structure.rowOf(node))
    expect(rows.map((row) => [row?.path, row?.most])).toEqual([
      ['a', 1],
      ['a/a', 1],
      ['a/a/a', 1],
      ['a/b', 1],
      ['a/b/a', 2],
    ])
    expect([...structure.takeAdded()]).toEqual([-1, 0, 1, 0, 3])
    expect(structure.takeAdded().length).toBe(0)
    expect(structure.pick(0)?.children.map(({ name, children }) => [name, children.length])).toEqual([
      ['a', 1],
      ['b', 1],
    ])
  })

  test('keeps so many paths and says that there are more', async () => {
    const structure = await read('<r><a><b/></a><c/><a><b/></a></r>', 2)
    expect(structure.isCut).toBe(true)
    expect(structure.elements).toBe(6)
    expect(structure.pick(0)?.children.map(({ name, count }) => [name, count])).toEqual([['a', 2]])
  })

  test('shortens examples', async () => {
    const root = (await read(`<r> ${'long '.repeat(100)}</r>`)).pick(0)
    expect(root?.example).toMatch(/^(?:long )+…$/)
    expect(root?.example?.length).toBeLessThan(90)
  })

  test('gives the outermost and first elements of one that has very many', async () => {
    const inside = Array.from({ length: 2000 }, (_, i) => `<e${i}><deep/></e${i}>`).join('')
    const deep = `${'<d>'.repeat(5000)}${'</d>'.repeat(5000)}`
    const structure = await read(`<r><a>${inside}</a>${deep}</r>`, 100_000)
    const many = structure.pick(1)
    expect([many?.children.length, many?.children[0]?.children.length]).toEqual([500, 0])
    const first = structure.pick(2 + 2 * 2000 - 1 + 1)
    expect(first?.path).toBe('r/d')
    let levels = 0
    for (let inside = first as StructureNode | undefined; inside; [inside] = inside.children) levels++
    expect(levels).toBe(29)
    const last = structure.rowOf(4001 + 5000)
    expect(last?.path).toMatch(/^…(?:\/d)+$/)
    expect(last?.path.length).toBeLessThan(510)
  })

  test.runIf(isThorough)('keeps so many characters of names, and says that there are more', async () => {
    const names = Array.from({ length: 2000 }, (_, i) => `n${i}${'x'.repeat(20_000)}`)
    const structure = await read(`<r>${names.map((name) => `<${name}/>`).join('')}</r>`, 100_000)
    expect(structure.isCut).toBe(true)
    const kept = structure.takeAdded().length
    expect(kept).toBeGreaterThan(500)
    expect(kept).toBeLessThan(1000)
    expect(structure.rowOf(1)?.name.length).toBeLessThan(210)
    expect(structure.pick(1)?.name).toBe(names[0])
  })
})

describe('a picked shape', () => {
  test('has the attributes and texts of the record, lists where there are several', async () => {
    const entry = await entryOf(feed)
    expect(listChoices(entry).map(({ path, isList }) => [path, isList])).toEqual([
      ['@id', false],
      ['@lang', false],
      ['title', false],
      ['tag', true],
      ['author/@id', false],
      ['author/name', false],
    ])
    expect(proposeShape(entry).fields.map(({ name }) => name)).toEqual([
      'id',
      'lang',
      'title',
      'tag',
      'author_id',
      'name',
    ])
  })

  test('reads what it says', async () => {
    const shape = proposeShape(await entryOf(feed))
    const fields = Object.fromEntries(shape.fields.map(({ name, path, isList }) => [name, isList ? [path] : path]))
    const records = []
    for await (const record of readXml([feed]).records(`/${shape.record}`, fields)) records.push(record)
    expect(records).toEqual([
      { id: '1', title: 'Sap', tag: ['a', 'b'], name: 'Ada' },
      { id: '2', lang: 'en', title: 'Roots', tag: ['c'], author_id: '7', name: 'Bo' },
    ])
  })

  test('loses a field that is picked again, and names no two alike', () => {
    const empty = { record: 'r', fields: [] }
    const one = toggleField(empty, { path: 'a/b', isList: false })
    expect(toggleField(one, { path: 'a/b', isList: false })).toEqual(empty)
    const paths = ['a/b', '@b', 'c/b', 'b', '.', 'x:y']
    const shape = paths.reduce((picked, path) => toggleField(picked, { path, isList: false }), empty as typeof one)
    expect(shape.fields.map(({ name }) => name)).toEqual(['b', 'b_2', 'c_b', 'b_3', 'text', 'x_y'])
  })

  test('has no field that records cannot have', async () => {
    const shape = proposeShape(await entryOf('<r><a __proto__="1" constructor="2"/></r>'))
    expect(shape.fields.map(({ name }) => name)).toEqual(['__proto___2', 'constructor'])
  })

  test('has lists also of what is seen several times later, and no fewer', async () => {
    const shape = proposeShape(await entryOf('<r><a><b>1</b><c>2</c><c>3</c></a></r>'))
    const updated = updateLists(shape, listChoices(await entryOf('<r><a><b>1</b><b>2</b><c>3</c></a></r>')))
    expect(updated.fields.map(({ path, isList }) => [path, isList])).toEqual([
      ['b', true],
      ['c', true],
    ])
  })

  test('is shown as a program', () => {
    const shape = { record: 'r/a', fields: [{ name: 'x-y', path: '@x-y', isList: true }] }
    expect(showProgram(shape)).toContain('  "x-y": ["@x-y"],')
    expect(showProgram(shape)).toContain('records("/r/a", shape)')
  })
})
