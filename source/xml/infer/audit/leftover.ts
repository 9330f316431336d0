// What of an element has no place in the fields of its record. It is looked for in records in which an audit has seen something.

import { makeName } from '../../names/names.ts'
import { NIL, XMLNS_NAMESPACE, XSI_NAMESPACE } from '../../names/namespaces.ts'
import type { ValueKind } from '../../question/shape.ts'
import type { XmlElement, XmlElementData } from '../../tree/element.ts'
import type { ElementForm, ValueForm } from '../record-form.ts'
import type { ShapeNames } from '../shape-names.ts'
import { isPrintedAs } from '../value-kinds.ts'

/** Why something is left. */
export type LeftWhy = 'unseen' | 'repeated' | 'mistyped'

/** What is left of a record, by its path in the record. */
export interface Left {
  readonly path: string
  readonly why: LeftWhy
}

/** A value that is not printed as it is written, and where it begins in the text that was parsed; undefined where that is not known. */
export interface Mistyped {
  readonly path: string
  readonly kind: ValueKind
  readonly text: string
  readonly start: number | undefined
}

/** What a prefix stands for, an empty one for the default. */
type Resolve = (prefix: string) => string | undefined

/** Collects what is left of one record. */
export class Leftover {
  readonly mistyped: Mistyped[] = []
  /** By why and where: each once, however many there are of it. */
  readonly #left = new Map<string, Left>()
  readonly #isOfEntity: boolean
  readonly #names: ShapeNames
  readonly #around: Resolve

  /** `isOfEntity`: an entity brings the record, so no field has any of its elements as XML. `around`: what prefixes stand for around it, if it does not declare them. */
  constructor(names: ShapeNames, isOfEntity: boolean, around: Resolve) {
    this.#names = names
    this.#isOfEntity = isOfEntity
    this.#around = around
  }

  get left(): Left[] {
    return [...this.#left.values()]
  }

  /** What is left of the element of a record, as the field `rest` has it: its children; and before them the element itself, if anything of its own is left. */
  of(element: XmlElement, form: ElementForm): XmlElementData[] {
    const data = this.#visit(element, form, '', within(element, this.#around))
    if (!data) return []
    const { name, attributes, children } = data
    const isWhole = children.some((child) => !('name' in child))
    if (isWhole) return [data]
    const own = attributes.length > 0 ? [{ name, attributes, children: [] }] : []
    return [...own, ...(children as XmlElementData[])]
  }

  /** The complete element, or what of it is left: it has the same name, and only the attributes and children that are left. Undefined if nothing is. */
  #visit(element: XmlElement, form: ElementForm, path: string, resolve: Resolve): XmlElementData | undefined {
    const { name } = element
    const attributes: [name: string, value: string][] = []
    let isNil = false
    for (const { name: attribute, prefix, localName, value, start } of element.attributes.details) {
      const namespace = attribute === 'xmlns' ? XMLNS_NAMESPACE : prefix && resolve(prefix)
      if (this.#names.isNoValue({ namespace, localName })) {
        isNil ||= namespace === XSI_NAMESPACE && NIL.test(value)
        continue
      }
      const found = this.#names.attributes.find(attribute, namespace)
      const at = joinPath(path, `@${found ?? attribute}`)
      const known = form.attributes.get(found ?? '')
      const isLeft = known ? this.#checkKind(known, value, at, start) : this.#note(at, 'unseen')
      if (isLeft) attributes.push([attribute, value])
    }
    const isWhole = form.isXml
      ? this.#isOfEntity || element.entity !== undefined
      : this.#hasOtherContent(element, form, path, isNil)
    if (isWhole) return element.toJSON()
    const children = form.isXml ? [] : this.#visitChildren(element, form, path, resolve)
    return attributes.length + children.length > 0 ? { name, attributes, children } : undefined
  }

  /** Whether an element has content of a kind that it has no field for: texts, or elements in a text. */
  #hasOtherContent(element: XmlElement, form: ElementForm, path: string, isNil: boolean): boolean {
    const elements = element.childElements
    if (form.children.size === 0 && elements.length > 0) {
      for (const { name } of elements) this.#note(joinPath(path, name), 'unseen')
      return true
    }
    const text = element.ownText
    if (form.text && isNil && text === '') return false
    if (form.text) return elements.length === 0 && this.#checkKind(form.text, text, path || '.', element.start)
    return /[^ \t\r\n]/.test(text) && this.#note(joinPath(path, 'text()'), 'unseen')
  }

  #visitChildren(element: XmlElement, form: ElementForm, path: string, around: Resolve): XmlElementData[] {
    const seen = new Set<string>()
    return element.childElements.flatMap((child) => {
      const resolve = within(child, around)
      const found = this.#names.elements.find(child.name, resolve(child.prefix))
      const at = joinPath(path, found ?? child.name)
      const known = form.children.get(found ?? '')
      if (!known || (!known.isList && seen.has(at))) {
        this.#note(at, known ? 'repeated' : 'unseen')
        return child.toJSON()
      }
      seen.add(at)
      return this.#visit(child, known, at, resolve) ?? []
    })
  }

  #note(path: string, why: LeftWhy): true {
    this.#left.set(`${why} ${path}`, { path, why })
    return true
  }

  #checkKind({ kind }: ValueForm, text: string, path: string, start: number | undefined): boolean {
    if (isPrintedAs(kind, text)) return false
    this.mistyped.push({ path, kind, text, start })
    return this.#note(path, 'mistyped')
  }
}

/** What prefixes stand for in an element, of what they stand for around it. */
function within({ attributes }: XmlElement, around: Resolve): Resolve {
  const declared = new Map(Array.from(attributes, ([name, value]) => [makeName(name).declares, value]))
  return (prefix) => declared.get(prefix) ?? around(prefix)
}

function joinPath(path: string, step: string): string {
  return path === '' ? step : `${path}/${step}`
}
