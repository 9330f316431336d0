// Names in questions as the wiki of a dump has them: those of namespaces become numbers, and titles are written as the dump writes them.

import type { RecordFilter } from '../../mediawiki/lines/filter-conditions.ts'
import { ENGLISH, findEnglish, normaliseNamespace, searchNames } from '../../mediawiki/names/namespace-names.ts'
import { capitalise, mayDiffer, resolveTitle } from '../../mediawiki/names/wiki-names.ts'
import { isBefore, type Namespace, type SiteInfo } from '../../mediawiki/shape/site-info.ts'
import { findNearest } from '../../stream/nearest.ts'
import { UsageError } from '../errors/errors.ts'

/** Whether a filter asks for the names of namespaces, which the dump tells. */
export function needsNamespaces({ ns }: RecordFilter): boolean {
  return ns?.some((name) => !/^-?\d+$/.test(name)) ?? false
}

/** Whether it is worth knowing what the dump says of its wiki. */
export function asksForSiteInfo(filter: RecordFilter): boolean {
  return filter.ns !== undefined || (filter.titles?.some(mayDiffer) ?? false)
}

/**
 * A filter with namespaces by their numbers, which may have names on the command line, and with titles of the wiki too. `siteInfo` may be undefined where it
 * is not needed, or not known. Throws a `UsageError` for a namespace that the wiki does not have.
 */
export function resolveQuestion<Options extends RecordFilter>(
  options: Options,
  siteInfo: SiteInfo | undefined,
): Options {
  const { ns, titles } = options
  const { namespaces = [] } = siteInfo ?? {}
  // Before schema 0.6, pages do not say in which namespace they are.
  const hasPrefixes = ns && siteInfo && isBefore(siteInfo, '0.6')
  return {
    ...options,
    ...(ns && { ns: ns.map((name) => String(findNamespace(name, namespaces))) }),
    ...(hasPrefixes && {
      prefixes: Object.fromEntries(namespaces.map(({ name, key }) => [normaliseNamespace(name), key])),
    }),
    ...(titles && siteInfo && { resolvedTitles: titles.map((title) => resolveTitle(title, siteInfo)) }),
  }
}

/**
 * The number of a namespace, by its number, its name on the wiki or its English name; `namespaces` are those of the wiki, and may be unknown.
 * Throws a `UsageError` for a name that the wiki does not have, and for one that stands for two of its namespaces.
 */
export function findNamespace(name: string, namespaces: readonly Namespace[]): number {
  if (/^-?\d+$/.test(name)) return Number(name)
  const { own, english } = searchNames(name, namespaces)
  if (own !== undefined && english !== undefined && own !== english) {
    throw new UsageError(`${name} is namespace ${own} on this wiki, but ${english} in English; give the number`)
  }
  const found = own ?? english
  if (found !== undefined) return found
  const others = [...ENGLISH.keys()].filter((other) => findEnglish(other, namespaces) !== undefined)
  const known = [...namespaces.map((namespace) => namespace.name), ...others.map((other) => capitalise(other))]
  const nearest = findNearest(normaliseNamespace(name), known.filter(Boolean))
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  const names = namespaces.map((namespace) => namespace.name || '0').join(', ')
  throw new UsageError(
    `the wiki has no namespace ${name}${hint}; its namespaces are ${names || 'not listed in the dump'}`,
  )
}
