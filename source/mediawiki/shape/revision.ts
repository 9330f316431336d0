// Revisions: versions of pages.

import type { XmlElementData } from '../../xml/tree/element.ts'
import { CONTRIBUTOR, type Contributor } from './contributor.ts'
import { LAST, wholeNumber } from './fields.ts'

/** Content that a revision has besides its text (schema 0.11), such as `mediainfo`. */
export interface Slot {
  /** What it is for. */
  role: string
  /** The revision that it came with. */
  origin?: number
  model?: string
  format?: string
  /** Bytes of what is stored. */
  bytes?: number
  /** SHA-1 of what is stored, in base 36. */
  sha1?: string
  /** Where the wiki keeps it. */
  location?: string
  /** Absent when it is suppressed, or not in the dump. */
  text?: string
}

/** One version of a page. Fields that the dump does not have are absent. */
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
  /** The revision that the text came with (schema 0.11). */
  origin?: number
  model?: string
  format?: string
  /** Bytes of the stored text in UTF-8; not always those of `text`, and -1 where the text is suppressed in new exports. */
  bytes?: number
  /** SHA-1 in base 36: of the stored text, or of all slots where there are several. */
  sha1?: string
  /** Where the wiki keeps the text: in stubs, and in new exports. */
  location?: string
  /** The number of the text in the wiki: in stubs. */
  textid?: number
  /** Elements that are not in any schema. */
  other?: XmlElementData[]
  /** The wikitext. Absent when it is suppressed, was not fetched when the dump was made, and in stub dumps. */
  text?: string
  /** Slots besides the main one. */
  slots?: Slot[]
}

/** A revision except for its content. */
export type RevisionFacts = Omit<Revision, 'text' | 'slots'>

/** An empty text whose size is not 0 stands for one that the wiki keeps (stubs) or that could not be fetched. */
const TEXT = { path: 'text', own: true, unless: '@deleted', empty: { absentIf: '@bytes!="0"' } } as const

/** What is read of `<revision>`. */
export const REVISION = {
  id: { path: 'id', ...LAST, required: true, ...wholeNumber('the id of a revision') },
  parentid: { path: 'parentid', ...LAST, ...wholeNumber('the parentid of a revision') },
  timestamp: { path: 'timestamp', ...LAST },
  contributor: { ...CONTRIBUTOR, pick: 'last' },
  minor: { path: 'minor', as: 'present' },
  comment: { path: 'comment', ...LAST, unless: '@deleted' },
  origin: { path: 'origin', ...LAST, ...wholeNumber('the origin of a revision') },
  model: { path: 'model', ...LAST },
  format: { path: 'format', ...LAST },
  bytes: { path: 'text/@bytes', pick: 'last', ...wholeNumber('the size of a text') },
  sha1: { path: 'sha1', ...LAST, empty: 'absent' },
  location: { path: 'text/@location', pick: 'last' },
  textid: { path: 'text/@id', pick: 'last', ...wholeNumber('the id of a text') },
  other: { as: 'rest' },
  text: { ...TEXT, late: true, pick: 'last' },
  slots: [
    {
      of: 'content',
      empty: 'absent',
      late: true,
      fields: {
        role: { path: 'role', default: '' },
        origin: { path: 'origin', ...wholeNumber('the origin of a slot') },
        model: 'model',
        format: 'format',
        bytes: { path: 'text/@bytes', ...wholeNumber('the size of a slot') },
        sha1: 'text/@sha1',
        location: 'text/@location',
        text: TEXT,
      },
    },
  ],
} as const
