// Revisions: versions of pages.

import type { CompactRecord } from '../../xml/question/shape.ts'
import type { LateNames } from '../../xml/question/where.ts'
import { CONTRIBUTOR, type Contributor } from './contributor.ts'
import { id, LAST, LAST_TEXT, OURS, OWN, wholeNumber } from './fields.ts'

/** An empty text whose size is not 0 stands for one that the wiki keeps (stubs) or that could not be fetched. */
const TEXT = { path: 'text', ...OWN, unless: '@deleted', empty: { absentIf: '@bytes!="0"' } } as const

/** What is read of `<content>`. */
const SLOT = {
  /** The purpose of the slot, such as mediainfo. */
  role: { path: 'role', default: '' },
  /**
   * The revision that the content came with; -1 where new exports do not know it.
   * @minimum -1
   */
  origin: { path: 'origin', ...wholeNumber('the origin of a slot') },
  /** The content model. */
  model: { path: 'model', ...OWN },
  /** The content format. */
  format: { path: 'format', ...OWN },
  /**
   * The size of the stored content in bytes; -1 where it is suppressed.
   * @minimum -1
   */
  bytes: { path: 'text/@bytes', ...wholeNumber('the size of a slot') },
  /** SHA-1 of the stored content, in base 36. */
  sha1: 'text/@sha1',
  /** Where the wiki keeps the content. */
  location: 'text/@location',
  /** The content. Absent if it is suppressed, or not in the dump. */
  text: TEXT,
} as const

/** Content that a revision has besides its text (schema 0.11), such as `mediainfo`. */
export interface Slot extends CompactRecord<typeof SLOT> {}

/** What is read of `<revision>`. */
export const REVISION = {
  /** The revision's id, unique in the wiki. Dumps before schema 0.7 may have none. */
  id: { path: 'id', ...LAST, ...id('the id of a revision') },
  /**
   * The revision before. Absent on the first revision; -1 where new exports do not know it.
   * @minimum -1
   */
  parentid: { path: 'parentid', ...LAST, ...wholeNumber('the parentid of a revision') },
  /** ISO 8601, in UTC, such as 2026-01-02T03:04:05Z. */
  timestamp: { path: 'timestamp', ...LAST_TEXT },
  /** Who made the revision. */
  contributor: { ...CONTRIBUTOR, pick: 'last' },
  /** Present if the edit was marked as minor. */
  minor: { path: 'minor', as: 'present' },
  /** The edit summary. Absent if there is none, or if it is suppressed. */
  comment: { path: 'comment', ...LAST_TEXT, unless: '@deleted' },
  /**
   * The revision that the text came with (schema 0.11). -1 where new exports do not know it.
   * @minimum -1
   */
  origin: { path: 'origin', ...LAST, ...wholeNumber('the origin of a revision') },
  /** The content model, such as wikitext. */
  model: { path: 'model', ...LAST_TEXT },
  /** The content format, such as text/x-wiki. */
  format: { path: 'format', ...LAST_TEXT },
  /**
   * The size of the stored text in bytes of UTF-8. It may differ from the size of `text`; -1 where new exports suppress the text.
   * @minimum -1
   */
  bytes: { path: 'text/@bytes', pick: 'last', ...wholeNumber('the size of a text') },
  /** Bytes of the text in UTF-8, counted. Absent where `text` is absent. */
  size: { ...TEXT, pick: 'last', as: 'byteLength', onRequest: true },
  /** Whether the text is suppressed: filters by size read it. */
  '@deleted': { ...OURS, path: 'text/@deleted', as: 'present', hidden: true, onRequest: true },
  /** SHA-1 in base 36: of the stored text, or of all slots if there are several. */
  sha1: { path: 'sha1', ...LAST_TEXT, empty: 'absent' },
  /** In stubs and new exports: where the wiki keeps the text. */
  location: { path: 'text/@location', pick: 'last' },
  /** In stubs: the number of the text in the wiki. */
  textid: { path: 'text/@id', pick: 'last', ...wholeNumber('the id of a text') },
  /** Elements that no version of the schema has. */
  other: { as: 'rest' },
  /** The text. Absent if it is suppressed, if it could not be fetched when the dump was made, and in stubs. */
  text: { ...TEXT, late: true, pick: 'last' },
  /** Content besides the text (schema 0.11). */
  slots: [{ of: 'content', empty: 'absent', late: true, fields: SLOT }],
} as const

/** One version of a page. Fields that the dump does not have are absent. */
export interface Revision extends CompactRecord<typeof REVISION> {
  contributor?: Contributor
  slots?: Slot[]
}

/** A revision except for its content. */
export type RevisionFacts = Omit<Revision, LateNames<typeof REVISION>>
