// Records as objects.

import type { RecordValues } from '../value.ts'
import type { Format } from './format.ts'

export const OBJECTS: Format<RecordValues[]> = {
  collect: () => ({
    add: (record) => record.complete(),
    take: (items) => (items.length === 0 ? [] : [{ batch: items, records: items.length }]),
    finish: () => [],
  }),
}
