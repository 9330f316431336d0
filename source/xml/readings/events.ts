// A document as events.

import type { Delivery } from '../delivery.ts'
import { EventCollector, type XmlEvent } from '../events.ts'
import type { RunParser } from './reading.ts'

/** Yields the events of a document in arrays of at least one. */
export async function* readEvents(
  run: RunParser,
  options: ConstructorParameters<typeof EventCollector>[0],
  delivery: Delivery | undefined,
): AsyncGenerator<XmlEvent[], void, undefined> {
  const collector = new EventCollector(options)
  for await (const _ of run(() => collector)) {
    const events = collector.take()
    if (events.length === 0) continue
    delivery?.note(events.map(({ end }) => end))
    yield events
  }
}
