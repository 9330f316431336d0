// What a link in a page of a wiki leads to, as the wiki writes titles: with spaces, one name for each namespace, and mostly a capital letter.

import type { SiteInfo } from 'xylem/mediawiki'

/** Namespaces that all wikis have, by the English names that each of them knows as well. */
const ENGLISH = new Map([
  ['talk', 1],
  ['user', 2],
  ['user talk', 3],
  ['project', 4],
  ['file', 6],
  ['image', 6],
  ['mediawiki', 8],
  ['template', 10],
  ['help', 12],
  ['category', 14],
  ['module', 828],
])

/** Languages in which the capital of i has a dot. */
const DOTTED = ['tr', 'az', 'kaa']

/** The titles that a page may have to which a link leads, the likeliest first. */
export function formsOfTitle(target: string, site: SiteInfo | undefined): string[] {
  const spaced = target
    .replace(/[\s_]+/g, ' ')
    .replace(/^[ :]+/, '')
    .trim()
  const namespaces = site?.namespaces ?? []
  const colon = spaced.indexOf(':')
  const prefix = spaced.slice(0, Math.max(colon, 0)).trim().toLowerCase()
  const named = prefix === '' ? undefined : namespaces.find(({ name }) => name.toLowerCase() === prefix)
  const namespace = named ?? namespaces.find(({ key }) => key === ENGLISH.get(prefix))
  const around = namespace ? `${namespace.name}:` : ''
  const name = namespace ? spaced.slice(colon + 1).trimStart() : spaced
  const rule = (namespace ?? namespaces.find(({ key }) => key === 0))?.case ?? site?.case
  if (rule === 'case-sensitive') return [around + name]
  const [first = ''] = name
  const isDotted = first === 'i' && DOTTED.includes(site?.language ?? '')
  const capital = (isDotted ? 'İ' : first.toUpperCase()) + name.slice(first.length)
  // Some letters have no capital in titles.
  return [...new Set([around + capital, around + name])]
}
