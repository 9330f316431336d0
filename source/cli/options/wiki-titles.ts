// Titles as a wiki reads them: in most namespaces they begin with a capital letter, and names of namespaces have one form.

import { capitalise } from '../../mediawiki/lines/wiki-names.ts'
import type { SiteInfo } from '../../mediawiki/shape/site-info.ts'
import { searchNamespace } from './namespace-names.ts'

/** Whether a wiki may write a title in another way: without a capital letter, or with the name of a namespace. */
export function mayDiffer(title: string): boolean {
  return title.includes(':') || capitalise(title) !== title
}

/** A title, with spaces for underscores, as the wiki writes it. */
export function resolveTitle(title: string, { namespaces, language, case: usual }: SiteInfo): string {
  const colon = title.indexOf(':')
  const key = colon > 0 ? searchNamespace(title.slice(0, colon), namespaces) : undefined
  const found = key ? namespaces.find((namespace) => namespace.key === key) : undefined
  const rest = found ? title.slice(colon + 1).trimStart() : title
  const own = found ?? namespaces.find((namespace) => namespace.key === 0)
  const name = (own?.case ?? usual) === 'first-letter' ? capitalise(rest, language) : rest
  return found ? `${found.name}:${name}` : name
}
