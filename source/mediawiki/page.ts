// A page of an article dump, as `docs/page.schema.json` describes it. Numbers are numbers where MediaWiki's schema
// (docs/export-0.11.xsd in its repository) has numbers; what the dump does not have is absent.

/** Who made a revision. `deleted` is true when that is suppressed. */
export type Contributor = { username: string; id?: number } | { ip: string } | { deleted: true }

/** One version of a page. */
export interface Revision {
  id: number
  /** The revision before it; absent for the first one. New exports write -1 where it is unknown. */
  parentid?: number
  /** ISO 8601, in UTC. */
  timestamp?: string
  contributor?: Contributor
  /** Present when it was marked as a minor edit. */
  minor?: true
  /** Absent when there is none, or it is suppressed. */
  comment?: string
  model?: string
  format?: string
  /** Bytes of the stored text in UTF-8; not always those of `text`, and -1 where the text is suppressed in new exports. */
  bytes?: number
  /** SHA-1 of the stored text in base 36. */
  sha1?: string
  /** The wikitext. Absent when it is suppressed, and in stub dumps. */
  text?: string
}

/** A page with its newest revision in the dump. */
export interface Page {
  id: number
  /** The namespace's number. Absent in dumps before schema 0.6. */
  ns?: number
  title: string
  /** The title that this page redirects to. Absent for other pages, and when the target is not a valid title. */
  redirect?: string
  /** Absent when the dump has none for this page. */
  revision?: Revision
}
