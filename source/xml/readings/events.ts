// A document as events.

import { EventCollector, type XmlEvent } from '../events.ts'
import type { RunParser } from './reading.ts'

/** Yields the events of a document in arrays of at least one. */
export async function* readEvents(
  run: RunParser,
  options: ConstructorParameters<typeof EventCollector>[0],
): AsyncGenerator<XmlEvent[], void, undefined> {
  const collector = new EventCollector(options)
  for await (const _ of run(collector)) {
    const events = collector.take()
    if (events.length > 0) yield events
  }
}
