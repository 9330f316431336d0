// Reading records that may lack a field.

import type { RecordValues, Value } from './value.ts'

/** The value of a field that a record may lack: all objects have others, such as `constructor`. */
export function readField(values: RecordValues, name: string): Value {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
