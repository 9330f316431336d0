// One document of XML (XML 1.0) with an element for each record, a record a line.

import { findForbidden, isNcName } from '../../text/markup/xml-characters.ts'
import { escapeAttribute, escapeText } from '../../text/markup/xml-markup.ts'
import { encodeName } from '../../text/markup/xml-names.ts'
import type { FormatOptions, LineNotation } from './format.ts'
import { lineFormat, PLAIN_LINES } from './lines.ts'

/** The names of elements: of the root, of records, and of the items of lists; undefined if the element of a field is repeated for each. */
interface ElementNames {
  readonly root: string
  readonly record: string
  readonly item: string | undefined
}

/** An element that is being written, and which of its values is next. */
interface OpenElement {
  /** The names of its values, or the one of all of them. */
  readonly names: readonly string[] | string
  readonly values: readonly unknown[]
  readonly end: string
  /** Whether a value that is absent has its place. */
  readonly isList: boolean
  next: number
}

const USUAL_NAMES = 'records/record'
/** Of an element for an item in a list of lists, unless the names say another one. */
const ITEM = 'item'
const encoder = new TextEncoder()

/** What the option said last: it is the same for all records. */
let newest: (ElementNames & { readonly elements: string }) | undefined

/** What the option says. Throws a `RangeError` with the code `invalid-option` for anything else. */
function readNames(elements = USUAL_NAMES): ElementNames {
  if (newest?.elements === elements) return newest
  const [root = '', record = '', item, ...more] = elements.split('/')
  if (![root, record, item ?? ITEM].every(isNcName) || more.length > 0) {
    const message = `elements must be root/record or root/record/item, names of XML without prefixes, not ${JSON.stringify(elements)}`
    throw Object.assign(new RangeError(message), { code: 'invalid-option' })
  }
  newest = { elements, root, record, item }
  return newest
}

/** Writes one record. Not by recursion: values may be of any depth. */
function formatRecord(
  fields: readonly string[],
  fieldValues: readonly unknown[],
  { record, item }: ElementNames,
  hasNulls: boolean,
): string {
  let text = ''
  const open: OpenElement[] = []
  /** The field that is being written, with those around it. */
  const place = (attribute: string | undefined): string => {
    const names = open.map(({ names, next }) => (typeof names === 'string' ? undefined : names[next - 1]))
    return [...names, attribute].filter((name) => name !== undefined).join('.')
  }
  const checked = (value: unknown, attribute?: string): string => {
    const plain = printScalar(value)
    const at = findForbidden(plain)
    if (at !== -1) throw new ForbiddenCharacter(plain.charCodeAt(at), place(attribute))
    return plain
  }
  const isWritten = (name: string, value: unknown): boolean => {
    if (value === undefined || value === null) return hasNulls && !name.startsWith('@')
    // Where its items would stand alone, nothing stands for an empty list.
    return item !== undefined || !Array.isArray(value) || value.length > 0
  }
  const openRecord = (tag: string, names: readonly string[], values: readonly unknown[]): void => {
    text += `<${tag}`
    const [innerNames, inner]: [string[], unknown[]] = [[], []]
    for (const [i, name] of names.entries()) {
      const value = values[i]
      if (name.startsWith('@') && isScalar(value))
        text += ` ${encodeName(name.slice(1))}="${escapeAttribute(checked(value, name))}"`
      else if (isWritten(name, value)) {
        innerNames.push(name)
        inner.push(value)
      }
    }
    text += inner.length > 0 ? '>' : '/>'
    open.push({ names: innerNames, values: inner, end: inner.length > 0 ? `</${tag}>` : '', isList: false, next: 0 })
  }
  const openList = (tag: string, values: readonly unknown[], isInner: boolean): void => {
    const isRepeated = item === undefined && !isInner
    if (!isRepeated) text += values.length > 0 ? `<${tag}>` : `<${tag}/>`
    const end = isRepeated || values.length === 0 ? '' : `</${tag}>`
    open.push({ names: isRepeated ? tag : (item ?? ITEM), values, end, isList: true, next: 0 })
  }
  const write = (tag: string, value: unknown, isInList: boolean): void => {
    if (value === undefined || value === null) text += hasNulls ? `<${tag} xsi:nil="true"/>` : `<${tag}/>`
    else if (Array.isArray(value)) openList(tag, value, isInList)
    else if (!isScalar(value)) openRecord(tag, Object.keys(value), Object.values(value))
    else {
      const content = escapeText(checked(value))
      text += content === '' ? `<${tag}/>` : `<${tag}>${content}</${tag}>`
    }
  }
  openRecord(record, fields, fieldValues)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { names, values, next, isList } = top
    if (next === values.length) {
      text += top.end
      open.pop()
      continue
    }
    top.next++
    write(typeof names === 'string' ? names : encodeName(names[next] as string), values[next], isList)
  }
  return text
}

function printScalar(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  // Other digits than these would be as good: readers need not wonder whether the number is exact.
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isRounded ? value.toExponential() : String(value)
}

function isScalar(value: unknown): value is string | number | bigint | boolean | Date {
  return value !== undefined && value !== null && (typeof value !== 'object' || value instanceof Date)
}

/** A text has a character that XML does not have. */
class ForbiddenCharacter extends Error {
  constructor(unit: number, field: string) {
    super(`U+${unit.toString(16).toUpperCase().padStart(4, '0')} in the field ${field}`)
  }
}

const notation: LineNotation = {
  mode: undefined,
  separator: '',
  lineEnd: '\n',
  format: (names, values, { hasNulls, elements }) => formatRecord(names, values, readNames(elements), hasNulls),
  formatAny: (value, options) => {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord
      ? notation.format(Object.keys(value), Object.values(value), options)
      : notation.format(['value'], [value], options)
  },
}

function begin({ elements, hasNulls }: FormatOptions): string {
  const declaration = hasNulls ? ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${readNames(elements).root}${declaration}>\n`
}

const lines = lineFormat(notation, (_fields, options) => {
  const [beginning, end] = [begin(options), `</${readNames(options.elements).root}>\n`]
  return { ...PLAIN_LINES, begin: () => encoder.encode(beginning), end: () => encoder.encode(end) }
})

export const format: typeof lines = {
  ...lines,
  collect: (fields, options) => {
    const collector = lines.collect(fields, options)
    let records = 0
    return {
      add: (record) => {
        records++
        try {
          return collector.add(record)
        } catch (error) {
          throw error instanceof ForbiddenCharacter ? atRecord(error, records) : error
        }
      },
      take: (items) => collector.take(items),
      finish: () => collector.finish(),
    }
  },
}

/** The error that users get: with the code `xml-character`. `record` counts from 1. */
function atRecord({ message }: ForbiddenCharacter, record: number): Error {
  const error = new Error(
    `record ${record} has ${message}, a character that XML does not have; leave the field out, or write another format`,
  )
  return Object.assign(error, { code: 'xml-character' })
}
