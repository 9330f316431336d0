// Which pages or revisions of a dump are wanted.

import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import type {
  PageLineFilter,
  PageRevisionTraits,
  PageTraits,
  RevisionTraits,
} from '../../mediawiki/lines/page-lines.ts'
import type { SiteInfo } from '../../mediawiki/shape/site-info.ts'
import { isInRanges, mergeRanges, type NumberRange } from '../options/id-ranges.ts'
import { findNamespace } from '../options/namespace-names.ts'
import type { Presence } from '../options/option-values.ts'

/** What the options say; what is not said excludes nothing. */
export interface FilterOptions {
  /** Numbers or names of namespaces. */
  ns?: readonly string[]
  redirects?: Presence
  /** A regular expression (flag u). */
  title?: string
  /** Complete titles. */
  titles?: readonly string[]
  ids?: readonly NumberRange[]
  since?: string
  until?: string
  model?: readonly string[]
  minor?: Presence
  contributor?: readonly string[]
}

/** Whether a filter asks for the names of namespaces, which the dump tells. */
export function needsSiteInfo({ ns }: FilterOptions): boolean {
  return ns?.some((name) => !/^-?\d+$/.test(name)) ?? false
}

/**
 * The same with namespaces by their numbers. `siteInfo` may be undefined where it is not needed. Throws a `UsageError` for a namespace that
 * the wiki does not have.
 */
export function resolveNamespaces<Options extends FilterOptions>(
  options: Options,
  siteInfo: SiteInfo | undefined,
): Options {
  const { ns } = options
  return ns ? { ...options, ns: ns.map((name) => String(findNamespace(name, siteInfo?.namespaces ?? []))) } : options
}

/** The fields that the filters of a kind of records look at. */
export function fieldsOfFilter(kind: RecordKind, options: FilterOptions): string[] {
  const { ns, redirects = 'in', title, titles, ids, since, until, model, minor = 'in', contributor } = options
  const [ofPage, ofRevision] = kind === 'pages' ? ['', 'revision.'] : ['page.', '']
  const looks: [string, boolean][] = [
    [`${ofPage}ns`, ns !== undefined],
    [`${ofPage}redirect`, redirects !== 'in'],
    [`${ofPage}title`, title !== undefined || titles !== undefined],
    [`${ofPage}id`, ids !== undefined],
    [`${ofRevision}timestamp`, since !== undefined || until !== undefined],
    [`${ofRevision}model`, model !== undefined],
    [`${ofRevision}minor`, minor !== 'in'],
    [`${ofRevision}contributor`, contributor !== undefined],
  ]
  return looks.flatMap(([name, isSeen]) => (isSeen ? [name] : []))
}

// What follows takes options whose namespaces are numbers. `onNamespace` is called with those of them that pages are in.

type OnNamespace = (ns: number) => void

/** The filter for lines of pages that says the same. */
export function makeLineFilter(options: FilterOptions, onNamespace: OnNamespace): PageLineFilter {
  const { ns, redirects, title, titles, ids } = options
  if (title || titles || ids || makeRevisionFilter(options)) return { isWanted: makePageFilter(options, onNamespace) }
  return { namespaces: ns && new Set(ns.map(Number)), redirects, onNamespace }
}

/** A filter for pages, by their newest revision; undefined where nothing is excluded. */
function makePageFilter(options: FilterOptions, onNamespace: OnNamespace): ((page: PageTraits) => boolean) | undefined {
  const isPage = makeFactsFilter(options, onNamespace)
  const isRevision = makeRevisionFilter(options)
  if (!isPage && !isRevision) return undefined
  return (page) =>
    (!isPage || isPage(page)) && (!isRevision || (page.revision !== undefined && isRevision(page.revision)))
}

/** A filter for revisions with their pages; undefined where nothing is excluded. */
export function makePageRevisionFilter(
  options: FilterOptions,
  onNamespace: OnNamespace,
): ((revision: PageRevisionTraits) => boolean) | undefined {
  const isPage = makeFactsFilter(options, onNamespace)
  const isRevision = makeRevisionFilter(options)
  if (!isPage && !isRevision) return undefined
  return (revision) => (!isPage || isPage(revision.page)) && (!isRevision || isRevision(revision))
}

function makeFactsFilter(
  { ns, redirects = 'in', title, titles, ids }: FilterOptions,
  onNamespace: OnNamespace,
): ((page: Omit<PageTraits, 'revision'>) => boolean) | undefined {
  if (!ns && redirects === 'in' && !title && !titles && !ids) return undefined
  const pattern = title === undefined ? undefined : new RegExp(title, 'u')
  const titleSet = titles && new Set(titles)
  const idRanges = ids && mergeRanges(ids)
  const numbers = ns && new Set(ns.map(Number))
  const isOfNamespace = (own: number | undefined) => {
    if (own === undefined || !numbers?.has(own)) return false
    onNamespace(own)
    return true
  }
  return (page) =>
    (!numbers || isOfNamespace(page.ns)) &&
    (redirects === 'in' || (redirects === 'only') === (page.redirect !== undefined)) &&
    (!pattern || pattern.test(page.title)) &&
    (!titleSet || titleSet.has(page.title)) &&
    (!idRanges || isInRanges(idRanges, page.id))
}

function makeRevisionFilter({
  since,
  until,
  model,
  minor = 'in',
  contributor,
}: FilterOptions): ((revision: RevisionTraits) => boolean) | undefined {
  if (since === undefined && until === undefined && !model && minor === 'in' && !contributor) return undefined
  // Timestamps are in UTC and of one form, so that texts compare as times do; the end of a day belongs to it.
  const isInTime = (timestamp: string | undefined) => {
    if (timestamp === undefined) return false
    const isLateEnough = since === undefined || timestamp >= since
    return isLateEnough && (until === undefined || timestamp.slice(0, until.length) <= until)
  }
  // Only what is asked for is decoded.
  return (revision) =>
    ((since === undefined && until === undefined) || isInTime(revision.timestamp)) &&
    (!model || (revision.model !== undefined && model.includes(revision.model))) &&
    (minor === 'in' || (minor === 'only') === (revision.minor ?? false)) &&
    (!contributor || contributor.includes(nameOf(revision.contributor) ?? ''))
}

function nameOf(contributor: RevisionTraits['contributor']): string | undefined {
  if (!contributor) return undefined
  if ('username' in contributor) return contributor.username
  return 'ip' in contributor ? contributor.ip : undefined
}

/** Numbers of namespaces that are wanted, and that no page was in. */
export function findEmptyNamespaces({ ns = [] }: FilterOptions, seen: ReadonlySet<number>): number[] {
  return ns.filter((name) => /^-?\d+$/.test(name) && !seen.has(Number(name))).map(Number)
}

/** What a person is told of them; there may be pages of them that a dump without a site description does not name. */
export function describeEmptyNamespaces(numbers: readonly number[]): string {
  const list = numbers.join(', ')
  return `xylem: warning: no page found in ${numbers.length === 1 ? `namespace ${list}` : `namespaces ${list}`}`
}
