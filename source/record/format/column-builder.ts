// Puts the values of one field together as a column: from what the kernel has written (xml/kernel/values.ts), or from values.

import { formatJson } from '../../text/json.ts'
import { type Kind, kindOf } from '../kinds.ts'
import type { RecordValues, Value } from '../value.ts'
import type { Column } from './column.ts'
import type { FormatField } from './format.ts'

/** What the kernel writes for an absent value. */
const NULL = 0xffffffff
const FIRST_SIZE = 64
/** How much memory the next batch gets, by that of the last. What is not used is not touched. */
const LIKELY = 1.125
/** Bytes of a short text. */
const FEW = 48
const WORD = 2 ** 32
const encoder = new TextEncoder()

/** Bytes that were written, and how far they were read. */
export interface ValueCursor {
  readonly view: DataView
  readonly bytes: Uint8Array
  at: number
}

/** One column in the making. */
export abstract class ColumnBuilder {
  readonly name: string
  #length = 0
  #nullCount = 0
  #validity: Uint8Array<ArrayBuffer> | undefined

  constructor(name: string) {
    this.name = name
  }

  get length(): number {
    return this.#length
  }

  /** Bytes that the values in it take, without those of validity. */
  abstract get size(): number

  /** Adds the next value that the kernel has written. */
  read(cursor: ValueCursor): void {
    const count = takeWord(cursor)
    if (count === NULL) this.addAbsent()
    else {
      this.readPresent(cursor, count)
      this.#addPresent()
    }
  }

  /** Adds a value instead of one that the kernel has written as absent. */
  replace(cursor: ValueCursor, value: Value): void {
    takeWord(cursor)
    this.add(value)
  }

  /** Adds a value; undefined and null are absent ones. */
  add(value: Value | null): void {
    if (value === undefined || value === null) this.addAbsent()
    else {
      this.addValue(value)
      this.#addPresent()
    }
  }

  addAbsent(): void {
    this.addNothing()
    const i = this.#length++
    this.#nullCount++
    this.#validity ??= new Uint8Array(Math.max(FIRST_SIZE, (i >> 3) + 1)).fill(0xff)
    if (i >> 3 >= this.#validity.length) this.#validity = withRoom(this.#validity, (i >> 3) + 1, 0xff)
    this.#validity[i >> 3] = (this.#validity[i >> 3] as number) & ~(1 << (i & 7))
  }

  /** The column, and begins another one. */
  take(): Column {
    const length = this.#length
    const base = { name: this.name, length, nullCount: this.#nullCount, validity: this.#takeValidity(length) }
    this.#length = this.#nullCount = 0
    return this.takeValues(base)
  }

  #addPresent(): void {
    const i = this.#length++
    const validity = this.#validity
    if (validity && i >> 3 >= validity.length) this.#validity = withRoom(validity, (i >> 3) + 1, 0xff)
  }

  #takeValidity(length: number): Uint8Array<ArrayBuffer> | undefined {
    const validity = this.#validity?.subarray(0, (length + 7) >> 3)
    this.#validity = undefined
    // The bits after the last value are 0.
    if (validity && (length & 7) !== 0)
      validity[length >> 3] = (validity[length >> 3] as number) & ((1 << (length & 7)) - 1)
    return validity
  }

  /** A value that is there: for `count`, see xml/kernel/values.ts. */
  protected abstract readPresent(cursor: ValueCursor, count: number): void
  protected abstract addValue(value: Value): void
  /** Something in the place of an absent value. */
  protected abstract addNothing(): void
  protected abstract takeValues(base: Omit<Column, 'type' | 'values'>): Column
}

class Utf8Builder extends ColumnBuilder {
  #offsets = new Int32Array(FIRST_SIZE)
  #values = new Uint8Array(FIRST_SIZE)
  #end = 0

  get size(): number {
    return 4 * this.length + this.#end
  }

  protected readPresent(cursor: ValueCursor, count: number): void {
    this.#put(cursor.bytes, cursor.at, count)
    cursor.at += count
  }

