// JSON lines: one JSON text a line, https://jsonlines.org.

/** A value as one line, with its line feed. */
export function formatJsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}
