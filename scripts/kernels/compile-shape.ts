// From a shape, and the columns of a line, to the part of a kernel (source/kernel/usual/kernel.ts) that knows which elements records have and what is
// written of them, in AssemblyScript.
//
// It follows from the shape which elements there are and which of their attributes are read. What a shape does not say by a plain name is not known to the
// kernel, and neither are lists, and conditions on elements: a record that has such a thing is left to the projection.

import type { LineColumn } from '../../source/xml/output/line-form.ts'
import type { Condition } from '../../source/xml/projection/condition.ts'
import { type FieldPlan, planShape, type RecordPlan } from '../../source/xml/projection/plan.ts'
import type { XmlShape } from '../../source/xml/projection/shape.ts'

export interface KernelShape {
  /** What is read of the element that records are made of. */
  readonly shape: XmlShape
  /** Its name. */
  readonly element: string
  readonly columns: (plan: RecordPlan) => readonly LineColumn[]
  /** Attributes of elements that no field needs and that are usual nevertheless, by the names of the elements. */
  readonly ignored: Readonly<Record<string, readonly string[]>>
  /** The field of the outermost element that identifies it. */
  readonly id: string
}

/** What is made of it. */
export interface CompiledShape {
  readonly code: string
  /** Fields that the host may ask for, by their names from that of the shape on, joined by points. */
  readonly fields: Readonly<Record<string, KernelField>>
}

interface KernelField {
  readonly number: number
  /** Whether it is the value of an attribute, else content. */
  readonly isValue: boolean
}

/** An element that is known. */
interface Element {
  readonly name: string
  /** The field for its text; undefined if it has none. */
  text: Field | undefined
  /** The field that says that it is there; undefined where nobody asks. */
  presence: Field | undefined
  /** Attributes, with the fields for their values; undefined for those that are ignored. */
  readonly attributes: Map<string, Field | undefined>
  readonly children: Map<string, Element>
  /** Of several such elements, the one that is greatest in these fields counts. */
  keys: readonly { readonly field: Field; readonly isNumber: boolean }[] | undefined
  /** Whether it is the one that records are made of. */
  isRecord: boolean
}

/** A field of the kernel. Its number is known when all are. */
interface Field {
  number: number
  readonly isValue: boolean
}

interface Written {
  readonly field: Field
  readonly plan: FieldPlan
  /** Those of the attributes beside it. */
  readonly beside: Element
}

/** Bytes that are compared at once. */
const WORD = 8
/** Bytes of a key that are copied, and those that it has room for. */
const LONGEST_KEY = 31
const KEY_SIZE = 32

export function compileShape(options: KernelShape): CompiledShape {
  return new ShapeCompiler(options).compile()
}

class ShapeCompiler {
  readonly #options: KernelShape
  readonly #plan: RecordPlan
  readonly #columns: readonly LineColumn[]
  readonly #root: Element
  /** What is written, by the names of fields from that of the shape on. */
  readonly #written = new Map<string, Written>()
  /** Elements of records in the record, by the names of the fields that they are the values of. */
  readonly #records = new Map<string, Element>()
  /** The names of fields that columns lead to. */
  readonly #wanted: ReadonlySet<string>
  readonly #keys: string[] = []
  readonly #code: string[] = []

  constructor(options: KernelShape) {
    this.#options = options
    this.#plan = planShape(options.shape)
    this.#columns = options.columns(this.#plan)
    this.#wanted = new Set(namesOf(this.#columns))
    const outer = Object.entries(options.shape).find(([, field]) => isObject(field) && 'outer' in field)
    const record = newElement(options.element)
    record.isRecord = true
    if (outer) {
      const [name, field] = outer as [string, { outer: string; fields: XmlShape }]
      this.#root = newElement(field.outer)
      this.#root.children.set(record.name, record)
      this.#records.set(name, this.#root)
      this.#add(this.#root, field.fields, [name])
    } else this.#root = record
    this.#add(record, options.shape, [])
  }

