// Namespaces as options name them.

import { ENGLISH, findEnglish, normaliseNamespace, searchNames } from '../../mediawiki/names/namespace-names.ts'
import { capitalise } from '../../mediawiki/names/wiki-names.ts'
import type { Namespace } from '../../mediawiki/shape/site-info.ts'
import { findNearest } from '../../stream/nearest.ts'
import { UsageError } from '../errors/errors.ts'

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
