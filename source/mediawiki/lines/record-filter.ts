// Which pages and revisions are wanted, as data: it stands in plans, and can be sent to workers. All of it is decided here.

import { normaliseNamespace } from '../names/namespace-names.ts'
import { formsOfContributor, nameOf } from '../names/wiki-names.ts'
import type { RecordKind } from './added-fields.ts'
import { isInRanges, mergeRanges, type NumberRange } from './number-ranges.ts'
import { type PageTraits, type RevisionTraits, SUPPRESSION } from './traits.ts'

/** `in`, `out` or `only`. */
type Presence = 'in' | 'out' | 'only'

/** Conditions, all of which must hold; what is absent excludes nothing. Those on revisions are on the newest one of a page. */
export interface RecordFilter {
  /** Numbers of namespaces. */
  readonly ns?: readonly string[]
  /** Complete titles; and each as the wiki of the dump writes it, which may be another. */
  readonly titles?: readonly string[]
  readonly resolvedTitles?: readonly string[]
  readonly ids?: readonly NumberRange[]
  readonly model?: readonly string[]
  /** Names and addresses, in any of their forms. */
  readonly contributor?: readonly string[]
  /** The namespaces by the beginnings of titles, in lower case, for dumps that do not give the namespaces of pages. */
  readonly prefixes?: Readonly<Record<string, number>>
  readonly redirects?: Presence
  /** A regular expression (flag u), and whether it is without regard to case. */
  readonly title?: string
  readonly ignoreCase?: true
  readonly since?: string
  readonly until?: string
  readonly minor?: Presence
  /** Bytes of a text. */
  readonly minSize?: number
  readonly maxSize?: number
}

/** What is seen of a page without its revision. */
type PageFacts = Omit<PageTraits, 'revision'>

/** A condition on fields. */
interface Condition<Traits> {
  readonly fields: readonly string[]
  readonly holds: (traits: Traits) => boolean
}

/** The conditions of a filter. What they do not look at is not decoded. */
export class RecordConditions {
  readonly #ofPage: readonly Condition<PageFacts>[]
  readonly #ofRevision: readonly Condition<RevisionTraits>[]

  constructor(filter: RecordFilter) {
    this.#ofPage = conditionsOfPage(filter)
    this.#ofRevision = conditionsOfRevision(filter)
  }

  /** The fields of a kind of records that are looked at. */
  fieldsOf(kind: RecordKind): string[] {
    const [ofPage, ofRevision] = kind === 'pages' ? ['', 'revision.'] : ['page.', '']
    return [
      ...this.#ofPage.flatMap(({ fields }) => fields.map((field) => ofPage + field)),
      ...this.#ofRevision.flatMap(({ fields }) => fields.map((field) => ofRevision + field)),
    ]
  }

  /** Whether all hold of a page and a revision. */
  hold(page: PageFacts, revisionOf: () => RevisionTraits | undefined): boolean {
    if (!this.#ofPage.every(({ holds }) => holds(page))) return false
    if (this.#ofRevision.length === 0) return true
    const revision = revisionOf()
    return revision !== undefined && this.#ofRevision.every(({ holds }) => holds(revision))
  }
}

function conditionsOfPage({
  ns,
  prefixes,
  redirects = 'in',
  title,
  ignoreCase,
  titles,
  resolvedTitles = [],
  ids,
}: RecordFilter): Condition<PageFacts>[] {
  const conditions: Condition<PageFacts>[] = []
  const add = (field: string, holds: (page: PageFacts) => boolean) => conditions.push({ fields: [field], holds })
  if (ns) {
    const numbers = new Set(ns.map(Number))
    if (prefixes) add('title', () => true)
    add('ns', (page) => {
      const own = namespaceOf(page, prefixes)
      return own !== undefined && numbers.has(own)
    })
  }
  if (redirects !== 'in') add('redirect', ({ redirect }) => (redirects === 'only') === (redirect !== undefined))
  if (title !== undefined) {
    const pattern = new RegExp(title, ignoreCase ? 'iu' : 'u')
    add('title', (page) => pattern.test(page.title))
  }
  if (titles) {
    const wanted = new Set([...titles, ...resolvedTitles])
    add('title', (page) => wanted.has(page.title))
  }
  if (ids) {
    const ranges = mergeRanges(ids)
    add('id', ({ id }) => isInRanges(ranges, id))
  }
  return conditions
}

/** The namespace of a page; if the dump does not say it, by what its title begins with. */
export function namespaceOf({ ns, title }: PageFacts, prefixes: RecordFilter['prefixes']): number | undefined {
  if (ns !== undefined || !prefixes) return ns
  const name = normaliseNamespace(title.slice(0, Math.max(0, title.indexOf(':'))))
  return Object.hasOwn(prefixes, name) ? (prefixes[name] as number) : 0
}

function conditionsOfRevision({
  since,
  until,
  model,
  minor = 'in',
  minSize,
  maxSize,
  contributor,
}: RecordFilter): Condition<RevisionTraits>[] {
  const conditions: Condition<RevisionTraits>[] = []
  const add = (field: string, holds: (revision: RevisionTraits) => boolean) =>
    conditions.push({ fields: [field], holds })
  // Timestamps are in UTC and of one form, so that texts compare as times do; the end of a day belongs to it.
  if (since !== undefined) add('timestamp', ({ timestamp }) => timestamp !== undefined && timestamp >= since)
  if (until !== undefined)
    add('timestamp', ({ timestamp }) => timestamp !== undefined && timestamp.slice(0, until.length) <= until)
  if (model) add('model', (revision) => revision.model !== undefined && model.includes(revision.model))
  if (minor !== 'in') add('minor', (revision) => (minor === 'only') === (revision.minor ?? false))
  if (minSize !== undefined || maxSize !== undefined) {
    const [least, most] = [minSize ?? 0, maxSize ?? Number.POSITIVE_INFINITY]
    const holds = ({ size }: RevisionTraits) => size !== undefined && least <= size && size <= most
    conditions.push({ fields: ['bytes', 'text', SUPPRESSION], holds })
  }
  if (contributor) {
    const names = new Set(contributor.flatMap(formsOfContributor))
    add('contributor', (revision) => names.has(nameOf(revision.contributor) ?? ''))
  }
  return conditions
}
