// Revisions: versions of pages.

import type { XmlElement, XmlElementData } from '../xml/element.ts'
import { type Contributor, makeContributor } from './contributor.ts'
import { dropUndefined, parseInteger, requireInteger, visibleText } from './fields.ts'

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

/** What is known about a revision without its content; its content is added by {@link addContent}. */
export function makeRevision(element: XmlElement): RevisionFacts {
  const fields: { [K in keyof RevisionFacts]: RevisionFacts[K] | undefined } = {
    id: 0,
    parentid: undefined,
    timestamp: undefined,
    contributor: undefined,
    minor: undefined,
    comment: undefined,
    origin: undefined,
    model: undefined,
    format: undefined,
    bytes: undefined,
    sha1: undefined,
    location: undefined,
    textid: undefined,
    other: undefined,
  }
  let id: string | undefined
  for (const child of element.childElements) {
    switch (child.name) {
      case 'id':
        id = child.ownText
        break
      case 'parentid':
        fields.parentid = parseInteger('the parentid of a revision', child.ownText, element)
        break
      case 'timestamp':
        fields.timestamp = child.ownText
        break
      case 'contributor':
        fields.contributor = makeContributor(child)
        break
      case 'minor':
        fields.minor = true
        break
      case 'comment':
        fields.comment = visibleText(child)
        break
      case 'origin':
        fields.origin = parseInteger('the origin of a revision', child.ownText, element)
        break
      case 'model':
        fields.model = child.ownText
        break
      case 'format':
        fields.format = child.ownText
        break
      case 'text':
        fields.bytes = parseInteger('the size of a text', child.attribute('bytes'), element)
        fields.location = child.attribute('location')
        fields.textid = parseInteger('the id of a text', child.attribute('id'), element)
        break
      case 'sha1':
        fields.sha1 = child.ownText || undefined
        break
      case 'content':
        break
      default:
        fields.other ??= []
        fields.other.push(child.toJSON())
    }
  }
  fields.id = requireInteger('the id of a revision', id, element)
  return dropUndefined<RevisionFacts>(fields)
}

/** Adds text and slots. */
export function addContent(facts: RevisionFacts, element: XmlElement): Revision {
  const revision: Revision = facts
  const text = element.child('text')
  const content = text && textOf(text)
  if (content !== undefined) revision.text = content
  const slots = element.childrenNamed('content').map(makeSlot)
  if (slots.length > 0) revision.slots = slots
  return revision
}

function makeSlot(element: XmlElement): Slot {
  const text = element.child('text')
  return dropUndefined<Slot>({
    role: element.childText('role') ?? '',
    origin: parseInteger('the origin of a slot', element.childText('origin'), element),
    model: element.childText('model'),
    format: element.childText('format'),
    bytes: parseInteger('the size of a slot', text?.attribute('bytes'), element),
    sha1: text?.attribute('sha1'),
    location: text?.attribute('location'),
    text: text && textOf(text),
  })
}

/** An empty element whose size is not 0 stands for a text that is elsewhere (stubs) or could not be fetched. */
function textOf(element: XmlElement): string | undefined {
  const text = visibleText(element)
  return text === '' && (element.attribute('bytes') ?? '0') !== '0' ? undefined : text
}