  protected addValue(value: Value): void {
    const text = typeof value === 'string' ? value : formatJson(value as object)
    if (text.length <= FEW && this.#putAscii(text)) return
    const bytes = encoder.encode(text)
    this.#put(bytes, 0, bytes.length)
  }

  protected addNothing(): void {
    this.#endOne()
  }

  protected takeValues(base: Omit<Column, 'type'>): Column {
    const offsets = this.#offsets.subarray(0, base.length + 1)
    const values = this.#values.subarray(0, this.#end)
    // Somewhat larger than the last ones: they are hardly ever made larger then.
    this.#offsets = new Int32Array(Math.ceil(LIKELY * offsets.length))
    this.#values = new Uint8Array(Math.ceil(LIKELY * values.length))
    this.#end = 0
    return { ...base, type: 'utf8', offsets, values }
  }

  /** Puts a few units, which take less time than a call of the encoder; false if they are not ASCII. */
  #putAscii(text: string): boolean {
    const { length } = text
    if (this.#end + length > this.#values.length) this.#values = withRoom(this.#values, this.#end + length)
    const values = this.#values
    const end = this.#end
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i)
      if (unit >= 0x80) return false
      values[end + i] = unit
    }
    this.#end += length
    this.#endOne()
    return true
  }

  #put(bytes: Uint8Array, at: number, count: number): void {
    if (this.#end + count > this.#values.length) this.#values = withRoom(this.#values, this.#end + count)
    const values = this.#values
    let end = this.#end
    // A view of a few bytes takes longer than copying them.
    if (count > FEW) values.set(bytes.subarray(at, at + count), end)
    else for (let i = at; i < at + count; i++) values[end++] = bytes[i] as number
    this.#end += count
    this.#endOne()
  }

  #endOne(): void {
    const i = this.length + 1
    if (i >= this.#offsets.length) this.#offsets = withRoom(this.#offsets, i + 1)
    this.#offsets[i] = this.#end
  }
}

/** What a number is in memory. */
interface Fixed {
  readonly words: number
  /** Puts a value into its words, the lowest first. */
  readonly put: (words: Uint32Array, at: number, value: Value) => void
  /** The column of the numbers in some memory. */
  readonly column: (base: Omit<Column, 'type'>, memory: ArrayBuffer) => Column
}

const long = new DataView(new ArrayBuffer(8))
/** Whole numbers, and the milliseconds of dates. */
const integers = (type: 'int64' | 'timestamp'): Fixed => ({
  words: 2,
  put: (words, at, value) => {
    const number = typeof value === 'bigint' ? value : Number(value)
    // Both words wrap, as two's complement does.
    words[at] = typeof number === 'bigint' ? Number(BigInt.asUintN(32, number)) : number
    words[at + 1] = typeof number === 'bigint' ? Number(number >> 32n) : Math.floor(number / WORD)
  },
  column: (base, memory) => ({ ...base, type, values: new BigInt64Array(memory, 0, base.length) }),
})
const FLOAT64: Fixed = {
  words: 2,
  put: (words, at, value) => {
    long.setFloat64(0, value as number, true)
    words[at] = long.getUint32(0, true)
    words[at + 1] = long.getUint32(4, true)
  },
  column: (base, memory) => ({ ...base, type: 'float64', values: new Float64Array(memory, 0, base.length) }),
}

const decimals = ({ parameters: [precision = 0, scale = 0] }: Kind): Fixed => ({
  words: 4,
  put: (words, at, value) => {
    const number = BigInt((value as string).replace('.', ''))
    for (let i = 0; i < 4; i++) words[at + i] = Number(BigInt.asUintN(32, number >> BigInt(32 * i)))
  },
  column: (base, memory) => {
    return { ...base, type: 'decimal', precision, scale, values: new BigInt64Array(memory, 0, 2 * base.length) }
  },
})

/** Numbers of a fixed size. Absent ones are 0, as the memory is. */
class FixedBuilder extends ColumnBuilder {
  readonly #fixed: Fixed
  #words: Uint32Array<ArrayBuffer>

  constructor(name: string, fixed: Fixed) {
    super(name)
    this.#fixed = fixed
    this.#words = new Uint32Array(fixed.words * FIRST_SIZE)
  }

  get size(): number {
    return 4 * this.#fixed.words * this.length
  }

  protected readPresent(cursor: ValueCursor): void {
    // A kernel writes numbers of 64 bits alone.
    const at = this.#begin()
    this.#words[at] = cursor.view.getUint32(cursor.at, true)
    this.#words[at + 1] = cursor.view.getUint32(cursor.at + 4, true)
    cursor.at += 8
  }

  protected addValue(value: Value): void {
    const at = this.#begin()
    this.#fixed.put(this.#words, at, value)
  }

  protected addNothing(): void {
    this.#begin()
  }

  protected takeValues(base: Omit<Column, 'type'>): Column {
    const { buffer } = this.#words
    this.#words = new Uint32Array(this.#fixed.words * Math.max(FIRST_SIZE, base.length))
    return this.#fixed.column(base, buffer)
  }

  /** Where the words of the next number are. */
  #begin(): number {
    const { words } = this.#fixed
    const at = words * this.length
    if (at >= this.#words.length) this.#words = withRoom(this.#words, at + words)
    return at
  }
}

class BoolBuilder extends ColumnBuilder {
  #bits = new Uint8Array(FIRST_SIZE)

  get size(): number {
    return this.length / 8
  }

  protected readPresent(_cursor: ValueCursor, count: number): void {
    this.#put(count)
  }

