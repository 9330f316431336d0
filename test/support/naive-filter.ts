// What filters of dumps mean, said on plain objects: an oracle for conditions.

import type { RecordFilter } from '../../source/mediawiki/lines/filter-conditions.ts'
import type { RevisionTraits } from '../../source/mediawiki/lines/page-traits.ts'
import { normaliseNamespace } from '../../source/mediawiki/names/namespace-names.ts'
import { formsOfContributor, nameOf } from '../../source/mediawiki/names/wiki-names.ts'

export interface NaivePage {
  readonly id: number
  readonly ns?: number | undefined
  readonly title: string
  readonly redirect?: string | undefined
}

/** `size`: of its text as the dump says, otherwise counted; undefined for a text that is suppressed, or missing without a size. */
export interface NaiveRevision extends RevisionTraits {
  readonly size?: number | undefined
}

/** Whether a page and a revision are wanted. */
export function isWantedByFilter(filter: RecordFilter, page: NaivePage, revision: NaiveRevision | undefined): boolean {
  return isWantedPage(filter, page) && isWantedRevision(filter, revision)
}

function isWantedPage(filter: RecordFilter, { id, ns, title, redirect }: NaivePage): boolean {
  const { prefixes, redirects = 'in', titles, resolvedTitles = [], ids } = filter
  if (filter.ns) {
    const name = normaliseNamespace(title.slice(0, Math.max(0, title.indexOf(':'))))
    const own = ns ?? (prefixes && (Object.hasOwn(prefixes, name) ? prefixes[name] : 0))
    if (own === undefined || !filter.ns.map(Number).includes(own)) return false
  }
  if (redirects !== 'in' && (redirects === 'only') !== (redirect !== undefined)) return false
  if (filter.title !== undefined && !new RegExp(filter.title, filter.ignoreCase ? 'iu' : 'u').test(title)) return false
  if (titles && ![...titles, ...resolvedTitles].includes(title)) return false
  return !ids || ids.some(({ first, last }) => first <= id && id <= last)
}

function isWantedRevision(filter: RecordFilter, revision: NaiveRevision | undefined): boolean {
  const { since, until, model, minor = 'in', minSize, maxSize, contributor } = filter
  const asks = [since, until, model, minSize, maxSize, contributor].some((one) => one !== undefined) || minor !== 'in'
  if (!asks) return true
  if (!revision) return false
  const { timestamp, size } = revision
  // A day, a month and a year have all that begins with them.
  if (since !== undefined && !(timestamp !== undefined && timestamp >= since)) return false
  if (until !== undefined && !(timestamp !== undefined && timestamp.slice(0, until.length) <= until)) return false
  if (model && !model.includes(revision.model ?? '')) return false
  if (minor !== 'in' && (minor === 'only') !== (revision.minor ?? false)) return false
  if (minSize !== undefined && !(size !== undefined && size >= minSize)) return false
  if (maxSize !== undefined && !(size !== undefined && size <= maxSize)) return false
  return !contributor || contributor.flatMap(formsOfContributor).includes(nameOf(revision.contributor) ?? '')
}
