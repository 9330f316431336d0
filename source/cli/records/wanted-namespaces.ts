// Namespaces that filters name.

import type { RecordFilter } from '../../mediawiki/lines/record-filter.ts'
import type { SiteInfo } from '../../mediawiki/shape/site-info.ts'
import { findNamespace } from '../options/namespace-names.ts'

/** Whether a filter asks for the names of namespaces, which the dump tells. */
export function needsSiteInfo({ ns }: RecordFilter): boolean {
  return ns?.some((name) => !/^-?\d+$/.test(name)) ?? false
}

/**
 * A filter with namespaces by their numbers, which may have names on the command line. `siteInfo` may be undefined where it is not needed. Throws a
 * `UsageError` for a namespace that the wiki does not have.
 */
export function resolveNamespaces<Options extends RecordFilter>(
  options: Options,
  siteInfo: SiteInfo | undefined,
): Options {
  const { ns } = options
  return ns ? { ...options, ns: ns.map((name) => String(findNamespace(name, siteInfo?.namespaces ?? []))) } : options
}

/** Numbers of namespaces that are wanted, and that no page was in. */
export function findEmptyNamespaces({ ns = [] }: RecordFilter, seen: ReadonlySet<number>): number[] {
  return ns.filter((name) => /^-?\d+$/.test(name) && !seen.has(Number(name))).map(Number)
}

/** The warning about namespaces that no page was in. */
export function describeEmptyNamespaces(numbers: readonly number[]): string {
  const list = numbers.join(', ')
  return `xylem: warning: no page found in ${numbers.length === 1 ? `namespace ${list}` : `namespaces ${list}`}`
}
