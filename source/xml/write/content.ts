// What elements contain: nodes that were read, plain data, text and raw markup; and events.

import { describeValue } from '../../stream/errors.ts'
import { findSkipped } from '../doctype/skipped.ts'
import { shorten } from '../errors/unplaced-error.ts'
import type { XmlDeclarationEvent, XmlDoctypeEvent, XmlEndEvent, XmlEvent } from '../events.ts'
import { XmlAttributes } from '../names/attributes.ts'
import type { XmlComment, XmlElement, XmlInstruction, XmlNode, XmlText } from '../tree/element.ts'
import { MarkupWriter, type Surroundings } from './markup/markup-writer.ts'
import { RawXml } from './markup/raw-xml.ts'
import type { XmlWriteAttributes } from './markup/write-name.ts'

/** An element as plain data: what `toJSON()` of an element gives, or an object with its name and what else it has. */
export interface XmlWriteElement {
  readonly type?: undefined
  readonly name: string
  readonly attributes?: XmlWriteAttributes | undefined
  readonly children?: readonly XmlContent[] | undefined
}

/** Content of an element: a text, a node that was read, an element as plain data, raw markup, or any of these in an array. */
export type XmlContent = string | XmlNode | XmlWriteElement | RawXml | readonly XmlContent[]

/** An event that was not read: what it has of the properties of an {@link XmlEvent}. */
export type XmlWriteEvent =
  | (Partial<Omit<XmlDeclarationEvent, 'type'>> & Pick<XmlDeclarationEvent, 'type'>)
  | (Partial<Omit<XmlDoctypeEvent, 'type' | 'name'>> & Pick<XmlDoctypeEvent, 'type' | 'name'>)
  | { readonly type: 'start'; readonly name: string; readonly attributes?: XmlWriteAttributes | undefined }
  | (Partial<Omit<XmlEndEvent, 'type'>> & Pick<XmlEndEvent, 'type'>)

/** What can be written one after the other: events, elements, plain data and other content. */
export type XmlWriteItem = XmlEvent | XmlWriteEvent | XmlContent | readonly XmlWriteItem[]

/** How events of a prolog are written. */
export interface PrologWriting {
  /** Whether document types are left out. */
  readonly omitsDoctype: boolean
}

/** Writes an item, with all that is in it. Without recursion: elements may be nested to any depth. */
export function writeItem(writer: MarkupWriter, item: XmlWriteItem, prolog?: PrologWriting): void {
  if (typeof item === 'string') writer.text(item)
  else if (isSimple(item)) writeEvent(writer, item, prolog)
  else writeNested(writer, item, prolog)
}

function writeNested(writer: MarkupWriter, item: XmlWriteItem, prolog: PrologWriting | undefined): void {
  writer.refuseEnded()
  /** The elements and arrays that are open. */
  const open: (ElementItem | readonly XmlWriteItem[])[] = []
  /** What is to be written, the last first. After the items of each that is open, undefined stands for its end. */
  const rest: (XmlWriteItem | undefined)[] = []
  const begin = (outer: ElementItem | readonly XmlWriteItem[], items: readonly XmlWriteItem[]): void => {
    open.push(outer)
    rest.push(undefined)
    for (let i = items.length - 1; i >= 0; i--) {
      if (items[i] === undefined) refuseContent(writer, undefined)
      rest.push(items[i])
    }
  }
  begin([item], [item])
  while (rest.length > 0) {
    const next = rest.pop()
    if (next === undefined) {
      if (!Array.isArray(open.pop())) writer.endElement()
    } else if (typeof next === 'string') writer.text(next)
    else if (Array.isArray(next)) {
      if (isOpen(next, open)) writer.refuse('an array of content is in itself')
      begin(next, next)
    } else if (next instanceof RawXml) writer.raw(next.xml)
    else if (isSimple(next)) writeEvent(writer, next, prolog)
    else if (isElement(next)) {
      requireElement(writer, next)
      if (isOpen(next, open)) writer.refuse(`the element <${shorten(next.name)}> is in itself`)
      refuseSkipped(writer, next)
      startElement(writer, next)
      begin(next, next.children ?? [])
    } else refuseContent(writer, next)
  }
}

