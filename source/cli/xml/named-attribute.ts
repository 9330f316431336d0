// An attribute of an element that is edited, by the name that a path has for it: as it is written, or in a namespace.

import type { EditedTag } from '../../xml/edit/edited-tag.ts'
import { XML_NAMESPACE, XMLNS_NAMESPACE } from '../../xml/names/namespaces.ts'
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

/** Gives attributes in a namespace to elements that lack them, by a prefix that stands for it there. */
export class NewAttributes {
  /** What the prefixes that were given have stood for in the document so far. */
  readonly #declared = new Map<string, Set<string>>()

  /** The path of the elements that have to be seen by `see`, for an attribute that may be new; undefined if there are none. */
  watch({ prefix, namespace }: NamedAttribute): string | undefined {
    if (!namespace || namespace === XML_NAMESPACE) return undefined
    this.#declared.set(prefix, new Set())
    return `*[@{${XMLNS_NAMESPACE}}${prefix}]`
  }

  /** An element declares prefixes. */
  see({ attributes }: EditedTag): void {
    for (const [prefix, namespaces] of this.#declared) {
      const namespace = attributes.get(`xmlns:${prefix}`)
      if (namespace !== undefined) namespaces.add(namespace)
    }
  }

  /** Throws what the library throws where no prefix is known to stand for the namespace. */
  set(tag: EditedTag, attribute: NamedAttribute, value: string): void {
    const { name, namespace, prefix } = attribute
    const written = findWritten(tag, attribute)
    if (written !== undefined || !namespace) {
      tag.setAttribute(written ?? name, value)
      return
    }
    const own = findPrefix(tag, namespace)
    const isCertain = [...(this.#declared.get(prefix) ?? [])].every((one) => one === namespace)
    // Which declaration holds is not known here: the declaration is checked, and does no harm where it is there.
    if (own === undefined && !isCertain) tag.setAttribute(`xmlns:${prefix}`, namespace)
    tag.setAttribute(`${own ?? prefix}:${name}`, value)
  }
}

/** A prefix that stands for a namespace, as far as the start tag shows. */
function findPrefix({ name, localName, namespace: its, attributes }: EditedTag, namespace: string): string | undefined {
  if (its === namespace && name !== localName) return name.slice(0, -localName.length - 1)
  const found = attributes.details.find((one) => {
    return one.prefix === 'xmlns' ? one.value === namespace : one.prefix !== '' && one.namespace === namespace
  })
  return found?.prefix === 'xmlns' ? found.localName : found?.prefix
}
