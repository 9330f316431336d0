// JSON lines: one JSON text a line, https://jsonlines.org.

import { formatJson } from '../../text/json.ts'

/** A value as one line, with its line feed. */
export function formatJsonLine(value: object): string {
  return `${formatJson(value)}\n`
}
