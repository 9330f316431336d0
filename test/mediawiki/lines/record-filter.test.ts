// Filters of pages and revisions as data: what they look at, and what they let through.

import { describe, expect, test } from 'vitest'
import { RecordConditions, type RecordFilter } from '../../../source/mediawiki/lines/record-filter.ts'
import type { PageTraits, RevisionTraits } from '../../../source/mediawiki/lines/traits.ts'

const REVISION: RevisionTraits = {
  timestamp: '2026-01-31T12:00:00Z',
  model: 'wikitext',
  minor: true,
  contributor: { username: 'Ada', id: 1 },
}
const PAGE: PageTraits = { id: 7, ns: 10, title: 'Template:Wood', redirect: 'Template:Tree', revision: REVISION }

const holds = (filter: RecordFilter, page: PageTraits = PAGE) =>
  new RecordConditions(filter).hold(page, () => page.revision)

describe('a filter', () => {
  test('without conditions lets everything through, and looks at nothing', () => {
    const conditions = new RecordConditions({ redirects: 'in', minor: 'in' })
    expect(conditions.fieldsOf('pages')).toEqual([])
    const page: PageTraits = { id: 1, title: '' }
    expect(conditions.hold(page, () => expect.unreachable())).toBe(true)
  })

  test.each<[RecordFilter, boolean, string]>([
    [{ ns: ['0', '10'] }, true, 'ns'],
    [{ ns: ['0'] }, false, 'ns'],
    [{ redirects: 'only' }, true, 'redirect'],
    [{ redirects: 'out' }, false, 'redirect'],
    [{ title: 'W..d$' }, true, 'title'],
    [{ title: '^W' }, false, 'title'],
    [{ titles: ['x', 'Template:Wood'] }, true, 'title'],
    [{ titles: ['Wood'] }, false, 'title'],
    [{ ids: [{ first: 5, last: 9 }] }, true, 'id'],
    [{ ids: [{ first: 8, last: 9 }] }, false, 'id'],
    [{ since: '2026-01-31' }, true, 'revision.timestamp'],
    [{ since: '2026-02' }, false, 'revision.timestamp'],
    [{ until: '2026-01-31' }, true, 'revision.timestamp'],
    [{ until: '2026-01-30' }, false, 'revision.timestamp'],
    [{ model: ['css', 'wikitext'] }, true, 'revision.model'],
    [{ model: ['css'] }, false, 'revision.model'],
    [{ minor: 'only' }, true, 'revision.minor'],
    [{ minor: 'out' }, false, 'revision.minor'],
    [{ contributor: ['Ada'] }, true, 'revision.contributor'],
    [{ contributor: ['192.0.2.1'] }, false, 'revision.contributor'],
  ])('decides by one field: %j', (filter, isWanted, field) => {
    expect(holds(filter)).toBe(isWanted)
    expect(new RecordConditions(filter).fieldsOf('pages')).toEqual([field])
  })

  test('wants all of its conditions, and names fields of the page of a revision as those', () => {
    const filter: RecordFilter = { redirects: 'only', title: 'Wood', minor: 'only' }
    expect(holds(filter)).toBe(true)
    expect(holds({ ...filter, minor: 'out' })).toBe(false)
    expect(new RecordConditions(filter).fieldsOf('revisions')).toEqual(['page.redirect', 'page.title', 'minor'])
  })

  test('excludes what does not say what is asked for', () => {
    const page: PageTraits = { id: 7, title: 'x', revision: {} }
    for (const filter of [
      { ns: ['0'] },
      { since: '2000' },
      { until: '3000' },
      { model: ['x'] },
      { contributor: ['x'] },
    ])
      expect(holds(filter, page)).toBe(false)
    expect(holds({ minor: 'out' }, page)).toBe(true)
    expect(holds({ contributor: ['192.0.2.1'] }, { ...page, revision: { contributor: { ip: '192.0.2.1' } } })).toBe(
      true,
    )
    expect(holds({ contributor: ['x'] }, { ...page, revision: { contributor: { deleted: true } } })).toBe(false)
  })

  test('for revisions excludes pages without one', () => {
    expect(holds({ minor: 'out' }, { id: 7, title: 'x' })).toBe(false)
  })
})
