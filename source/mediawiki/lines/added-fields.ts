// Fields that records do not have: `name=path`, where the path starts at the element of the record, as those of `XmlReader.records` do. A path
// that begins with `revision` leads into the newest revision of a page, and one that begins with `page` into the page of a revision.

import type { XmlShape } from '../../xml/question/shape.ts'

export type RecordKind = 'pages' | 'revisions'

export interface AddedField {
  /** How it is called in lines, and in the shape: there no other field has that name. */
  readonly name: string
  readonly key: string
  readonly path: string
  /** Whether all values are wanted. */
  readonly isList: boolean
  /** Whether it is read of the newest revision of a page, or of the page of a revision. */
  readonly isOfOther: boolean
}

/** The field of the shape of a kind of records that has the newest revision, or the page. */
export const OTHER = { pages: 'revision', revisions: 'page' } as const

/** What stands before the names of fields of a page, and of a revision, in each kind of records. */
export const PREFIXES = { pages: ['', 'revision.'], revisions: ['page.', ''] } as const

/** A field of a list; undefined if it is one that records have. */
export function parseAddedField(kind: RecordKind, text: string): AddedField | undefined {
  const [, name, brackets, path] = /^([^=[\]{}@/]+)(\[\])?=(.+)$/su.exec(text) ?? []
  if (name === undefined || path === undefined) return undefined
  const inside = new RegExp(`^${OTHER[kind]}(?:/(.+))?$`, 'su').exec(path)
  const [, rest = '.'] = inside ?? []
  const isOfOther = inside !== null
  // What follows a double slash is at any depth.
  const inOther = rest.startsWith('/') ? `/${rest}` : rest
  return { name, key: `=${name}`, path: isOfOther ? inOther : path, isList: brackets !== undefined, isOfOther }
}

/** Whether the complete record to which fields of a list are added is in the list too: what is added is not in that. */
export function isAddedToWritten(kind: RecordKind, fields: readonly string[]): boolean {
  return fields.includes(OTHER[kind]) && fields.some((text) => parseAddedField(kind, text)?.isOfOther)
}

/** Whether a key of a shape is that of a field that is added. */
export function isAddedKey(key: string): boolean {
  return key.startsWith('=')
}

/** How a field of a list is called in lines. */
export function nameOfField(kind: RecordKind, text: string): string {
  return parseAddedField(kind, text)?.name ?? text
}

/** The keys that lead to a field of a list. */
export function keysOfField(kind: RecordKind, text: string): readonly string[] {
  const added = parseAddedField(kind, text)
  if (!added) return text.split('.')
  return added.isOfOther ? [OTHER[kind], added.key] : [added.key]
}

/** A shape with the fields of a list that records do not have. */
export function addFields(kind: RecordKind, shape: XmlShape, fields: readonly string[] = []): XmlShape {
  const added = fields.flatMap((text) => parseAddedField(kind, text) ?? [])
  if (added.length === 0) return shape
  const pathsOf = (some: readonly AddedField[]): XmlShape => {
    return Object.fromEntries(some.map(({ key, path, isList }) => [key, isList ? ([path] as const) : path]))
  }
  const other = shape[OTHER[kind]] as { readonly fields: XmlShape } | undefined
  const ofOther = pathsOf(added.filter(({ isOfOther }) => isOfOther))
  return {
    ...shape,
    ...pathsOf(added.filter(({ isOfOther }) => !isOfOther)),
    ...(other && { [OTHER[kind]]: { ...other, fields: { ...other.fields, ...ofOther } } }),
  } as XmlShape
}
