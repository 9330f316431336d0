// Values of records, whoever has found them.

/** A value of any field. What is made for one kind alone, such as an element, is an object in an array. */
export type Value = string | number | bigint | boolean | Date | undefined | readonly (Value | object)[] | RecordValues

/** Any record. */
export interface RecordValues {
  [name: string]: Value
}