  compile(): CompiledShape {
    const count = this.#number()
    const root = this.#root
    const around = [...this.#records].find(([, element]) => element === root)?.[0]
    const id = this.#written.get([...(around ? [around] : []), this.#options.id].join('.')) as Written
    const read = this.#readElement(root)
    const write = this.#write(this.#columns, [], '  ')
    const usual = this.#usual(this.#columns, [])
    const finish = root.isRecord
      ? `return isUsual() && addLine(true)`
      : `return isUsualAround() && areWellFormed(${root.presence?.number}, ${this.#endOf(root)})`
    const usualAround = root.isRecord ? 'true' : this.#usual(this.#columns.filter(isAround), [])
    const bits = Math.max(...notesOf(this.#columns)) + 3
    const code = [
      `const FIELD_COUNT = ${count}`,
      `export const NOTE_COUNT: usize = ${1 << bits}`,
      `const ID_FIELD = ${id.field.number}`,
      `/** Bytes of a line besides twice those of its fields, at most. */`,
      `export const LINE_OVERHEAD: usize = ${this.#keys.join('').length + 2 * KEY_SIZE}`,
      `const ROOT_LENGTH: usize = ${root.name.length + 2}`,
      `const KEYS = memory.data<u8>([${this.#keys.flatMap((key) => [...Buffer.from(key.padEnd(KEY_SIZE))])}])`,
      `const KEY_LENGTHS = memory.data<u8>([${this.#keys.map((key) => key.length)}])`,
      ...this.#code,
      `function isRoot(at: usize): bool {\n  return ${stands('at', `<${root.name}>`)}\n}`,
      `function readRoot(at: usize): usize {\n  memory.fill(FIELDS, 0, FIELD_COUNT << 4)\n  hasLine = false\n  return ${read}(at)\n}`,
      `function isUsual(): bool {\n  return ${usual}\n}`,
      `function isUsualAround(): bool {\n  return ${usualAround}\n}`,
      `function writeRecord(): void {\n${write}}`,
      `function finishRoot(): bool {\n  ${finish}\n}`,
      '',
    ].join('\n')
    const fields = [...this.#written].map(([name, { field }]) => [
      name,
      { number: field.number, isValue: field.isValue },
    ])
    return { code, fields: Object.fromEntries(fields) }
  }

  /** What the fields of a shape say of an element; `names` are those of the fields to it. */
  #add(element: Element, shape: XmlShape, names: readonly string[]): void {
    for (const [name, field] of Object.entries(shape)) {
      const path = [...names, name]
      const key = path.join('.')
      const plan = this.#planOf(path)
      if (plan.isList || (isObject(field) && 'outer' in field)) continue
      if (isObject(field) && 'of' in field) {
        const { of, fields } = field as unknown as { of: string; fields: XmlShape }
        const child = childOf(element, of)
        this.#records.set(key, child)
        this.#add(child, fields, path)
        child.keys = keysOf(plan, (one) => this.#written.get([...path, one].join('.'))?.field)
        continue
      }
      const place = typeof field === 'string' ? field : (field as { path?: string }).path
      const isKey = this.#planOf(names)?.record?.keys.some((one) => one.name === name)
      if (place === undefined || (!this.#wanted.has(key) && !isKey)) continue
      this.#addValue(element, plan, place, key)
    }
  }

  /** A value that stands in a child, in an attribute, or in an attribute of a child. */
  #addValue(element: Element, plan: FieldPlan, place: string, key: string): void {
    const [, name, attribute] = /^([\w-]+)?(?:(?:^|\/)@([\w-]+))?$/.exec(place) ?? []
    const child = name === undefined ? element : childOf(element, name)
    if (plan.kind === 'present') {
      // An attribute that is only there or not is none that is usual.
      if (attribute !== undefined) return
      child.presence ??= newField(false)
      this.#written.set(key, { field: child.presence, plan, beside: child })
      return
    }
    if (attribute === undefined) child.text ??= newField(false)
    else child.attributes.set(attribute, child.attributes.get(attribute) ?? newField(true))
    const field = attribute === undefined ? child.text : child.attributes.get(attribute)
    if (!field) throw new Error(`the kernel cannot read ${place}`)
    this.#written.set(key, { field, plan, beside: child })
  }

  /** The plan of a field by the names that lead to it. */
  #planOf(names: readonly string[]): FieldPlan {
    let fields = this.#plan.fields
    let found: FieldPlan | undefined
    for (const name of names) {
      found = fields.find((one) => one.name === name)
      fields = found?.record?.fields ?? []
    }
    return found as FieldPlan
  }

  /** Gives fields their numbers. Those of an element itself come before those of records in it. How many there are. */
  #number(): number {
    let count = 0
    const visit = (element: Element) => {
      const isContainer = element.children.size > 0
      if (isContainer) element.presence ??= newField(false)
      for (const field of [element.presence, ...element.attributes.values(), element.text]) {
        if (field) field.number = count++
      }
      const children = [...element.children.values()]
      for (const child of children) if (child.children.size === 0) visit(child)
      for (const child of children) if (child.children.size > 0) visit(child)
    }
    for (const [name, attributes] of Object.entries(this.#options.ignored)) {
      for (const element of allOf(this.#root)) {
        if (element.name !== name) continue
        for (const attribute of attributes)
          if (!element.attributes.has(attribute)) element.attributes.set(attribute, undefined)
      }
    }
    visit(this.#root)
    return count
  }

  /** The number after those of the fields of an element, without those of the record in it if it is around that. */
  #endOf(element: Element): number {
    const record = allOf(this.#root).find(({ isRecord }) => isRecord) as Element
    const isAroundRecord = element === this.#root && element !== record
    const inner = allOf(element).filter((one) => !isAroundRecord || !allOf(record).includes(one))
    const numbers = inner.flatMap(({ presence, text, attributes }) => [presence, text, ...attributes.values()])
    return Math.max(...numbers.map((field) => field?.number ?? 0)) + 1
  }

  /** Writes what reads an element after its name, or after its start tag if there are others in it. The name of the function. */
  #readElement(element: Element): string {
    const { name, keys, presence } = element
    const title = `read_${identifier(name)}_${presence?.number ?? element.text?.number ?? this.#code.length}`
    if (element.children.size === 0) {
      this.#readAttributes(title, element)
      return title
    }
    if (element.attributes.size > 0) throw new Error(`the kernel cannot read attributes of ${name}`)
    const record = [...element.children.values()].find(({ isRecord }) => isRecord)
    const branches = [...element.children.values()].map((child) =>
      this.#branch(child, child === record ? undefined : record),
    )
    const first = presence?.number as number
    const last = this.#endOf(element)
    const isInner = element !== this.#root
    const isLine = element.isRecord && isInner
    const size = `${last - first} << 4`
    const begin =
      keys || isLine
        ? `  memory.fill(fieldOf(${first}), 0, ${size})\n  set(${first}, at, at)`
        : `  if (!set(${first}, at, at)) return fail(at)`
    const atEnd = isLine
      ? `{
      if (name + ${name.length + 2} > end) return fail(end)
      if (!isUsual() || !addLine(!hasLine && numberOf(ID_FIELD) != lastId)) return fail(at)
      return name + ${name.length + 2}
    }`
      : `return name + ${name.length + 2}`
    const one = keys ? `${title}_one` : title
    this.#code.push(`function ${one}(at: usize): usize {
${begin}
  while (true) {
    at = skipSpace(at)
    if (<u32>load<u8>(at) != 0x3c) return fail(at)
    const name = at + 1
    ${branches.join('\n    else ')}
    else if (${stands('name', `/${name}>`)}) ${atEnd}
    else return fail(at)
    if (at == 0) return 0
  }
}`)
    if (keys) this.#readNewest(title, keys, first, last)
    return title
  }

  /** What reads a child whose name may stand at `name`. What is around records is to be known when the first of them, `record`, begins. */
  #branch(child: Element, record: Element | undefined): string {
    const { name, text, presence, attributes, children } = child
    const after = `name + ${name.length}`
    const late = record ? ` if (has(${record.presence?.number})) return fail(at)\n      else` : ''
    const test = `if (${stands('name', name)})${late}`
    if (children.size > 0) {
      const read = this.#readElement(child)
      return `${test} at = <u32>load<u8>(${after}) == 0x3e ? ${read}(${after} + 1) : fail(at)`
    }
    if (attributes.size > 0) return `${test} at = ${this.#readElement(child)}(${after})`
    if (text) return `${test} at = ${readLeaf(child, after)}`
    return `${test} at = readPresence(${presence?.number}, ${after})`
  }

  /** Reads attributes, and the text after them if there may be one. */
  #readAttributes(title: string, element: Element): void {
    const { attributes } = element
    const ignored = [...attributes].filter(([, field]) => !field).map(([attribute]) => attribute)
    const branches = [...attributes].map(([attribute, field]) => {
      const text = `${attribute}="`
      const found = field ? `field = ${field.number}` : `bit = ${1 << ignored.indexOf(attribute)}`
      return `if (${stands('name', text)}) {\n      from = name + ${text.length}\n      ${found}\n    }`
    })
    const rest = element.text ? readLeaf(element, 'at') : 'readEmptyEnd(at)'
    this.#code.push(`function ${title}(at: usize): usize {
  let seen = 0
  while (true) {
    const byte = <u32>load<u8>(at)
    if (byte == 0x3e || <u32>load<u16>(at) == EMPTY_END) break
    if (byte != 0x20) return fail(at)
    if (<u32>load<u16>(at, 1) == EMPTY_END) break
    const name = at + 1
    let from: usize = 0
    let field = -1
    let bit = 0
    ${branches.join('\n    else ')}
    else return fail(at)
    const last = findValueEnd(from)
    if (last == 0) return 0
    if (field >= 0 ? !set(field, from, last) : (seen & bit) != 0 || findByte(from, last, <u8>AMPERSAND) < last) return fail(at)
    seen |= bit
    at = last + 1
  }
  return ${rest}
}`)
  }

  /** Of several elements the last of those that are greatest by keys is kept. What is not kept is never written, and so not looked at then. */
  #readNewest(title: string, keys: NonNullable<Element['keys']>, first: number, last: number): void {
    const [key, ...others] = keys.map(({ field, isNumber }) => {
      return `compareFields(${field.number}, ${first}, ${isNumber})`
    })
    const size = `${last - first} << 4`
    this.#code.push(`function ${title}(at: usize): usize {
  if (!has(${first})) return ${title}_one(at)
  if (!areWellFormed(${first}, ${last})) return fail(at)
  memory.copy(OTHER, fieldOf(${first}), ${size})
  const next = ${title}_one(at)
  if (next == 0) return 0
  let order = ${key}
${others.map((other) => `  if (order == 0) order = ${other}\n`).join('')}  if (order == UNKNOWN_ORDER) return fail(at)
  if (order >= 0) return next
  if (!areWellFormed(${first}, ${last})) return fail(at)
  memory.copy(fieldOf(${first}), OTHER, ${size})
  return next
}`)
  }

  /** Whether what must be there is there, and all numbers are such. */
  #usual(columns: readonly LineColumn[], names: readonly string[]): string {
    const tests: string[] = []
    for (const [i, column] of columns.entries()) {
      if (column.as === 'refused') continue
      const path = [...names, ...column.steps.map(({ name }) => name)]
      if (column.columns) {
        const element = this.#records.get(path.join('.')) as Element
        tests.push(`(!has(${element.presence?.number}) || (${this.#usual(column.columns, path)}))`)
        continue
      }
      const written = this.#written.get(path.join('.'))
      if (!written) continue
      const { number } = written.field
      if (column.as === 'integer') tests.push(`isNumber(${number}, ${column.isRequired === true})`)
      if (column.as === 'text' && column.isRequired) tests.push(`has(${number})`)
      if (!column.endsObject) continue
      const others = columns.slice(i + 1).flatMap(({ steps }) => {
        const other = this.#written.get([...names, ...steps.map(({ name }) => name)].join('.'))
        return other ? [`!has(${other.field.number})`] : []
      })
      tests.push(`(has(${number}) ? ${others.join(' && ')} : ${this.#usual(columns.slice(i + 1), names)})`)
      break
    }
    return tests.join(' && ') || 'true'
  }

  /** Writes the columns of an object. */
  #write(columns: readonly LineColumn[], names: readonly string[], indent: string): string {
    let code = ''
    for (const [i, column] of columns.entries()) {
      const { as, note } = column
      if (as === 'refused') continue
      const path = [...names, ...column.steps.map(({ name }) => name)]
      const bit = note === undefined ? 0 : 2 << note
      const noted = bit === 0 ? '' : `; notes |= ${bit}`
      if (column.columns) {
        const element = this.#records.get(path.join('.')) as Element
        const inner = this.#write(column.columns, path, `${indent}  `)
        const key = this.#key(column, '{')
        code += `${indent}if (has(${element.presence?.number})) {\n${indent}  putKey(${key})${noted}\n${inner}${indent}  put(CLOSED_BRACE)\n${indent}}\n`
        continue
      }
      const written = this.#written.get(path.join('.'))
      if (!written) continue
      const { field } = written
      const { number } = field
      if (as === 'integer') {
        code += `${indent}if (!isEmpty(${number})) putNumber(${number}, ${this.#key(column, '')}, ${bit})\n`
        continue
      }
      const put =
        as === 'true'
          ? `putKey(${this.#key(column, 'true')})`
          : `putText(${number}, ${this.#key(column, '"')}, ${field.isValue})`
      const test = `${indent}if (${isThere(written)}) {\n${indent}  ${put}${noted}\n${indent}}`
      if (column.endsObject) {
        return `${code}${test} else {\n${this.#write(columns.slice(i + 1), names, `${indent}  `)}${indent}}\n`
      }
      code += `${test}\n`
    }
    return code
  }

  #key({ key }: LineColumn, after: string): number {
    const text = `,${JSON.stringify(key)}:${after}`
    if (text.length > LONGEST_KEY) throw new Error(`the key ${key} is too long for the kernel`)
    return this.#keys.push(text) - 1
  }
}

