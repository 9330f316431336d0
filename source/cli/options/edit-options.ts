// What `xylem edit` is told to change.

import { isName } from '../../text/markup/xml-characters.ts'
import type { EditedTag } from '../../xml/edit/edited-tag.ts'
import { atTags, type TagEdit } from '../../xml/edit/edits.ts'
import { UsageError } from '../errors/errors.ts'

export interface Changes {
  remove?: readonly string[]
  unwrap?: readonly string[]
  rename?: readonly string[]
  set?: readonly string[]
  text?: readonly string[]
}

/** What is done with an element that matches. */
type Change = (tag: EditedTag) => void

/** The edits by their paths; `onMatch` is called with the path of each element that matches. Throws a `UsageError` for what is invalid, and where there is no change. */
export function readChanges(changes: Changes, onMatch: (path: string) => void): Record<string, TagEdit> {
  const found = new Map<string, Change[]>()
  const add = (path: string, change: Change): void => {
    found.set(path, [...(found.get(path) ?? []), change])
  }
  for (const text of changes.set ?? []) {
    const [place, value] = splitAtSign('--set', text, 'PATH/@name=value')
    const { path, attribute } = splitAttribute(place)
    if (path === '' || !isName(attribute)) throw new UsageError(`--set ${text}: it must be PATH/@name=value`)
    add(path, (tag) => tag.setAttribute(attribute, value))
  }
  for (const text of changes.text ?? []) {
    const [path, value] = splitAtSign('--text', text, 'PATH=text')
    add(path, (tag) => tag.setContent(value))
  }
  for (const text of changes.rename ?? []) {
    const [path, name] = splitAtSign('--rename', text, 'PATH=name')
    if (!isName(name)) throw new UsageError(`--rename ${text}: ${JSON.stringify(name)} is not a name of XML`)
    add(path, (tag) => tag.rename(name))
  }
  for (const text of changes.remove ?? []) {
    const { path, attribute } = splitAttribute(text)
    add(path, attribute === '' ? (tag) => tag.remove() : (tag) => tag.removeAttribute(attribute))
  }
  // After these an element has no more changes.
  for (const path of changes.unwrap ?? []) add(path, (tag) => tag.unwrap())
  if (found.size === 0) throw new UsageError('nothing to change: use --remove, --unwrap, --rename, --set or --text')
  const edits = [...found].map(([path, all]) => {
    const edit = atTags((tag) => {
      onMatch(path)
      for (const change of all) change(tag)
    })
    return [path, edit] as const
  })
  return Object.fromEntries(edits)
}

/** A path and what follows its equals sign: the first one that is not in a condition or a namespace. */
function splitAtSign(option: string, text: string, form: string): [path: string, value: string] {
  const at = findOutside(text, /=/y)
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new UsageError(`${option} ${text}: it must be ${form}`)
}

/** A path, and the attribute that follows it; empty if there is none. */
function splitAttribute(text: string): { path: string; attribute: string } {
  const at = findOutside(text, /\/@/y)
  return at === -1 ? { path: text, attribute: '' } : { path: text.slice(0, at), attribute: text.slice(at + 2) }
}

/** Where something stands in a path outside of conditions and namespaces; -1 if nowhere. */
function findOutside(text: string, sought: RegExp): number {
  for (let at = 0; at < text.length; ) {
    sought.lastIndex = at
    if (sought.test(text)) return at
    const skipped = /\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]|\{[^}]*\}|./sy
    skipped.lastIndex = at
    at += skipped.exec(text)?.[0].length ?? 1
  }
  return -1
}
