// What a dump says of its wiki, in `<siteinfo>` and on its root.

import { UnplacedError } from '../../xml/errors/unplaced-error.ts'
import type { XmlAttributes } from '../../xml/names/attributes.ts'
import type { Name } from '../../xml/names/names.ts'
import type { DocumentFacts } from '../../xml/parser/consumer.ts'
import { projectionOf } from '../../xml/question/projection.ts'
import { Selector } from '../../xml/selector.ts'
import type { TapeFrame } from '../../xml/tape/tape-frame.ts'
import type { XmlElement } from '../../xml/tree/element.ts'
import { parseInteger } from './fields.ts'

/** A namespace of the wiki. */
export interface Namespace {
  /** Its number: negative for those without pages of their own. */
  key: number
  /** Its local name; empty for the main namespace. */
  name: string
  /** `first-letter` or `case-sensitive`: how its titles begin. */
  case?: string
}

/** The description of the wiki in a dump. Fields that the dump does not have are absent. */
export interface SiteInfo {
  /** The version of the schema, such as `0.11`. */
  version?: string
  /** The content language. */
  language?: string
  siteName?: string
  /** From schema 0.9 on. */
  dbName?: string
  /** The address of the main page. */
  base?: string
  /** The software that wrote the dump. */
  generator?: string
  case?: string
  /** In the order of the dump; empty where it has none. */
  namespaces: Namespace[]
}

/** What stands on the root element. */
export interface RootFacts {
  version?: string
  language?: string
}

/** From the element `<siteinfo>`; undefined where there is none. */
function makeSiteInfo(root: RootFacts, element: XmlElement | undefined): SiteInfo {
  const info: SiteInfo = { ...root, namespaces: [] }
  for (const child of element?.childElements ?? []) {
    const text = child.ownText
    if (child.name === 'sitename') info.siteName = text
    else if (child.name === 'dbname') info.dbName = text
    else if (child.name === 'base') info.base = text
    else if (child.name === 'generator') info.generator = text
    else if (child.name === 'case') info.case = text
    else if (child.name === 'namespaces') info.namespaces = child.childrenNamed('namespace').map(makeNamespace)
  }
  return info
}

function makeNamespace(element: XmlElement): Namespace {
  const key = parseInteger('the key of a namespace', element.attribute('key'), element) ?? 0
  const namespace: Namespace = { key, name: element.ownText }
  const letterCase = element.attribute('case')
  if (letterCase !== undefined) namespace.case = letterCase
  return namespace
}

/** The name of the root of dumps. */
export const ROOT = 'mediawiki'
/** Its end tag. */
export const DUMP_END = new TextEncoder().encode(`</${ROOT}>`)

/** What stands on the root. Throws an `UnplacedError` for any other root than that of a dump. */
export function requireRoot({ raw }: Name, attributes: XmlAttributes, start: number): RootFacts {
  if (raw !== ROOT) {
    const message = `not a MediaWiki dump: the root element is <${raw}>, not <${ROOT}>`
    throw new UnplacedError(message, 'malformed-dump', undefined, start)
  }
  const facts: RootFacts = {}
  const version = attributes.get('version')
  if (version !== undefined) facts.version = version
  const language = attributes.get('xml:lang')
  if (language !== undefined) facts.language = language
  return facts
}

/** Selects the site information of a dump, which ends before the first page. */
export class SiteInfoSelector extends Selector {
  #facts: DocumentFacts | undefined
  #root: RootFacts | undefined
  #element: XmlElement | undefined
  /** Whether all is known. */
  isComplete = false

  constructor() {
    const path = [`/${ROOT}/siteinfo`, `/${ROOT}/page`]
    super({ projection: projectionOf({ path, nested: 'outermost' }) })
  }

  get hasRoot(): boolean {
    return this.#root !== undefined
  }

  get siteInfo(): SiteInfo {
    return makeSiteInfo(this.#root ?? {}, this.#element)
  }

  override begin(facts: DocumentFacts): void {
    super.begin(facts)
    this.#facts = facts
  }

  override read(frame: TapeFrame, first: number, end: number, depth: number): number {
    const { types } = frame
    let open = depth
    for (let part = first, record = 0; part < end; part = record + 1) {
      record = frame.partAt(part)
      const type = frame.typeOf(record)
      if (type === types.endTag || type === types.emptyTag) open--
      if (type !== types.startTag) continue
      const name = frame.nameOf(part)
      if (open === 0) {
        const { attributesOf } = this.#facts as DocumentFacts
        const attributes = attributesOf(frame, part, record)
        this.#root = requireRoot(name, attributes, frame.startOf(record))
      } else if (open === 1 && name.raw === 'page') this.isComplete = true
      open++
    }
    return super.read(frame, first, end, depth)
  }

  override leave(words: Int32Array): void {
    super.leave(words)
    for (const element of this.take()) {
      if (element.name === 'siteinfo') this.#element ??= element
      this.isComplete = true
    }
  }
}
