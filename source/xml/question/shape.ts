// Shapes: what is wanted of an element, as data. So a shape can be sent to a worker, kept in a file, and made by a program; and TypeScript
// knows the record that it gives.
//
//   'title'                  the text of the first child of this name       'revision/text'   of the first such child of a child
//   '.'                      the text of the element itself                 '@id', 'a/@id'    the value of an attribute
//   '//title', './/title'    the first at any depth                         '@{urn:x}id'      of a namespace
//   '*:title', '@*:id'       in any namespace or none
//   'name()', '*/name()'     the name of the element, or of a child of it   ['category']      all values, in the order in which they begin
//
// Steps are those of paths that select elements (path.ts). What a path alone does not say is said by an object.

import type { XmlObjectContent } from '../object/xml-object.ts'
import type { XmlElementData } from '../tree/element.ts'

/** What a value is made of, and what it becomes. */
export interface KindValues {
  /** The text, or the value of the attribute. */
  string: string
  /** A whole number that JavaScript can represent exactly. */
  integer: number
  /** A whole number from -2^63 to 2^63 - 1. In JSON, its digits. */
  int64: bigint
  /** A finite decimal number. A whole number must be one that JavaScript can represent exactly; others are rounded. */
  number: number
  /** A decimal number as its digits, of which exactly `scale` stand after the point: `12.50`. Never rounded: more digits than it has room for are an error. */
  decimal: string
  /** `true` or `1`, `false` or `0`. */
  boolean: boolean
  /** A day or a time of ISO 8601 or RFC 822, to the millisecond. Without a zone, it is in UTC. */
  date: Date
  /** How many bytes the text has in UTF-8: what it stands for, not what is written. */
  byteLength: number
  /** Whether it is there: true, or absent. */
  present: true
  /** Where the element begins: an offset in bytes of the input. */
  offset: number
  /** The element as it stands in the input. Absent if an entity brings it. */
  xml: string
  /** All attributes of the element by their names. */
  attributes: Record<string, string>
  /** The texts of its children by their names: one text, or an array of all texts if several children have the name. */
  children: Record<string, string | string[]>
  /** What the element contains, as `toObject` gives it: its text, or an object with attributes, text and elements. */
  object: XmlObjectContent
  /** The children of the record's element that no field of it names. Absent if there are none. It has no path. */
  rest: XmlElementData[]
}

export type ValueKind = keyof KindValues

/** A mark of fields of our own, which may have properties that no page documents. */
export const INTERNAL = Symbol('internal')

/** A field with more than a path. */
export interface ValueField {
  /** The path of its value. */
  readonly path?: string | undefined
  /** Instead of `path`: several paths. The value is that of the first path in the list that has one; with `pick: 'last'`, the last of all. */
  readonly firstOf?: readonly string[] | undefined
  /** What the value is (default: `string`). */
  readonly as?: ValueKind | undefined
  /** For the kind `decimal`: how many digits it has at most (default: 38, the most), and how many of them stand after the point. */
  readonly precision?: number | undefined
  readonly scale?: number | undefined
  /**
   * For the kind `xml`: whether the value is a document of its own, with the declarations of namespaces around the element, with the values of
   * defaults and with the text of entities that the document declares (default: false). It is there if an entity brings the element, too.
   */
  readonly standalone?: boolean | undefined
  /** Whether only the text of the element itself counts, without that of elements in it (default: false). */
  readonly own?: boolean | undefined
  /** Which of several values to take (default: `first`). */
  readonly pick?: 'first' | 'last' | undefined
  /** The value is absent if the element has an attribute: `@deleted`, `@state="hidden"`, or `@state!="shown"`. */
  readonly unless?: string | undefined
  /** Whether an empty value is absent, also in a list: always, or if the element has an attribute, as in `unless`. */
  readonly empty?: 'absent' | { readonly absentIf: string } | undefined
  /**
   * Whether a record without a value is an error with the code `missing-value` (default: false). With `lenient`, a value that is not of its kind is an
   * error, too.
   */
  readonly required?: boolean | undefined
  /** Whether `where` does not see it. It is decoded only for the records that `where` accepts. */
  readonly late?: boolean | undefined
  /** Whether it is not in the record: then only `newest` sees it. */
  readonly hidden?: boolean | undefined
  /**
   * Whether it is given only where it is asked for by its name (`pick`). Otherwise it is as if the shape did not have it.
   *
   * @internal
   */
  readonly onRequest?: boolean | undefined
  /**
   * For the kind `children`: whether the last text of each name is its only value.
   *
   * @internal
   */
  readonly unique?: boolean | undefined
  /**
   * The value of a record in which nothing has a value, of the type of `as`: a string, a number, a bigint, a boolean or a Date. Not for lists and required
   * fields.
   */
  readonly default?: string | number | bigint | boolean | Date | undefined
  /** @internal */
  readonly [INTERNAL]?: true | undefined
  /**
   * What an error in its value says.
   *
   * @internal
   */
  readonly error?: FieldError | undefined
}

