import { describe, expect, test } from 'vitest'
import type { PageFilter } from '../../../playground/explorer/protocol.ts'
import { EVERYTHING, FilteredPages } from '../../../playground/explorer/worker/dump/filtered-pages.ts'
import { PageTable } from '../../../playground/explorer/worker/dump/page-table.ts'
import { isThorough } from '../../support/extent.ts'
import { Random } from '../../support/random.ts'

function fill(table: PageTable, count: number): void {
  for (let id = table.seen + 1, last = table.seen + count; id <= last; id++) {
    const ns = id % 7 === 0 ? 1 : 0
    table.add({ id, ns, isRedirect: id % 10 === 0, title: `Páge ${id}`, at: id * 1000, skip: id % 3 })
  }
}

function all(pages: FilteredPages): number[] {
  while (!pages.proceed());
  return Array.from({ length: pages.length }, (_, place) => pages.at(place) as number)
}

describe('the pages that are kept', () => {
  test('are given back as they were added', () => {
    const table = new PageTable(100_000)
    fill(table, 10_000)
    for (const index of [0, 1, 1023, 1024, 4095, 4096, 9999]) {
      const id = index + 1
      const row = { index, id, namespace: id % 7 === 0 ? 1 : 0, title: `Páge ${id}`, isRedirect: id % 10 === 0 }
      expect(table.rowOf(index)).toEqual(row)
      expect(table.placeOf(index)).toEqual({ at: id * 1000, skip: id % 3 })
    }
    expect(table.titles.at(10_000)).toBeUndefined()
    expect(table.countNamespaces(new Map([[1, 'Talk']]))).toEqual([
      { id: 0, name: '', count: 8572 },
      { id: 1, name: 'Talk', count: 1428 },
    ])
  })

  test('are as many as the limit, and the others are counted', () => {
    const table = new PageTable(5000)
    fill(table, 5000)
    expect(table.isFull).toBe(false)
    fill(table, 20)
    expect([table.length, table.seen, table.isFull]).toEqual([5000, 5020, true])
    expect(all(new FilteredPages(table, { ...EVERYTHING, title: 'páge 50' })).length).toBe(12)
  })

  test('are found by their titles, exactly', () => {
    const table = new PageTable(100_000)
    fill(table, 10_000)
    for (const id of [1, 9, 1024, 1025, 4096, 9216, 9217, 10_000]) expect(table.titles.find(`Páge ${id}`)).toBe(id - 1)
    for (const title of ['', 'Páge', 'áge 1', 'páge 1', 'Páge 10001', 'Páge 1\nPáge 2']) {
      expect(table.titles.find(title)).toBeUndefined()
    }
  })

  test('have titles of one line', () => {
    const table = new PageTable(10)
    table.add({ id: 1, ns: 0, isRedirect: false, title: 'two\nlines', at: 0, skip: 0 })
    expect(table.titles.at(0)).toBe('two lines')
  })
})

describe('a filter', () => {
  test.runIf(isThorough)('finds what a search through all pages finds, also where pages come while it works', () => {
    const random = new Random(22)
    for (let run = 0; run < 50; run++) {
      const table = new PageTable(100_000)
      fill(table, random.below(20_000))
      const filter: PageFilter = {
        namespaces: random.pick([undefined, [0], [1], [0, 1], [5]]),
        redirects: random.pick(['all', 'only', 'none'] as const),
        title: random.pick(['', 'PÁGE 1', '99', 'x']),
      }
      const filtered = new FilteredPages(table, filter)
      filtered.proceed()
      fill(table, random.below(20_000))
      const expected: number[] = []
      for (let index = 0; index < table.length; index++) {
        const { namespace, isRedirect, title } = table.rowOf(index)
        const { namespaces, redirects } = filter
        if (namespaces && !namespaces.includes(namespace)) continue
        if (redirects !== 'all' && (redirects === 'only') !== isRedirect) continue
        if (title.toLowerCase().includes(filter.title.toLowerCase())) expected.push(index)
      }
      expect(all(filtered)).toEqual(expected)
      expect(filtered.isComplete).toBe(true)
      expect(filtered.at(-1)).toBeUndefined()
      expect(filtered.at(expected.length)).toBeUndefined()
      for (const index of [0, 1, 29, table.length - 1, table.length]) {
        const place = expected.indexOf(index)
        expect(filtered.placeOf(index)).toBe(place < 0 ? undefined : place)
      }
    }
  })
})