  protected addValue(value: Value): void {
    this.#put(value === true ? 1 : 0)
  }

  protected addNothing(): void {
    this.#put(0)
  }

  protected takeValues(base: Omit<Column, 'type'>): Column {
    const values = this.#bits.subarray(0, (base.length + 7) >> 3)
    this.#bits = new Uint8Array(FIRST_SIZE)
    return { ...base, type: 'bool', values }
  }

  #put(bit: number): void {
    const i = this.length
    this.#bits = withRoom(this.#bits, (i >> 3) + 1)
    this.#bits[i >> 3] = (this.#bits[i >> 3] as number) | (bit << (i & 7))
  }
}

class ListBuilder extends ColumnBuilder {
  readonly #child: ColumnBuilder
  #offsets = new Int32Array(FIRST_SIZE)

  constructor(name: string, child: ColumnBuilder) {
    super(name)
    this.#child = child
  }

  get size(): number {
    return 4 * this.length + this.#child.size
  }

  protected readPresent(cursor: ValueCursor, count: number): void {
    for (let left = count; left > 0; left--) this.#child.read(cursor)
    this.#endOne()
  }

  protected addValue(value: Value): void {
    for (const one of value as readonly Value[]) this.#child.add(one)
    this.#endOne()
  }

  protected addNothing(): void {
    this.#endOne()
  }

  protected takeValues(base: Omit<Column, 'type'>): Column {
    const offsets = this.#offsets.subarray(0, base.length + 1)
    this.#offsets = new Int32Array(offsets.length)
    return { ...base, type: 'list', offsets, child: this.#child.take() }
  }

  #endOne(): void {
    const i = this.length + 1
    this.#offsets = withRoom(this.#offsets, i + 1)
    this.#offsets[i] = this.#child.length
  }
}

class StructBuilder extends ColumnBuilder {
  readonly #children: readonly ColumnBuilder[]

  constructor(name: string, children: readonly ColumnBuilder[]) {
    super(name)
    this.#children = children
  }

  get size(): number {
    return sizeOf(this.#children)
  }

  protected readPresent(cursor: ValueCursor): void {
    for (const child of this.#children) child.read(cursor)
  }

  protected addValue(value: Value): void {
    const values = value as RecordValues
    // Of a field that is absent, objects may have another value, such as `constructor`.
    for (const child of this.#children) child.add(Object.hasOwn(values, child.name) ? values[child.name] : undefined)
  }

  protected addNothing(): void {
    for (const child of this.#children) child.addAbsent()
  }

  protected takeValues(base: Omit<Column, 'type'>): Column {
    return { ...base, type: 'struct', children: this.#children.map((child) => child.take()) }
  }
}

/** Bytes that the values of some columns take. */
export function sizeOf(builders: readonly ColumnBuilder[]): number {
  let size = 0
  for (const builder of builders) size += builder.size
  return size
}

/** What makes the columns of the fields of a record. */
export function columnBuilders(fields: readonly FormatField[]): ColumnBuilder[] {
  return fields.filter(({ isHidden }) => !isHidden).map((field) => builderOf(field, field.name))
}

/** By the name that kinds have for it, what makes a column. */
const BUILDERS: Readonly<Record<string, (name: string, kind: Kind) => ColumnBuilder>> = {
  utf8: (name) => new Utf8Builder(name),
  int64: (name) => new FixedBuilder(name, integers('int64')),
  timestamp: (name) => new FixedBuilder(name, integers('timestamp')),
  decimal: (name, kind) => new FixedBuilder(name, decimals(kind)),
  float64: (name) => new FixedBuilder(name, FLOAT64),
  bool: (name) => new BoolBuilder(name),
}

function builderOf(field: FormatField, name: string): ColumnBuilder {
  if (field.isList) return new ListBuilder(name, builderOf({ ...field, isList: false }, 'item'))
  if (field.kind === 'record') return new StructBuilder(name, columnBuilders(field.record?.fields ?? []))
  const kind = kindOf(field.kind)
  return (BUILDERS[kind.column] as (name: string, kind: Kind) => ColumnBuilder)(name, kind)
}

function takeWord(cursor: ValueCursor): number {
  const word = cursor.view.getUint32(cursor.at, true)
  cursor.at += 4
  return word
}

type Numbers = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** Numbers with room for `count`: at least as many as before, the new ones are `filler`. Who has enough does not call it: for arrays of all types it is slow. */
function withRoom<Kind extends Numbers>(numbers: Kind, count: number, filler = 0): Kind {
  if (count <= numbers.length) return numbers
  const larger = new (numbers.constructor as new (length: number) => Kind)(Math.max(count, 2 * numbers.length))
  larger.set(numbers)
  if (filler !== 0) larger.fill(filler, numbers.length)
  return larger
}