/** What an error in a value of a field says, with the place of its record; `invalid` is followed by the text. */
export interface FieldError {
  readonly code: string
  readonly invalid?: string
  readonly missing?: string
  /** Of a text that is `own`, that elements in it are an error, which has the place of the text; it follows the name of the field. */
  readonly elements?: string
  /** The version of the schema of dumps from which on it is required. */
  readonly since?: string
}

/** A record of an element inside the element. */
export interface RecordField {
  /** The path of the element. */
  readonly of: string
  readonly fields?: XmlShape | undefined
  /** Instead of `fields`: what the record may be. It is the first of these shapes of which the first field has a value. Without any, the record is absent. */
  readonly oneOf?: readonly XmlShape[] | undefined
  /** Which of several to take (default: `first`); `newest`: the one whose fields of these names are greatest, compared one after the other. */
  readonly pick?: 'first' | 'last' | { readonly newest: readonly string[] } | undefined
  /** As in {@link ValueField}. */
  readonly unless?: string | undefined
  /** Of a list: whether it is absent if it has no records. */
  readonly empty?: 'absent' | undefined
  readonly required?: boolean | undefined
  readonly late?: boolean | undefined
  readonly hidden?: boolean | undefined
}

/** A record of an element around the element, with what was read of it so far. */
export interface OuterField {
  /** The path of the element, from the root. */
  readonly outer: string
  readonly fields: XmlShape
  readonly required?: boolean | undefined
  readonly hidden?: boolean | undefined
}

/** One value: a path, or what describes it. */
export type FieldShape = string | ValueField | RecordField | OuterField

/** For each field, where its value is; in an array: all values. */
export interface XmlShape {
  readonly [name: string]: FieldShape | readonly FieldShape[]
}

/**
 * The record that a shape gives. What is not there is undefined, unless it is required; a list is then empty. A list has undefined for an element with `xsi:nil`, and with
 * `lenient` for a value that is not of its kind, which its type does not show.
 */
export type XmlRecord<Shape extends XmlShape> = {
  -readonly [Name in keyof Shape as Shape[Name] extends NotGiven ? never : Name]: FieldValue<Shape[Name]>
}

/** Fields that are not in the record. */
type NotGiven = { readonly hidden: true } | { readonly onRequest: true } | readonly { readonly onRequest: true }[]

/** The record of a shape as it is in JSON: what is not there is absent. Its properties have the comments of the fields of the shape. */
export type CompactRecord<Shape extends XmlShape> = CompactFields<Shape, NamesOf<Shape, false>> &
  Partial<CompactFields<Shape, NamesOf<Shape, true>>>

/** TypeScript keeps the comments of properties if their names are a parameter. */
type CompactFields<Shape extends XmlShape, Names extends keyof Shape> = {
  -readonly [Name in Names]: Exclude<FieldValue<Shape[Name], true>, undefined>
}

/** The names of fields that may be absent, or may not. */
type NamesOf<Shape extends XmlShape, Absence> = {
  [Name in keyof Shape]: Shape[Name] extends NotGiven
    ? never
    : (undefined extends FieldValue<Shape[Name]> ? true : false) extends Absence
      ? Name
      : never
}[keyof Shape]

/** The value of a field: in an array all values, otherwise one, or undefined unless it is required. */
export type FieldValue<Given, IsCompact = false> = Given extends readonly (infer One)[]
  ? OneValue<One, IsCompact>[] | (One extends { readonly of: string; readonly empty: 'absent' } ? undefined : never)
  :
      | OneValue<Given, IsCompact>
      | (Given extends { readonly required: true } | { readonly default: unknown } ? never : undefined)

/** One value of a field. */
export type OneValue<Given, IsCompact = false> = Given extends string
  ? string
  : Given extends { readonly oneOf: readonly (infer Option extends XmlShape)[] }
    ? RecordOf<Option, IsCompact>
    : Given extends { readonly fields: infer Inner extends XmlShape }
      ? RecordOf<Inner, IsCompact>
      : Given extends { readonly unique: true }
        ? Record<string, string>
        : Given extends { readonly as?: infer Kind }
          ? InJson<KindValue<Kind>, IsCompact>
          : string

/** In JSON, dates are texts, and there is one kind of numbers. */
type InJson<One, IsCompact> = IsCompact extends true
  ? One extends Date
    ? string
    : One extends bigint
      ? number
      : One
  : One

/** Of several shapes, the records of all. */
type RecordOf<Shape extends XmlShape, IsCompact> = Shape extends unknown
  ? IsCompact extends true
    ? CompactRecord<Shape>
    : XmlRecord<Shape>
  : never

/** The value of a kind. Of one that is not given, TypeScript knows nothing; of one that may be given, it is one of all. */
export type KindValue<Kind> = unknown extends Kind ? string : KindValues[Kind extends ValueKind ? Kind : 'string']
