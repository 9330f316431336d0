// How much a machine may take.

/** Bounds of a parse. Passing one throws a `LimitError` with a code of its own. */
export interface MachineLimits {
  /** Bytes of input that may be retained at once: the largest part, or the largest span that might be read again. */
  readonly maxRetained: number
  /** Rules, brackets and rewind points that may be open at once; in XML, elements. */
  readonly maxDepth: number
  /** Nodes that may be recorded at once: of the largest tree, or of the parts that are not yet handed over. */
  readonly maxNodes: number
  /** Different names that may be known. */
  readonly maxNames: number
}

export const DEFAULT_LIMITS: MachineLimits = {
  maxRetained: 256 * 1024 * 1024,
  maxDepth: 1_000_000,
  maxNodes: 64 * 1024 * 1024,
  maxNames: 1_000_000,
}
