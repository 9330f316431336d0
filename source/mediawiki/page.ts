// Pages, as `docs/page.schema.json` describes them. Numbers are numbers where MediaWiki's schema (docs/export-0.11.xsd in its repository)
// has numbers; what the dump does not have is absent.

import type { XmlElement, XmlElementData } from '../xml/element.ts'
import { Fault } from '../xml/fault.ts'
import { dropUndefined, parseInteger, requireInteger } from './fields.ts'
import { addContent, makeRevision, type Revision, type RevisionFacts } from './revision.ts'
import { makeUpload, type Upload } from './upload.ts'

/** The data of a page without its revisions. */
export interface PageFacts {
  id: number
  /** The namespace's number. Absent in dumps before schema 0.6. */
  ns?: number
  title: string
  /** The title that this page redirects to. Absent for other pages, and when the target is not a valid title. */
  redirect?: string
  /** Who may edit and move it, in old dumps: `edit=sysop:move=sysop`. */
  restrictions?: string
  /** Of wikis with LiquidThreads: what a thread is, by the names that the dump gives. */
  discussion?: Record<string, string>
  /** Elements that are not in any schema. */
  other?: XmlElementData[]
}

/** A page with its newest revision in the dump: the one with the latest timestamp, then the largest id. */
export interface Page extends PageFacts {
  /** Versions of a file, where the page is one and the dump has them. */
  uploads?: Upload[]
  /** Absent when the dump has none for this page. */
  revision?: Revision
}

/** A page except for the content of its revision. */
export interface PageOutline extends PageFacts {
  uploads?: Upload[]
  revision?: RevisionFacts
}

/** Puts together what is known of a page, from its children in the order of the dump. */
export class PageBuilder {
  readonly #place: { start: number }
  #title: string | undefined
  #id: string | undefined
  #ns: string | undefined
  #redirect: string | undefined
  #restrictions: string | undefined
  #discussion: Record<string, string> | undefined
  #other: XmlElementData[] | undefined
  readonly #uploads: Upload[] = []
  /** The newest revision so far. No other one is kept, so memory does not grow with the history of a page. */
  #revision: XmlElement | undefined

  /** `place` is where the page begins, for messages. */
  constructor(place: { start: number }) {
    this.#place = place
  }

  add(child: XmlElement): void {
    switch (child.name) {
      case 'title':
        this.#title = child.ownText
        break
      case 'id':
        this.#id = child.ownText
        break
      case 'ns':
        this.#ns = child.ownText
        break
      case 'redirect':
        this.#redirect = child.attribute('title')
        break
      case 'restrictions':
        this.#restrictions = child.ownText
        break
      case 'revision':
        if (!this.#revision || isAsNew(child, this.#revision)) this.#revision = child
        break
      case 'upload':
        this.#uploads.push(makeUpload(child))
        break
      case 'discussionthreadinginfo':
      case 'DiscussionThreading':
        this.#discussion = Object.fromEntries(child.childElements.map((field) => [field.name, field.ownText]))
        break
      default:
        this.#other ??= []
        this.#other.push(child.toJSON())
    }
  }

  /** What is known so far about which page it is, for messages: `page "Xylem" (id 1)`. */
  describe(): string {
    const title = this.#title === undefined ? '' : ` ${JSON.stringify(this.#title)}`
    const id = this.#id === undefined ? '' : ` (id ${this.#id.trim()})`
    return `page${title}${id}`
  }

  /** Throws a `Fault` when there is no title or no id. */
  facts(): PageFacts {
    const place = this.#place
    if (this.#title === undefined) throw new Fault('a page has no title', 'malformed-page', undefined, place.start)
    return dropUndefined<PageFacts>({
      id: requireInteger('the id of a page', this.#id, place),
      ns: parseInteger('the namespace of a page', this.#ns, place),
      title: this.#title,
      redirect: this.#redirect,
      restrictions: this.#restrictions,
      discussion: this.#discussion,
      other: this.#other,
    })
  }

  /** The page with its newest revision; undefined where the filter, which sees all but the content, refuses it. */
  finish(filter: ((page: PageOutline) => boolean) | undefined): Page | undefined {
    const outline: PageOutline = this.facts()
    if (this.#uploads.length > 0) outline.uploads = this.#uploads
    if (this.#revision) outline.revision = makeRevision(this.#revision)
    if (filter && !filter(outline)) return undefined
    if (outline.revision) addContent(outline.revision, this.#revision as XmlElement)
    return outline
  }
}

/** Whether a revision is at least as new as another one: by its timestamp, then by its id. The page scanner decides in the same way. */
function isAsNew(one: XmlElement, other: XmlElement): boolean {
  const [time, otherTime] = [one.childText('timestamp') ?? '', other.childText('timestamp') ?? '']
  if (time !== otherTime) return time > otherTime
  return idOf(one) >= idOf(other)
}

/** The id of a revision; what is not a number comes before all numbers. */
function idOf(revision: XmlElement): number {
  const text = revision.childText('id') ?? ''
  return /^\s*-?\d+\s*$/.test(text) ? Number(text) : Number.NEGATIVE_INFINITY
}
