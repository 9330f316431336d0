// From the XML of one page to a `Page`, with the sax package.

import type { QualifiedTag, Tag } from 'sax'
import type { Contributor, Page, Revision } from './page.ts'
import { makeStrictParser, XmlFault } from './strict-parser.ts'

/** Texts of the elements that are kept, by their path. */
interface Fields {
  'page/id'?: string
  'page/ns'?: string
  'page/title'?: string
  'page/revision/id'?: string
  'page/revision/parentid'?: string
  'page/revision/timestamp'?: string
  'page/revision/contributor/username'?: string
  'page/revision/contributor/id'?: string
  'page/revision/contributor/ip'?: string
  'page/revision/comment'?: string
  'page/revision/model'?: string
  'page/revision/format'?: string
  'page/revision/sha1'?: string
  'page/revision/text'?: string
}
const FIELDS: ReadonlySet<string> = new Set<keyof Fields>([
  'page/id',
  'page/ns',
  'page/title',
  'page/revision/id',
  'page/revision/parentid',
  'page/revision/timestamp',
  'page/revision/contributor/username',
  'page/revision/contributor/id',
  'page/revision/contributor/ip',
  'page/revision/comment',
  'page/revision/model',
  'page/revision/format',
  'page/revision/sha1',
  'page/revision/text',
])

/**
 * Parses `<page>…</page>`. Of several revisions the last one is kept; elements that are not known are passed over, so that new
 * schema versions can be read.
 *
 * Throws a `XmlFault` where the text is not well-formed XML, or a number is none.
 */
export function parsePage(xml: string): Page {
  return new PageParser(xml).parse()
}

class PageParser {
  readonly #xml: string
  readonly #sax = makeStrictParser()
  /** Names of the open elements. */
  #path = ''
  /** Where text goes now, when it is kept. */
  #field: keyof Fields | undefined
  #fields: Fields = {}
  #redirect: string | undefined
  #hasRevision = false
  #isMinor = false
  #isContributorDeleted = false
  #textAttributes: Record<string, string> = {}

  constructor(xml: string) {
    this.#xml = xml
    this.#sax.onopentag = (tag) => this.#open(tag)
    this.#sax.ontext = (text) => this.#append(text)
    this.#sax.oncdata = (text) => this.#append(text)
    this.#sax.onclosetag = () => this.#close()
  }

  parse(): Page {
    // XML 1.0, 2.11: line ends are folded before anything else. sax leaves that to its caller.
    const folded = this.#xml.includes('\r') ? this.#xml.replace(/\r\n?/g, '\n') : this.#xml
    this.#sax.write(folded).close()
    return this.#makePage()
  }

  #open({ name, attributes }: Tag | QualifiedTag): void {
    const path = this.#path === '' ? name : `${this.#path}/${name}`
    this.#path = path
    this.#field = undefined
    switch (path) {
      case 'page/redirect':
        this.#redirect = attributes.title as string | undefined
        break
      case 'page/revision':
        this.#beginRevision()
        break
      case 'page/revision/minor':
        this.#isMinor = true
        break
      case 'page/revision/contributor':
        this.#isContributorDeleted = 'deleted' in attributes
        break
      case 'page/revision/text':
        this.#textAttributes = attributes as Record<string, string>
        break
    }
    if (!FIELDS.has(path) || 'deleted' in attributes) return
    this.#field = path as keyof Fields
    this.#fields[this.#field] = ''
  }

  #append(text: string): void {
    if (this.#field) this.#fields[this.#field] += text
  }

  #close(): void {
    this.#path = this.#path.slice(0, Math.max(0, this.#path.lastIndexOf('/')))
    // Text may go on behind a child that is not known.
    this.#field = this.#path in this.#fields ? (this.#path as keyof Fields) : undefined
  }

  /** Forgets the revision before. */
  #beginRevision(): void {
    for (const path of Object.keys(this.#fields) as (keyof Fields)[]) {
      if (path.startsWith('page/revision/')) delete this.#fields[path]
    }
    this.#hasRevision = true
    this.#isMinor = false
    this.#isContributorDeleted = false
    this.#textAttributes = {}
  }

  // Keys are in the order in which they are printed.
  #makePage(): Page {
    const fields = this.#fields
    const title = fields['page/title']
    if (title === undefined) throw new XmlFault('a page has no title', 0)
    return dropUndefined<Page>({
      id: this.#requireInteger('the id of a page', fields['page/id']),
      ns: this.#parseInteger('the namespace of a page', fields['page/ns']),
      title,
      redirect: this.#redirect,
      revision: this.#hasRevision ? this.#makeRevision() : undefined,
    })
  }

  #makeRevision(): Revision {
    const fields = this.#fields
    const { bytes } = this.#textAttributes
    return dropUndefined<Revision>({
      id: this.#requireInteger('the id of a revision', fields['page/revision/id']),
      parentid: this.#parseInteger('the parentid of a revision', fields['page/revision/parentid']),
      timestamp: fields['page/revision/timestamp'],
      contributor: this.#makeContributor(),
      minor: this.#isMinor ? true : undefined,
      comment: fields['page/revision/comment'],
      model: fields['page/revision/model'],
      format: fields['page/revision/format'],
      bytes: this.#parseInteger('the size of a text', bytes),
      sha1: fields['page/revision/sha1'] || undefined,
      text: this.#isTextMissing() ? undefined : fields['page/revision/text'],
    })
  }

  #makeContributor(): Contributor | undefined {
    if (this.#isContributorDeleted) return { deleted: true }
    const ip = this.#fields['page/revision/contributor/ip']
    if (ip !== undefined) return { ip }
    const username = this.#fields['page/revision/contributor/username']
    if (username === undefined) return undefined
    const id = this.#parseInteger('the id of a contributor', this.#fields['page/revision/contributor/id'])
    return id === undefined ? { username } : { username, id }
  }

  /** An empty element whose size is not 0 stands for a text that is elsewhere (stubs) or could not be fetched. */
  #isTextMissing(): boolean {
    const { bytes = '0' } = this.#textAttributes
    return this.#fields['page/revision/text'] === '' && bytes !== '0'
  }

  #requireInteger(what: string, text: string | undefined): number {
    const number = this.#parseInteger(what, text)
    if (number === undefined) throw new XmlFault(`${what} is missing`, 0)
    return number
  }

  #parseInteger(what: string, text: string | undefined): number | undefined {
    if (text === undefined || /^\s*$/.test(text)) return undefined
    const number = /^\s*-?\d+\s*$/.test(text) ? Number(text) : Number.NaN
    if (!Number.isSafeInteger(number)) throw new XmlFault(`${what} is not a whole number: ${JSON.stringify(text)}`, 0)
    return number
  }
}

/** The object without its undefined properties. */
function dropUndefined<T extends object>(object: { [K in keyof T]: T[K] | undefined }): T {
  for (const key of Object.keys(object) as (keyof T)[]) {
    if (object[key] === undefined) delete object[key]
  }
  return object as T
}
