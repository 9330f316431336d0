// Names in questions as the wiki of a dump has them: those of namespaces become numbers, and titles are written as the dump writes them.

import type { RecordFilter } from '../../mediawiki/lines/record-filter.ts'
import { normaliseNamespace } from '../../mediawiki/names/namespace-names.ts'
import { mayDiffer, resolveTitle } from '../../mediawiki/names/titles.ts'
import { isBefore, type SiteInfo } from '../../mediawiki/shape/site-info.ts'
import { findNamespace } from '../options/namespace-names.ts'

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
