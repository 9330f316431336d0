// What a dump says of its wiki, in `<siteinfo>` and on its root.

import { UnplacedError } from '../../xml/errors/unplaced-error.ts'
import type { XmlAttributes } from '../../xml/names/attributes.ts'
import type { Name } from '../../xml/names/names.ts'
import { LAST, wholeNumber } from './fields.ts'

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

/** What is read of `<siteinfo>`. */
export const SITE_INFO = {
  namespaces: [
    {
      of: 'namespaces/namespace',
      fields: {
        key: { path: '@key', ...wholeNumber('the key of a namespace') },
        name: { path: '.', own: true },
        case: '@case',
      },
    },
  ],
  siteName: { path: 'sitename', ...LAST },
  dbName: { path: 'dbname', ...LAST },
  base: { path: 'base', ...LAST },
  generator: { path: 'generator', ...LAST },
  case: { path: 'case', ...LAST },
} as const

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