/** Whether a text is there. One that is empty may be absent. */
function isThere({ field: { number }, plan: { isEmptyAbsent }, beside }: Written): string {
  if (isEmptyAbsent === false) return `has(${number})`
  if (isEmptyAbsent === true) return `has(${number}) && !isEmpty(${number})`
  const { attribute, value = '', isNegated } = isEmptyAbsent as Condition
  const other = beside.attributes.get(attribute.name ?? '')
  if (!other || !isNegated || value.length > WORD) throw new Error('the kernel cannot test this condition')
  return `has(${number}) && (!isEmpty(${number}) || !has(${other.number}) || isText(${other.number}, ${wordOf(value)}, ${value.length}))`
}

function newElement(name: string): Element {
  return {
    name,
    text: undefined,
    presence: undefined,
    attributes: new Map(),
    children: new Map(),
    keys: undefined,
    isRecord: false,
  }
}

function newField(isValue: boolean): Field {
  return { number: -1, isValue }
}

function childOf(element: Element, name: string): Element {
  const child = element.children.get(name) ?? newElement(name)
  element.children.set(name, child)
  return child
}

/** An element and those in it. */
function allOf(element: Element): Element[] {
  return [element, ...[...element.children.values()].flatMap(allOf)]
}

function keysOf({ record }: FieldPlan, fieldOf: (name: string) => Field | undefined): Element['keys'] {
  if (!record || record.keys.length === 0) return undefined
  return record.keys.map(({ name, kind }) => ({ field: fieldOf(name) as Field, isNumber: kind === 'integer' }))
}

