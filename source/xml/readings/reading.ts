// What the readings of a document have in common. Each is a module of its own, which is loaded when the first document is read in that way.

import type { Consumer } from '../parser/consumer.ts'
import type { XmlParser } from '../parser/parser.ts'

/** Runs a parser over the document. Gives way whenever the consumer may have something. */
export type RunParser = (consumer: Consumer) => AsyncGenerator<XmlParser, void, undefined>
