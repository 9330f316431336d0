// From what an XML parser tells of a dump to its pages. Elements that are not known are passed over, so that new versions of the schema
// can be read; of several revisions of a page the last one is kept.

import type { XmlAttributes } from '../xml/attributes.ts'
import { Fault } from '../xml/fault.ts'
import type { Name } from '../xml/names.ts'
import { AttentiveSink, type Sink } from '../xml/sink.ts'
import type { Contributor, Page, Revision } from './page.ts'

const ROOT = 'mediawiki'
const PAGE = 'page'

/** Texts of elements that are kept. */
interface Fields {
  id?: string
  ns?: string
  title?: string
  revisionId?: string
  parentid?: string
  timestamp?: string
  username?: string
  contributorId?: string
  ip?: string
  comment?: string
  model?: string
  format?: string
  sha1?: string
  text?: string
}

/** What is made of an element: a text that is kept, or its children. */
interface Shape {
  readonly field?: keyof Fields
  readonly children?: ReadonlyMap<string, Shape>
}

const UNKNOWN: Shape = {}
const CONTRIBUTOR: Shape = shape({ username: 'username', id: 'contributorId', ip: 'ip' })
const REVISION_FIELDS = {
  id: 'revisionId',
  parentid: 'parentid',
  timestamp: 'timestamp',
  comment: 'comment',
  model: 'model',
  format: 'format',
  sha1: 'sha1',
  text: 'text',
} as const
const REVISION: Shape = shape(REVISION_FIELDS, { contributor: CONTRIBUTOR, minor: {} })
const PAGE_SHAPE: Shape = shape({ id: 'id', ns: 'ns', title: 'title' }, { revision: REVISION, redirect: {} })
const ROOT_SHAPE: Shape = shape({}, { [PAGE]: PAGE_SHAPE })

function shape(fields: Record<string, keyof Fields>, others: Record<string, Shape> = {}): Shape {
  const leaves = Object.entries(fields).map(([name, field]): [string, Shape] => [name, { field }])
  return { children: new Map([...leaves, ...Object.entries(others)]) }
}

/** Collects pages. Throws a `Fault` for what is no dump. */
export class PageCollector extends AttentiveSink implements Sink {
  readonly #shapes: Shape[] = []
  #pages: Page[] = []
  #fields: Fields = {}
  #field: keyof Fields | undefined
  /** Where the page begins. */
  #start = 0
  #redirect: string | undefined
  #hasRevision = false
  #isMinor = false
  #isContributorDeleted = false
  #bytes: string | undefined

  /** Whether the root has begun. */
  get hasRoot(): boolean {
    return this.#hasRoot
  }
  #hasRoot = false

  get wantsContent(): boolean {
    return this.#field !== undefined
  }

  /** The pages that are whole; none: an empty array. */
  take(): Page[] {
    const pages = this.#pages
    if (pages.length > 0) this.#pages = []
    return pages
  }

  begin(): void {}
  wantsTag(): boolean {
    return this.#shapes.length > 1
  }

  startElement({ raw }: Name, _namespace: string | undefined, attributes: XmlAttributes, start: number): void {
    const parent = this.#shapes.at(-1)
    const own = parent ? (parent.children?.get(raw) ?? UNKNOWN) : this.#beginRoot(raw, start)
    this.#shapes.push(own)
    if (raw === PAGE && own !== PAGE_SHAPE && !this.#shapes.includes(PAGE_SHAPE)) {
      throw new Fault(`a page stands outside <${ROOT}>`, 'malformed-dump', undefined, start)
    }
    this.#field = undefined
    if (own === PAGE_SHAPE) this.#beginPage(start)
    else if (own === REVISION) this.#beginRevision()
    else if (own === CONTRIBUTOR) this.#isContributorDeleted = attributes.has('deleted')
    else if (parent === PAGE_SHAPE && raw === 'redirect') this.#redirect = attributes.get('title')
    else if (parent === REVISION && raw === 'minor') this.#isMinor = true
    if (own.field === undefined) return
    if (own.field === 'text') this.#bytes = attributes.get('bytes')
    if (attributes.has('deleted')) return
    this.#field = own.field
    this.#fields[own.field] = ''
  }

