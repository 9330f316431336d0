// What is counted of the pages and revisions of a dump, and which of the values that are asked for are seen in them.

import { type Counter, count, countFields, countSeen, keepFirst, keepLast, sum } from '../../record/report.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { formsOfContributor, nameOf } from '../names/wiki-names.ts'
import type { Revision } from '../shape/revision.ts'
import type { RecordKind } from './added-fields.ts'
import { type NumberRange, namespaceOf, type RecordFilter } from './filter-conditions.ts'
import { namesToWatch } from './page-form.ts'
import type { PageRevisionTraits, RevisionTraits } from './page-traits.ts'

/** A record as counters see it. */
export interface SeenRecord {
  readonly record: RecordView
  readonly page: PageRevisionTraits['page']
  readonly revisionOf: () => RevisionTraits | undefined
  /** Whether the record that was written before is of another page. */
  isNewPage: boolean
  /** Its revision, if the record was made as an object. */
  made: Revision | undefined
}

/** What was counted of the records that were given out. */
export interface DumpReport {
  readonly pages: number
  /** Ids of the first page and the last one; undefined if there is none that is a number. */
  readonly firstPage?: number
  readonly lastPage?: number
  readonly redirects: number
  readonly revisions: number
  /** Revisions without a text although their size is not 0; and revisions whose size shows that the text is suppressed. */
  readonly missingTexts: number
  readonly suppressed: number
}

/** What lists of values a question may have. */
export const LISTS = ['ns', 'titles', 'ids', 'model', 'contributor', 'fields'] as const
export type ListName = (typeof LISTS)[number]

/** Of the lists of a question, the places of values that were seen. */
export type Seen = { readonly [Name in ListName]?: readonly number[] }

/** Counts pages. */
export function countPages(kind: RecordKind): Counter<SeenRecord>[] {
  const fields = [kind === 'pages' ? 'id' : 'page.id']
  // A page need not have one.
  const knownId = ({ page }: SeenRecord) => page.id as number | undefined
  const firstId = (seen: SeenRecord, known?: number) => (known === undefined ? knownId(seen) : undefined)
  return [
    sum('pages', ({ isNewPage }) => isNewPage),
    count('firstPage', keepFirst, { on: 'written', fields, dataOf: firstId }),
    count('lastPage', keepLast, { on: 'written', fields, dataOf: knownId }),
  ]
}

/** Counts all that a `DumpReport` has. */
export function countRecords(kind: RecordKind): Counter<SeenRecord>[] {
  const [ofPage, ofRevision] = kind === 'pages' ? ['', 'revision.'] : ['page.', '']
  const [bytes, text, deleted] = [`${ofRevision}bytes`, `${ofRevision}text`, `${ofRevision}contributor.deleted`]
  const sizeOf = (record: RecordView) => record.number(bytes) ?? 0
  return [
    ...countPages(kind),
    sum('redirects', ({ isNewPage, page }) => isNewPage && page.redirect !== undefined, `${ofPage}redirect`),
    sum('revisions', ({ record }) => kind === 'revisions' || record.has('revision')),
    sum('missingTexts', ({ record }) => !record.has(text) && sizeOf(record) > 0, bytes, text),
    sum('suppressed', ({ record }) => sizeOf(record) < 0 || record.has(deleted), deleted),
  ]
}

/** Notes which values of the lists of a question are seen. */
export function countLists(
  kind: RecordKind,
  {
    ns,
    prefixes,
    titles,
    resolvedTitles = [],
    ids,
    model,
    contributor,
    fields,
  }: RecordFilter & { readonly fields?: readonly string[] },
): Counter<SeenRecord>[] {
  return [
    // A page is in a namespace, whatever else is asked for.
    countValues(
      'ns',
      ns,
      (value) => [Number(value)],
      ({ page }) => namespaceOf(page, prefixes),
      'read',
    ),
    countValues(
      'titles',
      titles,
      (title, i) => [title, resolvedTitles[i] ?? title],
      ({ page }) => page.title,
    ),
    ids ? countSeen('ids', 'wanted', ids.length, () => searchRanges(ids)) : [],
    countValues(
      'model',
      model,
      (name) => [name],
      ({ revisionOf }) => revisionOf()?.model,
    ),
    countValues('contributor', contributor, formsOfContributor, ({ revisionOf }) => nameOf(revisionOf()?.contributor)),
    fields ? countFields(namesToWatch(kind, fields), ({ record }: SeenRecord) => record) : [],
  ].flat()
}

/** Notes which values are seen, each of which has some keys. */
function countValues<Key>(
  name: ListName,
  values: readonly string[] | undefined,
  keysOf: (value: string, place: number) => readonly Key[],
  keyOf: (seen: SeenRecord) => Key | undefined,
  on: 'read' | 'wanted' = 'wanted',
): Counter<SeenRecord> | [] {
  if (!values) return []
  const open = () => {
    const places = new Map<Key | undefined, number[]>()
    for (const [place, value] of values.entries())
      for (const key of keysOf(value, place)) places.set(key, [...(places.get(key) ?? []), place])
    return (seen: SeenRecord) => places.get(keyOf(seen)) ?? []
  }
  return countSeen(name, on, values.length, open)
}

/** Finds the ranges around the id of a page. A list of ids may have millions, so those around one are searched. */
function searchRanges(ids: readonly NumberRange[]): (seen: SeenRecord) => number[] {
  const ranges = ids.map((range, place) => ({ ...range, place })).sort((one, two) => one.first - two.first)
  // How far any of the ranges up to one reach.
  const reach: number[] = []
  for (const { last } of ranges) reach.push(Math.max(last, reach.at(-1) ?? last))
  return ({ page: { id } }) => {
    let low = 0
    let high = ranges.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ranges[middle]?.first as number) <= id) low = middle + 1
      else high = middle
    }
    const places: number[] = []
    for (let i = low - 1; i >= 0 && (reach[i] as number) >= id; i--) {
      const range = ranges[i]
      if (range && id <= range.last) places.push(range.place)
    }
    return places
  }
}
