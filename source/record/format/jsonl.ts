// JSON lines (https://jsonlines.org): each line is what `JSON.stringify` makes of a record.

import { formatJson, formatObject } from '../../text/json.ts'
import type { LineNotation } from './format.ts'
import { lineFormat } from './lines.ts'

export const JSON_OBJECT: LineNotation = {
  mode: 'object',
  separator: ',',
  lineEnd: '\n',
  format: (names, values, { absent }) => formatObject(names, values, absent === 'null' ? null : undefined),
  formatAny: (value, { absent }) => formatJson(value, absent === 'null' ? null : undefined),
}

export const format = lineFormat(JSON_OBJECT)
