// What a link in a page of a wiki leads to.

import { resolveTitle, type SiteInfo } from 'xylem/mediawiki'

/** What most wikis do, if a dump says nothing of its wiki. */
const UNKNOWN = { namespaces: [], case: 'first-letter' }

/** The titles that a page may have to which a link leads: as the wiki writes it, and as the link does. */
export function formsOfTitle(target: string, site: SiteInfo | undefined): string[] {
  const written = target
    .replace(/[\s_]+/g, ' ')
    .replace(/^[ :]+/, '')
    .trim()
  return [...new Set([resolveTitle(written, site ?? UNKNOWN), written])]
}
