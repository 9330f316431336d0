// What the benchmark asks of an engine. Each engine is one file that the others do not load.

import type { EventStrings } from './event-strings.ts'
import type { StringTaker } from './string-digest.ts'

/** What is done with a document, by streaming its file. */
export type Use = 'check' | 'events' | 'records'

/** Which elements of a document are its records, and what is wanted of each (record-collector.ts). */
export type RecordKind = 'pages' | 'third level'

/** Every method reads the file from its start to its end, and throws when the document is refused. */
export interface Engine {
  /** Finds out whether the document is well-formed, with as little made of it as the engine can. */
  check(file: string): Promise<void>
  /** Delivers every string of the document. */
  readEvents(file: string, strings: EventStrings): Promise<void>
  /** Delivers the strings of every record, in the order of the document. */
  readRecords(file: string, kind: RecordKind, digest: StringTaker): Promise<void>
}
