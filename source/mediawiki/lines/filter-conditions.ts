// Which pages and revisions are wanted, as options say it: it stands in plans, and can be sent to workers. What follows are conditions on fields.

import { utf8Length } from '../../text/utf8.ts'
import type { ComputedField, FieldCondition, WhereConditions } from '../../xml/question/where.ts'
import { normaliseNamespace } from '../names/namespace-names.ts'
import { formsOfContributor } from '../names/wiki-names.ts'
import { PREFIXES, type RecordKind } from './added-fields.ts'

/** A range of ids; both ends belong to it. Ids are safe integers: the largest one stands for no end. */
export interface NumberRange {
  readonly first: number
  readonly last: number
}

/** `in`, `out` or `only`. */
type Presence = 'in' | 'out' | 'only'

/** What must hold, all of it; what is absent excludes nothing. What is said of revisions is said of the newest one of a page. */
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

/** The conditions of a filter on a kind of records. */
export function conditionsOf(
  kind: RecordKind,
  { ns, redirects = 'in', title, ignoreCase, titles, resolvedTitles = [], ids, ...filter }: RecordFilter,
): WhereConditions {
  const { since, until, model, minor = 'in', minSize, maxSize, contributor } = filter
  const [ofPage, ofRevision] = PREFIXES[kind]
  const conditions: [name: string, condition: FieldCondition | false | undefined][] = [
    [`${ofPage}ns`, ns && { in: ns.map(Number) }],
    [`${ofPage}redirect`, redirects !== 'in' && { present: redirects === 'only' }],
    [`${ofPage}title`, title !== undefined && { matches: title, ignoreCase }],
    [`${ofPage}title`, titles && { in: [...titles, ...resolvedTitles] }],
    [`${ofPage}id`, ids && { in: ids.map(({ first: from, last: to }) => ({ from, to })) }],
    // Timestamps are in UTC and of one form, so that texts compare as times do; what begins with the end belongs to it.
    [`${ofRevision}timestamp`, since !== undefined && { from: since }],
    [`${ofRevision}timestamp`, until !== undefined && { to: `${until}\uffff` }],
    [`${ofRevision}model`, model && { in: model }],
    [`${ofRevision}minor`, minor !== 'in' && { present: minor === 'only' }],
    [`${ofRevision}size`, (minSize ?? maxSize) !== undefined && { from: minSize, to: maxSize }],
    [
      `${ofRevision}contributor.username|${ofRevision}contributor.ip`,
      contributor && { in: contributor.flatMap(formsOfContributor) },
    ],
  ]
  const where: Record<string, FieldCondition[]> = {}
  for (const [name, condition] of conditions) if (condition) where[name] = [...(where[name] ?? []), condition]
  return where
}

/** The fields that filters read and records do not have as they are: how large a text is, and the namespace of a page of an old dump. */
export function computedFields(kind: RecordKind, { prefixes }: RecordFilter): Record<string, ComputedField> {
  const [ofPage, ofRevision] = PREFIXES[kind]
  const [ns, title] = [`${ofPage}ns`, `${ofPage}title`]
  const [bytes, text, deleted] = [`${ofRevision}bytes`, `${ofRevision}text`, `${ofRevision}@deleted`]
  return {
    // As the dump says, otherwise counted. One that is suppressed, or missing without a size, has none.
    [`${ofRevision}size`]: {
      kind: 'integer',
      reads: [bytes, text, deleted],
      valueOf: (read) => {
        if (read(deleted) && read(text) === undefined) return undefined
        const size = read(bytes) as number | undefined
        if (size !== undefined && size >= 0) return size
        const counted = read(text) as string | undefined
        return counted === undefined ? undefined : utf8Length(counted, 0, counted.length)
      },
    },
    ...(prefixes && {
      [ns]: {
        kind: 'integer',
        reads: [ns, title],
        valueOf: (read) =>
          namespaceOf({ ns: read(ns), title: read(title) } as Parameters<typeof namespaceOf>[0], prefixes),
      },
    }),
  }
}

/** The namespace of a page; if the dump does not say it, by what its title begins with. */
export function namespaceOf(
  { ns, title }: { readonly ns?: number | undefined; readonly title?: string | undefined },
  prefixes: RecordFilter['prefixes'],
): number | undefined {
  if (ns !== undefined || !prefixes || title === undefined) return ns
  const name = normaliseNamespace(title.slice(0, Math.max(0, title.indexOf(':'))))
  return Object.hasOwn(prefixes, name) ? (prefixes[name] as number) : 0
}