/**
 * Whether an item is in itself, and would be written without end. It is compared with one that is open, the one at the last depth that is a power of two. So what repeats is found
 * when the depth has passed the next power that is larger than the distance.
 */
function isOpen(item: object, open: readonly object[]): boolean {
  return open[2 ** (31 - Math.clz32(open.length)) - 1] === item
}

type Simple = XmlEvent | XmlWriteEvent | XmlText | XmlComment | XmlInstruction

function isSimple(item: unknown): item is Simple {
  const type = (item as Partial<Simple> | null)?.type
  return type !== undefined && (type as string) !== 'element' && typeof item === 'object'
}

type ElementItem = XmlElement | XmlWriteElement

function isElement(item: unknown): item is ElementItem {
  return typeof item === 'object' && item !== null && ('name' in item || 'children' in item)
}

/** Throws if plain data has something that is not of an element. Its attributes are checked as they are written. */
function requireElement(writer: MarkupWriter, element: ElementItem): void {
  if ('root' in element) writer.refuse('a document is not content: toXml writes one, and its children are content')
  const { name, children } = element
  if (typeof name !== 'string') writer.refuse(`the name of an element must be a string, not ${describeValue(name)}`)
  if (children === undefined || Array.isArray(children)) return
  writer.refuse(`the children of <${shorten(name)}> must be an array, not ${describeValue(children)}`)
}

/** Begins an element: one that was read has its namespace with it. */
function startElement(writer: MarkupWriter, element: Pick<ElementItem, 'name' | 'attributes'>): void {
  const { name, attributes } = element
  if (attributes instanceof XmlAttributes) writer.copyStart(name, (element as XmlElement).namespace, attributes)
  else writer.startElement(name, attributes)
}

function writeEvent(writer: MarkupWriter, event: Simple, prolog: PrologWriting | undefined): void {
  refuseSkipped(writer, event)
  switch (event.type) {
    case 'text':
      // A carriage return cannot be written in a CDATA section: such text is escaped instead.
      if ('cdata' in event && event.cdata && !event.text?.includes('\r')) writer.cdata(event.text)
      else writer.text(event.text)
      break
    case 'start':
      startElement(writer, event)
      break
    case 'end':
      writer.copyEnd(event.name)
      break
    case 'comment':
      writer.comment(event.text)
      break
    case 'instruction':
      writer.instruction(event.target, event.data)
      break
    case 'declaration':
      writer.declaration(event)
      break
    case 'doctype':
      if (!prolog?.omitsDoctype) writer.doctype(event.name, event)
      break
    default:
      refuseContent(writer, event)
  }
}

/** Throws where the text of an entity is missing. */
export function refuseSkipped(writer: MarkupWriter, node: object): void {
  const entity = findSkipped(node)
  if (!entity) return
  const message = `the text of the entity ${shorten(entity.name)} was left out when this was read (byte ${entity.byteOffset}): give a resolver`
  writer.fail('skipped-entity', message)
}

function refuseContent(writer: MarkupWriter, item: unknown): never {
  const { type } = (item ?? {}) as { type?: unknown }
  const given = type === undefined ? describeValue(item) : `an object with the type ${describeValue(type)}`
  writer.refuse(`content must be text, nodes, elements as plain data, raw markup or arrays of these, not ${given}`)
}

/** Where content is put. Without prefixes, names are only names. */
interface ContentPlace extends Surroundings {
  /** The last code point that the encoding has: characters after it become references. */
  readonly lastCodePoint?: number | undefined
}

/** The markup of content. Declarations of namespaces are in it where they are needed. Throws an `XmlWriteError` where it cannot stand there. */
export function writeContent(content: XmlContent, { lastCodePoint, ...around }: ContentPlace = {}): string {
  const { prefixes, depth = 0 } = around
  const writer = new MarkupWriter({ namespaces: prefixes !== undefined, lastCodePoint, around })
  try {
    writeItem(writer, content)
    writer.end()
    return writer.take()
  } finally {
    prefixes?.leave(depth + 1)
  }
}
