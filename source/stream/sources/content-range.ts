// The header that says which part of a representation a response has (RFC 9110, section 14.4).

export interface ContentRange {
  /** Offset of the first byte of the part, and of the one after its last. */
  readonly start: number
  readonly end: number
  /** Bytes of the complete representation; undefined where the server does not know. */
  readonly size: number | undefined
}

/** Undefined for anything that is not a valid range of bytes. */
export function parseContentRange(value: string | null): ContentRange | undefined {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(value ?? '') ?? []
  if (first === undefined) return undefined
  const range = { start: Number(first), end: Number(last) + 1, size: size === '*' ? undefined : Number(size) }
  return range.start < range.end && range.end <= (range.size ?? range.end) ? range : undefined
}

/** The size of the complete representation in a response that has no part of it; undefined where it does not say. */
export function parseUnsatisfiedRange(value: string | null): number | undefined {
  const [, size] = /^bytes \*\/(\d+)$/i.exec(value ?? '') ?? []
  return size === undefined ? undefined : Number(size)
}
