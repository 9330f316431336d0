// Pages of a wiki about trees: articles with links to each other, redirects, talk pages and categories.

import type { MakeBlock } from './made-document.ts'
import { ADJECTIVES, Dice, fill, PEOPLE, TOPICS, TREES, writeSentences } from './plants.ts'

const PAGES = 100
/** Pages that have a title of their own. */
const TITLES = TREES.length * ADJECTIVES.length * TOPICS.length
/** Categories come last, each for a tree. */
const FIRST_CATEGORY = TITLES - TREES.length + 1
const END = '</mediawiki>\n'
const HEAD = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>The Wiki of Trees</sitename>
    <base>https://wiki.example.org/wiki/Main_Page</base>
    <case>first-letter</case>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="14" case="first-letter">Category</namespace>
    </namespaces>
  </siteinfo>
`

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const categoryOf = (tree: number) => `Category:${capitalise(TREES[tree] as string)}`
/** Numbers of pages, of any kind, in an order that looks like none. */
const placeOf = (id: number) => (id * 7919) % TITLES

interface Heading {
  readonly title: string
  readonly ns: number
  readonly tree: number
  /** The page that it leads to. */
  readonly redirect: string | undefined
}

type Kind = 'article' | 'redirect' | 'talk' | 'category'

function kindOf(id: number): Kind {
  if (id >= FIRST_CATEGORY) return 'category'
  if (id % 10 === 0) return 'redirect'
  return id % 13 === 0 ? 'talk' : 'article'
}

/** What stands above the text of a page, by its number from 1. */
function headingOf(id: number): Heading {
  const kind = kindOf(id)
  if (kind === 'category') {
    const tree = (id - FIRST_CATEGORY) % TREES.length
    return { title: categoryOf(tree), ns: 14, tree, redirect: undefined }
  }
  if (kind === 'talk') {
    const { title, tree } = headingOf(articleBefore(id))
    return { title: `Talk:${title}`, ns: 1, tree, redirect: undefined }
  }
  const place = placeOf(id)
  const topic = TOPICS[place % TOPICS.length] as string
  const adjective = ADJECTIVES[Math.floor(place / TOPICS.length) % ADJECTIVES.length] as string
  const tree = Math.floor(place / TOPICS.length / ADJECTIVES.length) % TREES.length
  const name = `${adjective} ${TREES[tree]}`
  if (kind === 'article') return { title: `${topic} of the ${name}`, ns: 0, tree, redirect: undefined }
  const redirect = headingOf(articleBefore(id)).title
  return { title: `${capitalise(name)} (${topic.toLowerCase()})`, ns: 0, tree, redirect }
}

function articleBefore(id: number): number {
  let before = id - 1
  while (kindOf(before) !== 'article') before--
  return before
}

export const makeWikiBlock: MakeBlock = (number, { size, isFirst, isLast }) => {
  const dice = new Dice(number)
  let made = isFirst ? HEAD : ''
  const end = isLast ? END : ''
  for (let i = 0; i < PAGES; i++) {
    const id = number * PAGES + i + 1
    const isLastHere = i === PAGES - 1
    const room = size - end.length - made.length
    const average = Math.floor(room / (PAGES - i))
    made += makePage(id, dice, average, isLastHere ? room : undefined)
  }
  return made + end
}

/** A page of about so many characters, or of exactly so many. */
function makePage(id: number, dice: Dice, average: number, exactly: number | undefined): string {
  const { title, ns, tree, redirect } = headingOf(id)
  const day = new Date(Date.UTC(2026, 0, 2) + id * 611_000).toISOString().replace('.000', '')
  const author = dice.below(PEOPLE.length)
  const head = `  <page>
    <title>${title}</title>
    <ns>${ns}</ns>
    <id>${id}</id>${redirect === undefined ? '' : `\n    <redirect title="${redirect}" />`}
    <revision>
      <id>${100_000 + id}</id>
      <timestamp>${day}</timestamp>
      <contributor>
        <username>${PEOPLE[author]}</username>
        <id>${author + 1}</id>
      </contributor>
      <comment>${redirect === undefined ? 'more about it' : 'redirect'}</comment>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text xml:space="preserve">`
  const tail = '</text>\n    </revision>\n  </page>\n'
  const others = head.length + tail.length
  const text =
    redirect === undefined
      ? writeText(title, ns, tree, dice, Math.floor((average - others) * (0.4 + dice.below(100) / 100)))
      : `#REDIRECT [[${redirect}]]`
  if (exactly === undefined) return head + text + tail
  const missing = exactly - others - text.length
  return head + (missing < 0 ? text.slice(0, missing) : text + fill(missing)) + tail
}

function writeText(title: string, ns: number, tree: number, dice: Dice, length: number): string {
  const { title: other } = headingOf(1 + dice.below(FIRST_CATEGORY - 1))
  const name = title.replace(/^\w+:/, '')
  if (ns === 1)
    return `== Sources ==\nWhich sources does [[${name}]] have? ${writeSentences(dice, length / 4)} --[[User:Ada|Ada]]`
  if (ns === 14) return `Pages about the '''${name.toLowerCase()}'''. ${writeSentences(dice, length / 4)}`
  let text = `'''${name}''' &lt;ref&gt;after [[${other}]]&lt;/ref&gt;. ${writeSentences(dice, 150)}\n\n`
  while (text.length < length) {
    const { title: next } = headingOf(1 + dice.below(FIRST_CATEGORY - 1))
    text += `== ${dice.pick(TOPICS)} ==\n${writeSentences(dice, 50)} Compare [[${next}]]. ${writeSentences(dice, 50)}\n\n`
  }
  return `${text}[[${categoryOf(tree)}]]`
}
