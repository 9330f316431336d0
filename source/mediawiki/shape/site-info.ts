// What a dump says of its wiki, in `<siteinfo>` and on its root.

import { UnplacedError } from '../../xml/errors/unplaced-error.ts'
import type { XmlAttributes } from '../../xml/names/attributes.ts'
import type { Name } from '../../xml/names/names.ts'
import type { CompactRecord } from '../../xml/question/shape.ts'
import { LAST, wholeNumber } from './fields.ts'

/** What stands on the root element. */
export interface RootFacts {
  /** The version of the schema, such as `0.11`. */
  version?: string
  /** The content language. */
  language?: string
}

/** What is read of `<namespace>`. */
const NAMESPACE = {
  /** Its number: negative for those without pages of their own. */
  // A namespace whose number the dump does not give is the main one.
  key: { path: '@key', default: 0, ...wholeNumber('the key of a namespace') },
  /** Its local name; empty for the main namespace. */
  name: { path: '.', own: true, required: true },
  /** `first-letter` or `case-sensitive`: how its titles begin. */
  case: '@case',
} as const

/** A namespace of the wiki. */
export interface Namespace extends CompactRecord<typeof NAMESPACE> {}

/** What is read of `<siteinfo>`. */
export const SITE_INFO = {
  /** In the order of the dump; empty where it has none. */
  namespaces: [{ of: 'namespaces/namespace', fields: NAMESPACE }],
  /** The name of the wiki. */
  siteName: { path: 'sitename', ...LAST },
  /** From schema 0.9 on. */
  dbName: { path: 'dbname', ...LAST },
  /** The address of the main page. */
  base: { path: 'base', ...LAST },
  /** The software that wrote the dump. */
  generator: { path: 'generator', ...LAST },
  /** As in namespaces. */
  case: { path: 'case', ...LAST },
} as const

/** The description of the wiki in a dump. Fields that the dump does not have are absent. */
export interface SiteInfo extends RootFacts, CompactRecord<typeof SITE_INFO> {
  namespaces: Namespace[]
}

/** Whether a dump says that its schema is older than version 0.N. */
export function isBefore({ version }: RootFacts = {}, since: string): boolean {
  const minorOf = (text: string) => Number(/^0\.(\d+)$/.exec(text)?.[1] ?? Number.NaN)
  return version !== undefined && minorOf(version) < minorOf(since)
}

/** The name of the root of dumps. */
export const ROOT = 'mediawiki'
/** Its end tag. */
export const DUMP_END = new TextEncoder().encode(`</${ROOT}>`)

/** What stands on the root. Throws an `UnplacedError` for any other root than that of a dump. */
export function requireRoot({ raw }: Name, attributes: XmlAttributes, start: number): RootFacts {
  if (raw !== ROOT) {
    const message = `the root element is <${raw}>, not <${ROOT}>`
    throw new UnplacedError(message, 'not-a-dump', undefined, start)
  }
  const facts: RootFacts = {}
  const version = attributes.get('version')
  if (version !== undefined) facts.version = version
  const language = attributes.get('xml:lang')
  if (language !== undefined) facts.language = language
  return facts
}
