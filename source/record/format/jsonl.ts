// JSON lines (https://jsonlines.org): each line is what `JSON.stringify` makes of a record.

import { formatJson, formatObject } from '../../text/json.ts'
import type { LineNotation } from './format.ts'
import { lineFormat } from './lines.ts'

export const JSON_OBJECT: LineNotation = {
  mode: 'object',
  separator: ',',
  lineEnd: '\n',
  format: (names, values, { hasNulls }) => formatObject(names, values, hasNulls ? null : undefined),
  formatAny: (value, { hasNulls }) => formatJson(value, hasNulls ? null : undefined),
}

export const format = lineFormat(JSON_OBJECT)
