// Titles as a wiki reads them: in most namespaces they begin with a capital letter, and names of namespaces have one form.

import type { SiteInfo } from '../shape/site-info.ts'
import { searchNamespace } from './namespace-names.ts'
import { capitalise } from './wiki-names.ts'

/** Whether a wiki may write a title in another way: without a capital letter, or with the name of a namespace. */
export function mayDiffer(title: string): boolean {
  return title.includes(':') || capitalise(title) !== title
}

/**
 * A title as the wiki writes it: with spaces for underscores, the wiki's own name of a namespace that may be named in English, and a capital letter where its titles begin
 * with one. What a wiki of another kind does with its titles, such as translating letters, is not known here.
 */
export function resolveTitle(
  title: string,
  { namespaces, language, case: usual }: Pick<SiteInfo, 'namespaces' | 'language' | 'case'>,
): string {
  const spaced = title.replace(/[\s_]+/g, ' ').trim()
  const colon = spaced.indexOf(':')
  const key = colon > 0 ? searchNamespace(spaced.slice(0, colon), namespaces) : undefined
  const found = key ? namespaces.find((namespace) => namespace.key === key) : undefined
  const rest = found ? spaced.slice(colon + 1).trimStart() : spaced
  const own = found ?? namespaces.find((namespace) => namespace.key === 0)
  const name = (own?.case ?? usual) === 'first-letter' ? capitalise(rest, language) : rest
  return found ? `${found.name}:${name}` : name
}
