// What the readings of a document have in common. Each is a module of its own, which is loaded when the first document is read in that way.

import type { Cursor } from '../../stream/cursor.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import type { DocumentProgram } from '../language/programs.ts'
import type { Consumer } from '../parser/consumer.ts'
import type { XmlParser } from '../parser/parser.ts'
import type { RunOptions } from '../parser/run.ts'
import type { StretchPlace } from '../ranges/stretches.ts'
import type { Recovery } from './recovery.ts'

/**
 * Runs a parser over the document, and gives way whenever the consumer may have something. With a recovery, reading continues after errors: with another
 * parser and a new consumer.
 */
export type RunParser = (make: () => Consumer, recovery?: Recovery) => AsyncGenerator<XmlParser, void, undefined>

/** Runs a parser over a source, in the same way. */
export type RunDocument = (
  source: ByteSource | Cursor,
  program: DocumentProgram,
  make: () => Consumer,
  options: RunOptions & StretchPlace,
  recovery?: Recovery,
) => AsyncGenerator<XmlParser, void, undefined>
