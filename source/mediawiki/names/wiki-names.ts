// Names and titles as wikis write them. In most namespaces, titles begin with a capital letter, and names of namespaces have one form.

import type { Contributor } from '../shape/contributor.ts'
import type { SiteInfo } from '../shape/site-info.ts'
import { searchNamespace } from './namespace-names.ts'

/** Letters that are their own capitals at the beginning of a title: those of Georgian. */
const UNCHANGED = /^[\u10d0-\u10ff]/u
/** Languages in which the capital of i has a dot. */
const DOTTED = ['tr', 'az', 'kaa']

/** A text that begins with a capital letter, in a language (default: any). */
export function capitalise(text: string, language?: string): string {
  const [first = ''] = text
  if (UNCHANGED.test(first)) return text
  const isDotted = first === 'i' && language !== undefined && DOTTED.includes(language)
  const capital = isDotted ? 'İ' : first.toUpperCase()
  // Letters such as ß, whose capital is two letters, stay.
  return [...capital].length === 1 ? capital + text.slice(first.length) : text
}

/** The forms of the name of a contributor: as it is given, and as wikis have it, with spaces for underscores and a capital letter at the beginning, or as an address. */
export function formsOfContributor(name: string): string[] {
  const spaced = name.replace(/[\s_]+/g, ' ').trim()
  return [...new Set([name, spaced, capitalise(spaced), writeAddress(spaced)])]
}

/** An IPv6 address with all of its groups, in capitals and without leading zeros, as wikis write it; another text as it is. */
function writeAddress(text: string): string {
  const [before = [], after, ...more] = text.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = after && more.length === 0 ? 8 - before.length - after.length : 0
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...(after ?? [])]
  if (groups.length !== 8 || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return text
  return groups.map((group) => group.replace(/^0+(?=.)/, '').toUpperCase()).join(':')
}

/** The name or the address of a contributor; undefined for one that is suppressed. */
export function nameOf(contributor: Contributor | undefined): string | undefined {
  if (!contributor) return undefined
  if ('username' in contributor) return contributor.username
  return 'ip' in contributor ? contributor.ip : undefined
}

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
