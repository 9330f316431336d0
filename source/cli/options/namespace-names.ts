// Namespaces by their names. Every wiki has names in its own language; MediaWiki takes the English ones as well.

import { capitalise } from '../../mediawiki/lines/wiki-names.ts'
import type { Namespace } from '../../mediawiki/shape/site-info.ts'
import { findNearest } from '../../stream/nearest.ts'
import { UsageError } from '../errors/errors.ts'

/** English names in lower case, of namespaces that each have one for talk after them (mediawiki.org, "Manual:Namespace"). */
const SUBJECTS: readonly (readonly [name: string, key: number])[] = [
  ['user', 2],
  ['project', 4],
  ['file', 6],
  ['image', 6],
  ['mediawiki', 8],
  ['template', 10],
  ['help', 12],
  ['category', 14],
  ['timedtext', 710],
  ['module', 828],
]
const ENGLISH: ReadonlyMap<string, number> = new Map([
  ['media', -2],
  ['special', -1],
  ['main', 0],
  ['talk', 1],
  ...SUBJECTS,
  ...SUBJECTS.map(([name, key]) => [`${name} talk`, key + 1] as const),
])
/** From here on numbers are those of extensions, which a wiki may not have. */
const FIRST_EXTENSION = 100

/**
 * The number of a namespace, by its number, its name on the wiki or its English name; `namespaces` are those of the wiki, and may be unknown.
 * Throws a `UsageError` for a name that the wiki does not have, and for one that stands for two of its namespaces.
 */
export function findNamespace(name: string, namespaces: readonly Namespace[]): number {
  if (/^-?\d+$/.test(name)) return Number(name)
  const { own, english } = search(name, namespaces)
  if (own !== undefined && english !== undefined && own !== english) {
    throw new UsageError(`${name} is namespace ${own} on this wiki, but ${english} in English; give the number`)
  }
  const found = own ?? english
  if (found !== undefined) return found
  const others = [...ENGLISH.keys()].filter((other) => findEnglish(other, namespaces) !== undefined)
  const known = [...namespaces.map((namespace) => namespace.name), ...others.map((other) => capitalise(other))]
  const nearest = findNearest(normalise(name), known.filter(Boolean))
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  const names = namespaces.map((namespace) => namespace.name || '0').join(', ')
  throw new UsageError(
    `the wiki has no namespace ${name}${hint}; its namespaces are ${names || 'not listed in the dump'}`,
  )
}

/** The number of a namespace, by its name on the wiki or its English name; undefined if the wiki does not have it. */
export function searchNamespace(name: string, namespaces: readonly Namespace[]): number | undefined {
  const { own, english } = search(name, namespaces)
  return own ?? english
}

function search(name: string, namespaces: readonly Namespace[]): { own?: number; english?: number } {
  const wanted = normalise(name)
  const own = namespaces.find((namespace) => normalise(namespace.name) === wanted)?.key
  const english = findEnglish(wanted, namespaces)
  return { ...(own !== undefined && { own }), ...(english !== undefined && { english }) }
}

function findEnglish(name: string, namespaces: readonly Namespace[]): number | undefined {
  const key = ENGLISH.get(name)
  if (key === undefined || key < FIRST_EXTENSION) return key
  return namespaces.some((namespace) => namespace.key === key) ? key : undefined
}

/** As MediaWiki reads names: no matter the case, with underscores for spaces. */
function normalise(name: string): string {
  return name
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase()
}
