// Edits of small documents, made the plain way: on a tree of complete documents. `editXml` is compared with it.

import type { EditedTag } from '../../source/xml/edit/index.ts'
import { parseXml, type XmlElementData } from '../../source/xml/index.ts'

type Node = XmlElementData['children'][number]

/** A call of a method of an edited element, as plain data. */
export type Call = readonly [method: CallName, ...given: readonly string[]]
type CallName =
  | 'rename'
  | 'setAttribute'
  | 'removeAttribute'
  | 'before'
  | 'after'
  | 'prepend'
  | 'append'
  | 'setContent'
  | 'replaceWith'
  | 'remove'
  | 'unwrap'

/** Calls on all elements with a name, in this order. */
export interface NaiveEdit {
  readonly name: string
  readonly isHeld: boolean
  readonly calls: readonly Call[]
}

/** Makes the calls on an element. */
export function callAll(element: EditedTag, calls: readonly Call[]): void {
  for (const [method, ...given] of calls)
    (element[method] as (...given: readonly string[]) => void).call(element, ...given)
}

/** The tree of a document in which the edits were made, with adjacent texts as one. */
export function editNaively(document: string, edits: readonly NaiveEdit[]): XmlElementData {
  const root = treeOf(document)
  return joinTexts(editElement(root, edits)[0] as XmlElementData)
}

/** The tree of a document, without what the document type adds: that depends on names. */
export function treeOf(document: string): XmlElementData {
  const root = parseXml(document, { namespaces: false }).root.toJSON()
  const all = [root]
  for (const element of all) {
    element.attributes = sorted(element.attributes.filter(([name]) => name !== 'k'))
    for (const child of element.children) if ('children' in child) all.push(child)
  }
  return root
}

function editElement(element: XmlElementData, edits: readonly NaiveEdit[]): Node[] {
  const text = (given = '') => ({ type: 'text', text: given }) as Node
  let fate = 'kept'
  let { name } = element
  let attributes = [...element.attributes]
  const before: Node[] = []
  const after: Node[] = []
  const prepended: Node[] = []
  const appended: Node[] = []
  let content: Node[] | undefined
  for (const { name: wanted, calls } of edits) {
    if (wanted !== element.name || fate !== 'kept') continue
    for (const [method, given, value = ''] of calls) {
      if (method === 'before') before.push(text(given))
      else if (method === 'after') after.unshift(text(given))
      else if (method === 'prepend') prepended.unshift(text(given))
      else if (method === 'append') appended.push(text(given))
      else if (fate !== 'kept') continue
      else if (method === 'rename') name = given as string
      else if (method === 'setAttribute') {
        const known = attributes.find(([one]) => one === given)
        if (known) attributes = attributes.map((one) => (one === known ? [known[0], value] : one))
        else attributes.push([given as string, value])
      } else if (method === 'removeAttribute') attributes = attributes.filter(([one]) => one !== given)
      else if (method === 'setContent') {
        prepended.length = 0
        appended.length = 0
        content = [text(given)]
      } else if (method === 'replaceWith') {
        fate = 'gone'
        after.unshift(text(given))
      } else fate = method === 'remove' ? 'gone' : 'unwrapped'
    }
  }
  if (fate === 'gone') return [...before, ...after]
  const kept = () => element.children.flatMap((child) => ('children' in child ? editElement(child, edits) : [child]))
  const inner = content ?? kept()
  const children = [...prepended, ...inner, ...appended]
  if (fate === 'unwrapped') return [...before, ...children, ...after]
  return [...before, { name, attributes: sorted(attributes), children }, ...after]
}

/** Their order means nothing. */
function sorted(attributes: readonly [name: string, value: string][]): [name: string, value: string][] {
  return attributes.toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function joinTexts(root: XmlElementData): XmlElementData {
  const children: Node[] = []
  for (const child of root.children) {
    const last = children.at(-1)
    if ('children' in child) children.push(joinTexts(child))
    else if (child.type !== 'text') children.push(child)
    else if (last && 'type' in last && last.type === 'text')
      children[children.length - 1] = { type: 'text', text: last.text + child.text }
    else if (child.text !== '') children.push(child)
  }
  return { ...root, children }
}
