// One document of XML (XML 1.0) with an element for each record, a record a line.

import { inItself } from '../../text/json.ts'
import { findForbidden, nameCharacter } from '../../text/markup/xml-characters.ts'
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
  /** The object or array; undefined for the record, of which only the values are known. */
  readonly object: object | undefined
  /** The names of its values; of a list, the one of all of them. */
  readonly names: readonly string[] | string
  readonly values: readonly unknown[]
  readonly end: string
  next: number
}

/** Of an element for an item in a list of lists, unless the names say another one. */
const ITEM = 'item'
const encoder = new TextEncoder()

/** What the option says. */
function readNames(elements = 'records/record'): ElementNames {
  const [root = '', record = '', item] = elements.split('/')
  return { root, record, item }
}

/** The markup of one record. Not by recursion: values may be of any depth. */
class RecordMarkup {
  readonly #record: string
  readonly #item: string | undefined
  readonly #hasNulls: boolean
  readonly #open: OpenElement[] = []
  readonly #openObjects = new Set<unknown>()
  #text = ''

  constructor({ elements, absent }: FormatOptions) {
    const { record, item } = readNames(elements)
    this.#record = record
    this.#item = item
    this.#hasNulls = absent === 'null'
  }

  write(fields: readonly string[], values: readonly unknown[]): string {
    const open = this.#open
    this.#openRecord(this.#record, fields, values)
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const { names, values, next, end } = top
      if (next === values.length) {
        this.#text += end
        open.pop()
        this.#openObjects.delete(top.object)
        continue
      }
      top.next++
      const isList = typeof names === 'string'
      this.#writeValue(isList ? names : encodeName(names[next] as string), values[next], isList)
    }
    return this.#text
  }

  #writeValue(tag: string, value: unknown, isInList: boolean): void {
    if (value === undefined || value === null) this.#text += this.#hasNulls ? `<${tag} xsi:nil="true"/>` : `<${tag}/>`
    else if (isScalar(value)) {
      const content = escapeText(this.#print(value))
      this.#text += content === '' ? `<${tag}/>` : `<${tag}>${content}</${tag}>`
    } else {
      if (this.#openObjects.has(value)) throw inItself(this.#place())
      this.#openObjects.add(value)
      if (Array.isArray(value)) this.#openList(tag, value, isInList)
      else this.#openRecord(tag, Object.keys(value), Object.values(value), value)
    }
  }

  #openRecord(tag: string, names: readonly string[], values: readonly unknown[], object?: object): void {
    let attributes = ''
    const [innerNames, inner]: [string[], unknown[]] = [[], []]
    for (const [i, name] of names.entries()) {
      const value = values[i]
      if (name.startsWith('@') && isScalar(value)) {
        attributes += ` ${encodeName(name.slice(1))}="${escapeAttribute(this.#print(value, name))}"`
      } else if (this.#isWritten(name, value)) {
        innerNames.push(name)
        inner.push(value)
      }
    }
    this.#openElement(tag, attributes, innerNames, inner, object)
  }

  #openList(tag: string, values: readonly unknown[], isInner: boolean): void {
    const isRepeated = this.#item === undefined && !isInner
    if (isRepeated) this.#open.push({ object: values, names: tag, values, end: '', next: 0 })
    else this.#openElement(tag, '', this.#item ?? ITEM, values, values)
  }

  #openElement(
    tag: string,
    attributes: string,
    names: OpenElement['names'],
    values: readonly unknown[],
    object?: object,
  ): void {
    const isEmpty = values.length === 0
    this.#text += `<${tag}${attributes}${isEmpty ? '/>' : '>'}`
    this.#open.push({ object, names, values, end: isEmpty ? '' : `</${tag}>`, next: 0 })
  }

  #isWritten(name: string, value: unknown): boolean {
    if (value === undefined || value === null) return this.#hasNulls && !name.startsWith('@')
    // Where its items would stand alone, nothing stands for an empty list.
    return this.#item !== undefined || !Array.isArray(value) || value.length > 0
  }

  #print(value: Scalar, attribute?: string): string {
    const text = printScalar(value)
    const at = findForbidden(text)
    if (at !== -1) throw new ForbiddenCharacter(nameCharacter(text, at), this.#place(attribute).join('.'))
    return text
  }

  /** The names of the field that is being written and of those around it, the outermost first. */
  #place(attribute?: string): string[] {
    const names = this.#open.map(({ names, next }) => (typeof names === 'string' ? undefined : names[next - 1]))
    return [...names, attribute].filter((name) => name !== undefined)
  }
}

type Scalar = string | number | bigint | boolean | Date

function printScalar(value: Scalar): string {
  if (value instanceof Date) return value.toISOString()
  // Other digits than these would be as good: readers need not wonder whether the number is exact.
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isRounded ? value.toExponential() : String(value)
}

function isScalar(value: unknown): value is Scalar {
  return value !== undefined && value !== null && (typeof value !== 'object' || value instanceof Date)
}

/** A text has a character that XML does not have. */
class ForbiddenCharacter extends Error {
  constructor(character: string, field: string) {
    super(`${character} in the field ${field}`)
  }
}

const notation: LineNotation = {
  mode: undefined,
  separator: '',
  lineEnd: '\n',
  format: (names, values, options) => new RecordMarkup(options).write(names, values),
  formatAny: (value, options) => {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord
      ? notation.format(Object.keys(value), Object.values(value), options)
      : notation.format(['value'], [value], options)
  },
}

function begin({ elements, absent }: FormatOptions): string {
  const declaration = absent === 'null' ? ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' : ''
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
