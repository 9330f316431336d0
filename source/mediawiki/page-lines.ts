// Pages as lines of JSON: which pages, and which of their fields.

/** Filters for pages. A filter that is absent excludes nothing. */
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
  /** Complete lines in UTF-8. Keeping them retains up to 1 MiB. */
  readonly bytes: Uint8Array
  readonly pages: number
  /** Ids of the first page and the last one. */
  readonly firstPage: number
  readonly lastPage: number
  readonly redirects: number
  readonly revisions: number
  /** Revisions without a text although their size is not 0; and revisions whose size shows that the text is suppressed. */
  readonly missingTexts: number
  readonly suppressed: number
}
