// Revisions: versions of pages.

import type { XmlRecord } from '../xml/question/shape.ts'
import type { XmlElementData } from '../xml/tree/element.ts'
import { CONTRIBUTOR, type Contributor, makeContributor } from './contributor.ts'
import { dropUndefined, parseInteger, requireInteger } from './fields.ts'

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

/** An empty text whose size is not 0 stands for one that is elsewhere (stubs) or could not be fetched. */
const TEXT = { path: 'text', own: true, unless: '@deleted', empty: { absentIf: '@bytes!="0"' } } as const

/** What is read of `<revision>`. Of elements that come twice the last one counts, as it always has. */
export const REVISION = {
  start: { path: '.', as: 'offset' },
  id: { path: 'id', own: true, pick: 'last' },
  parentid: { path: 'parentid', own: true, pick: 'last' },
  timestamp: { path: 'timestamp', own: true, pick: 'last' },
  contributor: { of: 'contributor', fields: CONTRIBUTOR, pick: 'last' },
  minor: { path: 'minor', as: 'present' },
  comment: { path: 'comment', own: true, unless: '@deleted', pick: 'last' },
  origin: { path: 'origin', own: true, pick: 'last' },
  model: { path: 'model', own: true, pick: 'last' },
  format: { path: 'format', own: true, pick: 'last' },
  content: { of: 'text', fields: { bytes: '@bytes', location: '@location', textid: '@id' }, pick: 'last' },
  sha1: { path: 'sha1', own: true, pick: 'last', empty: 'absent' },
  other: { as: 'rest' },
  text: { ...TEXT, late: true, pick: 'last' },
  slots: [
    {
      of: 'content',
      late: true,
      fields: {
        role: 'role',
        origin: 'origin',
        model: 'model',
        format: 'format',
        bytes: 'text/@bytes',
        sha1: 'text/@sha1',
        location: 'text/@location',
        text: TEXT,
      },
    },
  ],
  // Which one is the newest: an id that is not a number comes before all numbers.
  time: { path: 'timestamp', hidden: true },
  number: { path: 'id', as: 'integer', hidden: true },
} as const

/** The same without decoding the text: true if there is one. */
export const REVISION_WITHOUT_TEXT = { ...REVISION, text: { ...REVISION.text, as: 'present' } } as const

export type RevisionValues = XmlRecord<typeof REVISION>

/** What was read of a revision, without its content; its content is added by {@link addContent}. */
export function makeRevision(values: RevisionValues): RevisionFacts {
  const place = { start: values.start ?? 0 }
  const { content } = values
  return dropUndefined<RevisionFacts>({
    id: requireInteger('the id of a revision', values.id, place),
    parentid: parseInteger('the parentid of a revision', values.parentid, place),
    timestamp: values.timestamp,
    contributor: makeContributor(values.contributor, place),
    minor: values.minor,
    comment: values.comment,
    origin: parseInteger('the origin of a revision', values.origin, place),
    model: values.model,
    format: values.format,
    bytes: parseInteger('the size of a text', content?.bytes, place),
    sha1: values.sha1,
    location: content?.location,
    textid: parseInteger('the id of a text', content?.textid, place),
    other: values.other,
  })
}

/** Adds text and slots. */
export function addContent(facts: RevisionFacts, { start = 0, text, slots }: RevisionValues): Revision {
  const revision: Revision = facts
  // One that was not to be decoded is only there.
  if (text !== undefined) revision.text = typeof text === 'string' ? text : ''
  if (slots.length > 0) revision.slots = slots.map((slot) => makeSlot(slot, { start }))
  return revision
}

function makeSlot(values: RevisionValues['slots'][number], place: { start: number }): Slot {
  return dropUndefined<Slot>({
    role: values.role ?? '',
    origin: parseInteger('the origin of a slot', values.origin, place),
    model: values.model,
    format: values.format,
    bytes: parseInteger('the size of a slot', values.bytes, place),
    sha1: values.sha1,
    location: values.location,
    text: values.text,
  })
}

/** Whether the text is not there although its size says that there is one. */
export function isMissingText({ text, bytes = 0 }: Revision): boolean {
  return text === undefined && bytes > 0
}

/** Whether its text, or who made it, is not shown. */
export function isSuppressed({ bytes = 0, contributor }: RevisionFacts): boolean {
  return bytes < 0 || (contributor !== undefined && 'deleted' in contributor)
}
