// Names as wikis write them.

import type { Contributor } from '../shape/contributor.ts'

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

/** The forms of the name of a contributor: as it is given, and as wikis have it, with spaces for underscores and a capital letter at the beginning. */
export function formsOfContributor(name: string): string[] {
  const spaced = name.replace(/[\s_]+/g, ' ').trim()
  return [...new Set([name, spaced, capitalise(spaced)])]
}

/** The name or the address of a contributor; undefined for one that is suppressed. */
export function nameOf(contributor: Contributor | undefined): string | undefined {
  if (!contributor) return undefined
  if ('username' in contributor) return contributor.username
  return 'ip' in contributor ? contributor.ip : undefined
}
