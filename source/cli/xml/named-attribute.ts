// An attribute of an element that is edited, by the name that a path has for it: as it is written, or in a namespace.

import type { EditedTag } from '../../xml/edit/edited-tag.ts'
import { parseAttributeName } from '../../xml/question/path-names.ts'
import { UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'

export type Prefixes = Readonly<Record<string, string>> | undefined

/** The name of an attribute that a path ends with. */
export interface NamedAttribute {
  /** As it is written, or the local name where there is a namespace. */
  readonly name: string
  /** Empty for none; undefined where the name is that in the document. */
  readonly namespace: string | undefined
  /** The prefix that was given; empty where there is none. */
  readonly prefix: string
}

/** The attribute with which a path ends. Throws a `UsageError` for what is no name, and for a prefix that is not known. */
export function readAttribute(text: string, path: string, prefixes: Prefixes): NamedAttribute {
  if (/^xmlns(?::|$)/.test(text)) return readAttributeName(text, path, undefined)
  return readAttributeName(text, path, prefixes)
}

function readAttributeName(text: string, path: string, prefixes: Prefixes): NamedAttribute {
  const { name = '', namespace, isAnywhere } = orUsage(() => parseAttributeName(text, path, { prefixes }))
  if (isAnywhere) throw new UsageError(`invalid path "${path}": "${text}" may be several attributes`)
  return { name, namespace, prefix: /^([^:{}]+):/.exec(text)?.[1] ?? '' }
}

/** What an element calls an attribute; undefined if it lacks it. */
export function findWritten({ attributes }: EditedTag, { name, namespace }: NamedAttribute): string | undefined {
  if (namespace === undefined) return attributes.has(name) ? name : undefined
  return attributes.details.find((one) => one.localName === name && (one.namespace ?? '') === namespace)?.name
}

/** Gives an element an attribute. One in a namespace that it lacks gets a prefix that stands for the namespace there, or one that is declared for it. */
export function setNamed(tag: EditedTag, attribute: NamedAttribute, value: string): void {
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
