// A dump of large pages, made from a fixed seed: words in a few languages with the marks of wikitext among them.
//
// There is a reference about every 100 bytes, and four characters of 100 are not ASCII: a little less of the one, and of the other as
// much, as in the Latgalian Wikipedia.

/** Changes with what is made here: files are kept by their names. */
export const PROSE_FILE = 'xml-prose-1.xml'

/** Of pages; larger documents repeat them. In UTF-16 units. */
const SIZE = 16 * 1024 * 1024
const SHORTEST_PAGE = 20_000
const LONGEST_PAGE = 400_000

const HEAD = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">
  <siteinfo>
    <sitename>Prose</sitename>
    <namespaces>
      <namespace key="0" case="first-letter" />
    </namespaces>
  </siteinfo>
`

export function makeProse(): string {
  return `${HEAD}${makePages()}</mediawiki>\n`
}

function makePages(): string {
  const random = new Random()
  const pages: string[] = []
  for (let length = 0; length < SIZE; length += pages.at(-1)?.length ?? 0)
    pages.push(makePage(random, pages.length + 1))
  return pages.join('')
}

function makePage(random: Random, id: number): string {
  return `  <page>
    <title>${random.words(1, 3)}</title>
    <ns>0</ns>
    <id>${id}</id>
    <revision>
      <id>${id + 1_000_000}</id>
      <timestamp>2026-01-02T03:04:05Z</timestamp>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text xml:space="preserve">${makeText(random, SHORTEST_PAGE + random.below(LONGEST_PAGE - SHORTEST_PAGE))}</text>
    </revision>
  </page>
`
}

function makeText(random: Random, length: number): string {
  let text = ''
  while (text.length < length) {
    const sentences = Array.from({ length: 1 + random.below(8) }, () => makeSentence(random))
    const heading = random.below(6) === 0 ? `== ${random.words(1, 4)} ==\n` : ''
    text += `${heading}${sentences.join(' ')}\n\n`
  }
  return text
}

function makeSentence(random: Random): string {
  const words = `${random.words(5, 20)} ${random.pick(MARKS)(random)} ${random.words(2, 15)}.`
  return random.below(6) === 0 ? `${words}&lt;ref name=&quot;${random.words(1, 2)}&quot; /&gt;` : words
}

/** What stands in the middle of a sentence. */
const MARKS: readonly ((random: Random) => string)[] = [
  (random) => `[[${random.words(1, 3)}]]`,
  (random) => `[[${random.words(1, 2)}|${random.words(1, 2)}]]`,
  (random) => `'''${random.words(1, 3)}'''`,
  (random) => `&quot;${random.words(2, 6)}&quot;`,
  (random) => `${random.words(1, 2)} &amp; ${random.words(1, 2)}`,
  (random) => `${random.below(2000)}&amp;nbsp;m`,
  (random) => `(${random.words(2, 6)})`,
  (random) => random.words(2, 6),
]

// Six are not ASCII, of two, three and four bytes a character.
const WORDS =
  'a an and are as at be because branch but by can carries cell does each for from grain grows has heart in into is it its leaf light more most not of on one or plant ring root sap stem such that the their these they this to tree under vessel was water which with wood größe été puķe вода 木 🌳'.split(
    ' ',
  )

/** A linear congruential generator. */
class Random {
  #state = 7

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    // The upper bits: the lower ones have short periods.
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  words(least: number, most: number): string {
    return Array.from({ length: least + this.below(most - least + 1) }, () => this.pick(WORDS)).join(' ')
  }
}