/** The names of the fields that columns lead to, joined by points. */
function namesOf(columns: readonly LineColumn[], before = ''): string[] {
  return columns.flatMap(({ steps, as, columns: inner }) => {
    if (as === 'refused') return []
    const name = before + steps.map((step) => step.name).join('.')
    return inner ? namesOf(inner, `${name}.`) : [name]
  })
}

function notesOf(columns: readonly LineColumn[]): number[] {
  return columns.flatMap(({ note = 0, columns: inner = [] }) => [note, ...notesOf(inner)])
}

function isAround({ steps }: LineColumn): boolean {
  return steps[0]?.record?.outer !== undefined
}

function isObject(field: unknown): field is Record<string, unknown> {
  return typeof field === 'object' && field !== null && !Array.isArray(field)
}

function identifier(name: string): string {
  return name.replace(/\W/g, '_')
}

function readLeaf({ name, text }: Element, at: string): string {
  const [first, rest = ''] = wordsOf(name)
  return `readLeaf(${text?.number}, ${at}, ${wordOf(first as string)}, ${first?.length}, ${wordOf(rest)}, ${rest.length})`
}

/** Whether a text stands at an address. */
function stands(at: string, text: string): string {
  return wordsOf(text)
    .map((word, i) => `stands(${i === 0 ? at : `${at} + ${i * WORD}`}, ${wordOf(word)}, ${word.length})`)
    .join(' && ')
}

function wordsOf(text: string): string[] {
  return text.match(/.{1,8}/gs) ?? ['']
}

/** Up to eight bytes as a number in the order of memory. */
function wordOf(text: string): string {
  return text === '' ? '0' : `0x${Buffer.from(text).reverse().toString('hex')}`
}