  endElement(): void {
    const ended = this.#shapes.pop()
    if (ended === PAGE_SHAPE) this.#pages.push(this.#makePage())
    // Text may go on behind a child that is not known.
    const field = this.#shapes.at(-1)?.field
    this.#field = field !== undefined && this.#fields[field] !== undefined ? field : undefined
  }

  text(text: string): void {
    if (this.#field) this.#fields[this.#field] += text
  }

  comment(): void {}
  instruction(): void {}
  declaration(): void {}
  documentType(): void {}
  finish(): void {}

  #beginRoot(name: string, start: number): Shape {
    this.#hasRoot = true
    if (name === ROOT) return ROOT_SHAPE
    const message = `this is not a MediaWiki dump: its root is <${name}>, not <${ROOT}>`
    throw new Fault(message, 'malformed-dump', undefined, start)
  }

  #beginPage(start: number): void {
    this.#start = start
    this.#fields = {}
    this.#redirect = undefined
    this.#hasRevision = false
  }

  /** Forgets the revision before. */
  #beginRevision(): void {
    const { id, ns, title } = this.#fields
    this.#fields = dropUndefined<Fields>({ id, ns, title })
    this.#hasRevision = true
    this.#isMinor = false
    this.#isContributorDeleted = false
    this.#bytes = undefined
  }

  // Keys are in the order in which they are printed.
  #makePage(): Page {
    const { title, id, ns } = this.#fields
    if (title === undefined) throw this.#fault('a page has no title')
    return dropUndefined<Page>({
      id: this.#requireInteger('the id of a page', id),
      ns: this.#parseInteger('the namespace of a page', ns),
      title,
      redirect: this.#redirect,
      revision: this.#hasRevision ? this.#makeRevision() : undefined,
    })
  }

  #makeRevision(): Revision {
    const { revisionId, parentid, timestamp, comment, model, format, sha1, text } = this.#fields
    return dropUndefined<Revision>({
      id: this.#requireInteger('the id of a revision', revisionId),
      parentid: this.#parseInteger('the parentid of a revision', parentid),
      timestamp,
      contributor: this.#makeContributor(),
      minor: this.#isMinor ? true : undefined,
      comment,
      model,
      format,
      bytes: this.#parseInteger('the size of a text', this.#bytes),
      sha1: sha1 || undefined,
      text: this.#isTextMissing() ? undefined : text,
    })
  }

  #makeContributor(): Contributor | undefined {
    const { ip, username, contributorId } = this.#fields
    if (this.#isContributorDeleted) return { deleted: true }
    if (ip !== undefined) return { ip }
    if (username === undefined) return undefined
    const id = this.#parseInteger('the id of a contributor', contributorId)
    return id === undefined ? { username } : { username, id }
  }

  /** An empty element whose size is not 0 stands for a text that is elsewhere (stubs) or could not be fetched. */
  #isTextMissing(): boolean {
    return this.#fields.text === '' && (this.#bytes ?? '0') !== '0'
  }

  #requireInteger(what: string, text: string | undefined): number {
    const number = this.#parseInteger(what, text)
    if (number === undefined) throw this.#fault(`${what} is missing`)
    return number
  }

  #parseInteger(what: string, text: string | undefined): number | undefined {
    if (text === undefined || /^\s*$/.test(text)) return undefined
    const number = /^\s*-?\d+\s*$/.test(text) ? Number(text) : Number.NaN
    if (!Number.isSafeInteger(number)) throw this.#fault(`${what} is not a whole number: ${JSON.stringify(text)}`)
    return number
  }

  #fault(message: string): Fault {
    return new Fault(message, 'malformed-page', undefined, this.#start)
  }
}

/** The object without its undefined properties. */
function dropUndefined<T extends object>(object: { [K in keyof T]: T[K] | undefined }): T {
  for (const key of Object.keys(object) as (keyof T)[]) {
    if (object[key] === undefined) delete object[key]
  }
  return object as T
}
