// What a dump says of its wiki, in `<siteinfo>` and on its root.

import type { XmlElement } from '../xml/element.ts'
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
export function makeSiteInfo(root: RootFacts, element: XmlElement | undefined): SiteInfo {
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
