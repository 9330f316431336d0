// From what an XML parser reports about a dump to its pages, revisions or log items. Elements that are not known are skipped or kept, so
// that new versions of the schema can be read.

import type { LimitError } from '../stream/errors.ts'
import type { Position } from '../text/line-counter.ts'
import type { ParseError } from '../text/parse-error.ts'
import type { XmlAttributes } from '../xml/attributes.ts'
import type { XmlElement } from '../xml/element.ts'
import { Fault, LocatedFault } from '../xml/fault.ts'
import type { Name } from '../xml/names.ts'
import { Path } from '../xml/path.ts'
import { Selector } from '../xml/selector.ts'
import type { DocumentFacts } from '../xml/sink.ts'
import type { RootFacts } from './site-info.ts'

const ROOT = 'mediawiki'
const PAGE = 'page'

/** What is delivered: the children of pages, or log items. A page may be larger than memory; what is in it is not. */
export type Granularity = 'child' | 'logitem'

const PATHS: Record<Granularity, readonly string[]> = {
  child: ['siteinfo', 'page/*'],
  logitem: ['siteinfo', 'logitem'],
}

/** Gets the items, in the order of the dump. It may throw a `Fault`, which the parser explains. */
export interface DumpReceiver {
  root(facts: RootFacts): void
  /** A page begins at an offset; its children follow. Only where children of pages are delivered. */
  beginPage(start: number): void
  /** The page has ended before an offset. */
  endPage(end: number): void
  /** `<siteinfo>`, a child of a page or a log item. */
  receive(element: XmlElement): void
}

export interface DumpSinkOptions {
  readonly granularity: Granularity
  /** Whether the input is a dump from its root on, or pages alone. */
  readonly hasRoot: boolean
  readonly receiver: DumpReceiver
  /** Gets the error for anything that is not a page, revision or log item. It is then not thrown, and the element is left out. */
  readonly onFault?: ((error: ParseError | LimitError) => void) | undefined
}

/** Where a page begins or ends, in the order of the dump. */
interface Edge {
  readonly kind: 'begin' | 'end'
  /** In the source, and in its UTF-8. */
  readonly offset: number
  readonly place: number
}

export class DumpSink extends Selector {
  readonly #granularity: Granularity
  readonly #receiver: DumpReceiver
  /** How deep pages are. */
  readonly #pageDepth: number
  #depth = 0
  #child: string | undefined
  #facts: DocumentFacts | undefined
  /** Where the page began whose children are delivered: it may be gone when something turns out to be wrong with it. */
  #page: { readonly offset: number; readonly position: Position } | undefined
  readonly #onFault: DumpSinkOptions['onFault']
  /** Of pages whose children are delivered, and which were not reported yet. */
  #edges: Edge[] = []

  constructor({ granularity, hasRoot, receiver, onFault }: DumpSinkOptions) {
    const paths = PATHS[granularity].map((path) => new Path(hasRoot ? `/${ROOT}/${path}` : `/${path}`))
    super({ paths, nested: 'outermost', isTold: true })
    this.#granularity = granularity
    this.#receiver = receiver
    this.#onFault = onFault
    this.#pageDepth = hasRoot ? 1 : 0
  }

  override begin(facts: DocumentFacts): void {
    super.begin(facts)
    this.#facts = facts
  }

  /** A page where none should be is not skipped. */
  override canPass(name: Name): boolean {
    return name.raw !== PAGE && super.canPass(name)
  }

  override wantsTag(name: Name): boolean {
    return this.#depth < this.#pageDepth || super.wantsTag(name)
  }

  override startElement(...element: Parameters<Selector['startElement']>): void {
    const [name, , attributes, start] = element
    if (this.#depth === 0 && this.#pageDepth === 1) this.#beginRoot(name, attributes, start)
    else if (name.raw === PAGE) this.#beginPage(start)
    if (this.#depth === this.#pageDepth + 1) this.#child = name.raw
    this.#depth++
    super.startElement(...element)
  }

  /** The name of the child of a page, or of the root, that is open; undefined between two. */
  get openChild(): string | undefined {
    return this.#depth > this.#pageDepth + 1 ? this.#child : undefined
  }

  override endElement(start: number, end: number): void {
    this.#depth--
    super.endElement(start, end)
    if (this.#granularity !== 'child' || this.#depth !== this.#pageDepth) return
    const last = this.#edges.at(-1)
    if (last?.kind === 'begin' || this.#isInPage) this.#addEdge('end', end)
    this.#isInPage = false
  }

  override leave(words: Int32Array): void {
    super.leave(words)
    for (const element of this.take()) {
      this.#passEdges(element.start)
      this.#tell(() => this.#receiver.receive(element))
    }
    this.#passEdges(Number.POSITIVE_INFINITY)
  }

  /** Whether a page is open whose children are delivered. */
  #isInPage = false

  #beginRoot({ raw }: Name, attributes: XmlAttributes, start: number): void {
    if (raw !== ROOT) {
      const message = `not a MediaWiki dump: the root element is <${raw}>, not <${ROOT}>`
      throw new Fault(message, 'malformed-dump', undefined, start)
    }
    const facts: RootFacts = {}
    const version = attributes.get('version')
    if (version !== undefined) facts.version = version
    const language = attributes.get('xml:lang')
    if (language !== undefined) facts.language = language
    this.#receiver.root(facts)
  }

  #beginPage(start: number): void {
    if (this.#depth !== this.#pageDepth) {
      throw new Fault(`a page must be inside <${ROOT}>`, 'malformed-dump', undefined, start)
    }
    if (this.#granularity !== 'child') return
    this.#isInPage = true
    this.#addEdge('begin', start)
  }

  #addEdge(kind: Edge['kind'], place: number): void {
    this.#edges.push({ kind, offset: this.#facts?.toSource?.(place) ?? place, place })
  }

  #passEdges(offset: number): void {
    while (this.#edges[0] && this.#edges[0].offset <= offset) {
      const edge = this.#edges.shift() as Edge
      if (edge.kind === 'begin') {
        this.#page = { offset: edge.offset, position: (this.#facts as DocumentFacts).locate(edge.place) }
        this.#receiver.beginPage(edge.offset)
      } else this.#tell(() => this.#receiver.endPage(edge.offset))
    }
  }

  /** Passes something to the receiver, and what the receiver throws to `onFault`. */
  #tell(act: () => void): void {
    try {
      act()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const fault = this.#place(error)
      if (!this.#onFault) throw fault
      this.#onFault((this.#facts as DocumentFacts).explain(fault))
    }
  }

  /** An error in an element, with its place in the UTF-8. */
  #place({ message, code, constraint, offset }: Fault): Fault {
    if (offset !== undefined && offset === this.#page?.offset) {
      return new LocatedFault(message, code, constraint, this.#page.position)
    }
    // Where the two are not the same it is said of the end of the element.
    return new Fault(message, code, constraint, this.#facts?.toSource ? undefined : offset)
  }
}
