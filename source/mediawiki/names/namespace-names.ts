// Namespaces by their names. Every wiki has names in its own language; MediaWiki takes the English ones as well.

import type { Namespace } from '../shape/site-info.ts'

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
export const ENGLISH: ReadonlyMap<string, number> = new Map([
  ['media', -2],
  ['special', -1],
  ['main', 0],
  ['talk', 1],
  ...SUBJECTS,
  ...SUBJECTS.map(([name, key]) => [`${name} talk`, key + 1] as const),
])
/** From here on numbers are those of extensions, which a wiki may not have. */
const FIRST_EXTENSION = 100

/** The number of a namespace, by its name on the wiki or its English name; undefined if the wiki does not have it. */
export function searchNamespace(name: string, namespaces: readonly Namespace[]): number | undefined {
  const { own, english } = searchNames(name, namespaces)
  return own ?? english
}

/** The numbers that a name stands for: among the names of the wiki, and among the English ones. */
export function searchNames(name: string, namespaces: readonly Namespace[]): { own?: number; english?: number } {
  const wanted = normaliseNamespace(name)
  const own = namespaces.find((namespace) => normaliseNamespace(namespace.name) === wanted)?.key
  const english = findEnglish(wanted, namespaces)
  return { ...(own !== undefined && { own }), ...(english !== undefined && { english }) }
}

/** The number of a namespace by its English name; undefined if the wiki does not have it. */
export function findEnglish(name: string, namespaces: readonly Namespace[]): number | undefined {
  const key = ENGLISH.get(name)
  if (key === undefined || key < FIRST_EXTENSION) return key
  return namespaces.some((namespace) => namespace.key === key) ? key : undefined
}

/** As MediaWiki reads names: no matter the case, with underscores for spaces. */
export function normaliseNamespace(name: string): string {
  return name
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase()
}
