// Elements as markup: what is compared of them, and what stands alone.

import { limitLength } from '../../text/length-limit.ts'
import { concatText } from '../../text/units.ts'
import { shorten } from '../errors/unplaced-error.ts'
import { escapeMarkup, startTagOf } from '../names/attributes.ts'
import type { Declaration } from '../names/namespaces.ts'
import type { XmlElement, XmlNode } from './element.ts'

/** An element with all that is in it; `writeTag` gives the start tag of each. Without recursion: elements may be nested to any depth. */
export function writeElement(root: XmlElement, writeTag: (element: XmlElement) => string): string {
  const pieces: string[] = []
  const rest: (XmlNode | string)[] = [root]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === 'string') pieces.push(next)
    else if (next.type === 'text') pieces.push(next.text.replace(/[&<>\r]/g, escapeMarkup))
    else if (next.type === 'comment') pieces.push(`<!--${next.text}-->`)
    else if (next.type === 'instruction') pieces.push(`<?${next.target}${next.data && ` ${next.data}`}?>`)
    else {
      const { name, children } = next
      const tag = writeTag(next)
      pieces.push(children.length > 0 ? tag : `${tag.slice(0, -1)}/>`)
      if (children.length > 0) rest.push(`</${name}>`)
      for (let i = children.length - 1; i >= 0; i--) rest.push(children[i] as XmlNode)
    }
  }
  return join(pieces, root)
}

function join(pieces: readonly string[], { name, start }: XmlElement): string {
  try {
    return pieces.reduce(concatText, '')
  } catch (error) {
    throw limitLength(error, `the markup of <${shorten(name)}>`, start)
  }
}

/** A start tag with the namespaces of its names: no name has a brace. */
export function describeTag({ name, namespace, attributes }: XmlElement): string {
  const described = attributes.details.map((one) => ` ${describeName(one)}="${escapeMarkup(one.value)}"`)
  return `<${describeName({ name, namespace })}${described.join('')}>`
}

function describeName({ name, namespace }: { readonly name: string; readonly namespace: string | undefined }): string {
  return namespace === undefined ? name : `{${escapeMarkup(namespace)}}${name}`
}

/** An element as a document of its own, with declarations of namespaces that hold around it. */
export function writeStandalone(root: XmlElement, declarations: readonly Declaration[]): string {
  return writeElement(root, (element) => {
    const tag = startTagOf(element.name, element.attributes)
    if (element !== root) return tag
    const missing = declarations
      .map(([prefix, namespace]) => ({ name: prefix === '' ? 'xmlns' : `xmlns:${prefix}`, namespace }))
      .filter(({ name }) => !root.attributes.has(name))
      .map(({ name, namespace }) => ` ${name}="${escapeMarkup(namespace)}"`)
    return `${tag.slice(0, -1)}${missing.join('')}>`
  })
}
