// Pages as lines of JSON: which of them, and what is told of them.

/** Which pages are written. What is not said excludes none. */
export interface PageLineFilter {
  readonly namespaces?: ReadonlySet<number> | undefined
  readonly redirects?: 'in' | 'out' | 'only' | undefined
  /**
   * Called with those of the namespaces that pages are in, at least once for each.
   *
   * @internal
   */
  readonly onNamespace?: ((ns: number) => void) | undefined
}

/** What was written. */
export interface PageLines {
  /** Whole lines, in UTF-8. What is kept keeps up to 1 MiB. */
  readonly bytes: Uint8Array
  readonly pages: number
  /** Ids of the first page and the last one. */
  readonly firstPage: number
  readonly lastPage: number
  readonly redirects: number
  readonly revisions: number
  /** Revisions without a text that have one by their size; and those whose size says that it is suppressed. */
  readonly missingTexts: number
  readonly suppressed: number
}
