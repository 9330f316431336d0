// Links in wikitext. The text stays as it is; a link is a part of it.

/** A part of a text: what it links to, if it is a link. */
export interface WikitextPart {
  readonly text: string
  readonly target: string | undefined
}

/**
 * The inside of `[[Title]]`, `[[Title#section]]` and `[[Title|text]]`; of a link whose text has links itself, as those to files have, only the title.
 * A link to a section of the same page leads to no other one.
 */
const LINK = /(?<=\[\[)(?!#)([^[\]{}|<>\n]+)(?:\|[^[\]]*(?=\]\])|(?=\]\])|(?=\|))/g

/** All of a text, in its order. */
export function splitLinks(text: string): WikitextPart[] {
  const parts: WikitextPart[] = []
  let at = 0
  for (const { 0: link, 1: target, index } of text.matchAll(LINK)) {
    if (index > at) parts.push({ text: text.slice(at, index), target: undefined })
    parts.push({ text: link, target })
    at = index + link.length
  }
  if (at < text.length) parts.push({ text: text.slice(at), target: undefined })
  return parts
}

/** The title and the section that a link leads to; a link that begins with a slash leads to a page below the one that it is in. */
export function readTarget(target: string, page: string): { readonly title: string; readonly section: string } {
  const [, name = '', section = ''] = /^([^#]*)#?(.*)$/s.exec(target) ?? []
  return { title: name.startsWith('/') ? `${page}${name}` : name, section: section.replaceAll('_', ' ').trim() }
}

/** Where the heading of a section stands in a text; -1 if it is not there. */
export function findSection(text: string, section: string): number {
  if (section === '') return -1
  const wanted = section.toLowerCase()
  for (const { 1: heading = '', index } of text.matchAll(/^=+[ \t]*(.*?)[ \t]*=+[ \t]*$/gm)) {
    if (heading.toLowerCase() === wanted) return index
  }
  return -1
}
