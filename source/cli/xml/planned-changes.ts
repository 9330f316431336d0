// The changes that the options of `xylem edit` ask for.

import { isName } from '../../text/markup/xml-characters.ts'
import { atTags, type EditedTag, type TagEdit } from '../../xml/edit/edited-tag.ts'
import { parseAttributeName } from '../../xml/question/path-names.ts'
import { UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'

export interface Changes {
  remove?: readonly string[]
  unwrap?: readonly string[]
  rename?: readonly string[]
  set?: readonly string[]
  text?: readonly string[]
}

/** What is done with an element that matches. Returns false where that changes nothing. */
type Change = (tag: EditedTag) => unknown

/** What is done with the elements that a path matches. */
interface PathChanges {
  readonly path: string
  readonly first: Change[]
  /** After these an element has no more changes, so those of its other paths come before. */
  readonly last: Change[]
}

/** Changes as edits, and what came of them. */
export class PlannedChanges {
  readonly edits: Readonly<Record<string, TagEdit>>
  /** How many elements were changed. */
  changed = 0
  readonly #prefixes: Prefixes
  /** By their paths, in the order in which they are made. */
  readonly #changes = new Map<string, PathChanges>()
  /** What was found: paths of elements, and of attributes that were to be removed. */
  readonly #found = new Set<string>()
  readonly #removed = new Map<string, string>()

  /** Throws a `UsageError` for what is invalid, and where there is no change. */
  constructor(changes: Changes, prefixes: Prefixes) {
    this.#prefixes = prefixes
    for (const text of changes.set ?? []) this.#set(text)
    for (const text of changes.text ?? []) {
      const [path, value] = splitAtSign('--text', text, 'PATH=text')
      this.#add(path, (tag) => tag.setContent(value))
    }
    for (const text of changes.rename ?? []) {
      const [path, name] = splitAtSign('--rename', text, 'PATH=name')
      if (!isName(name)) throw new UsageError(`--rename ${text}: ${JSON.stringify(name)} is not a name of XML`)
      this.#add(path, (tag) => tag.rename(name))
    }
    for (const text of changes.remove ?? []) this.#remove(text)
    for (const path of changes.unwrap ?? []) this.#changesOf(path).last.push((tag) => tag.unwrap())
    if (this.#changes.size === 0)
      throw new UsageError('nothing to change: use --remove, --unwrap, --rename, --set or --text')
    const planned = [...this.#changes.values()]
    const edits = planned.map(({ path }, rank) => [path, atTags((tag) => this.#change(tag, rank, planned))] as const)
    this.edits = Object.fromEntries(edits)
  }

  /** What was not found, as messages. */
  get missing(): string[] {
    const elements = [...this.#changes.keys()].filter((path) => !this.#found.has(path))
    const attributes = [...this.#removed].filter(([text, path]) => this.#found.has(path) && !this.#found.has(text))
    return [
      ...elements.map((path) => `no element found for ${path}`),
      ...attributes.map(([text]) => `no attribute found for ${text}`),
    ]
  }

  #change(tag: EditedTag, rank: number, planned: readonly PathChanges[]): void {
    const matching = tag.matches.map((match) => planned[match] as PathChanges)
    for (const { path } of matching) this.#found.add(path)
    // All of its paths have had their turn when the last one has.
    const last = rank === tag.matches.at(-1) ? matching.flatMap((one) => one.last) : []
    const all = [...(planned[rank] as PathChanges).first, ...last]
    if (all.filter((change) => change(tag) !== false).length > 0) this.changed++
  }

  #changesOf(path: string): PathChanges {
    if (findOutside(path, /[@(]/y) !== -1) {
      const hint = 'use --set and --remove for its attributes, and --text for its text'
      throw new UsageError(`invalid path ${JSON.stringify(path)}: it must be that of an element; ${hint}`)
    }
    const changes = this.#changes.get(path) ?? { path, first: [], last: [] }
    this.#changes.set(path, changes)
    return changes
  }

  #add(path: string, change: Change): void {
    this.#changesOf(path).first.push(change)
  }

  #set(text: string): void {
    const [place, value] = splitAtSign('--set', text, 'PATH/@name=value')
    const { path, name } = splitAttribute(place)
    if (path === '' || !name) throw new UsageError(`--set ${text}: it must be PATH/@name=value`)
    const attribute = readAttribute(name, place, this.#prefixes)
    if (attribute.namespace !== undefined && attribute.prefix === '')
      throw new UsageError(`--set ${text}: the name of an attribute that is set may have a prefix, but no braces`)
    this.#add(path, (tag) => setNamed(tag, attribute, value))
  }

  #remove(text: string): void {
    const { path, name } = splitAttribute(text)
    if (name === undefined) {
      this.#changesOf(path).last.push((tag) => tag.remove())
      return
    }
    const attribute = readAttribute(name, text, this.#prefixes)
    this.#removed.set(text, path)
    this.#add(path, (tag) => {
      const written = findWritten(tag, attribute)
      if (written === undefined) return false
      this.#found.add(text)
      tag.removeAttribute(written)
      return true
    })
  }
}

/** A path and what follows its equals sign: the first one that is not in a condition or a namespace. */
function splitAtSign(option: string, text: string, form: string): [path: string, value: string] {
  const at = findOutside(text, /=/y)
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new UsageError(`${option} ${text}: it must be ${form}`)
}

/** A path, and the name of the attribute that follows it; undefined if none does. */
function splitAttribute(text: string): { path: string; name?: string } {
  const at = findOutside(text, /\/@/y)
  return at === -1 ? { path: text } : { path: text.slice(0, at), name: text.slice(at + 2) }
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

type Prefixes = Readonly<Record<string, string>> | undefined

/** The name of an attribute that a path ends with: as it is written, or in a namespace. */
interface NamedAttribute {
  /** As it is written, or the local name where there is a namespace. */
  readonly name: string
  /** Empty for none; undefined where the name is that in the document. */
  readonly namespace: string | undefined
  /** The prefix that was given; empty where there is none. */
  readonly prefix: string
}

/** The attribute with which a path ends. Throws a `UsageError` for what is no name, and for a prefix that is not known. */
function readAttribute(text: string, path: string, prefixes: Prefixes): NamedAttribute {
  if (/^xmlns(?::|$)/.test(text)) return readAttributeName(text, path, undefined)
  return readAttributeName(text, path, prefixes)
}

function readAttributeName(text: string, path: string, prefixes: Prefixes): NamedAttribute {
  const { name = '', namespace, isAnywhere } = orUsage(() => parseAttributeName(text, path, { prefixes }))
  if (isAnywhere) throw new UsageError(`invalid path "${path}": "${text}" may be several attributes`)
  return { name, namespace, prefix: /^([^:{}]+):/.exec(text)?.[1] ?? '' }
}

/** What an element calls an attribute; undefined if it lacks it. */
function findWritten({ attributes }: EditedTag, { name, namespace }: NamedAttribute): string | undefined {
  if (namespace === undefined) return attributes.has(name) ? name : undefined
  return attributes.details.find((one) => one.localName === name && (one.namespace ?? '') === namespace)?.name
}

/** Gives an element an attribute. One in a namespace that it lacks gets a prefix that stands for the namespace there, or one that is declared for it. */
function setNamed(tag: EditedTag, attribute: NamedAttribute, value: string): void {
  const { name, namespace, prefix } = attribute
  const written = findWritten(tag, attribute)
  if (written !== undefined || !namespace) {
    tag.setAttribute(written ?? name, value)
    return
  }
  const known = tag.lookupNamespace(prefix) === namespace ? prefix : tag.lookupPrefix(namespace)
  // The prefix that was given may stand for another namespace there: that is an error.
  if (known === undefined) tag.setAttribute(`xmlns:${prefix}`, namespace)
  tag.setAttribute(`${known ?? prefix}:${name}`, value)
}
