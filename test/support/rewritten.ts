// Documents that are read, written and read again.

import { spawnSync } from 'node:child_process'
import { readXml, type XmlEvent, type XmlOptions } from '../../source/xml/index.ts'
import { writeXml, type XmlWriteOptions } from '../../source/xml/write/index.ts'

/** What has to come back of events: all but how it was written. */
export function comparable(events: readonly XmlEvent[], hasDoctype = true): unknown[] {
  return events.filter(({ type }) => hasDoctype || type !== 'doctype').map(comparableEvent)
}

function comparableEvent(event: XmlEvent): unknown {
  switch (event.type) {
    case 'start': {
      const attributes = event.attributes.details.map(({ name, namespace, value }) => [name, namespace, value])
      return ['start', event.name, event.namespace, attributes]
    }
    case 'end':
      return ['end', event.name, event.namespace]
    case 'instruction':
      return ['instruction', event.target, event.data]
    case 'declaration':
      return ['declaration', event.version, event.standalone]
    case 'doctype':
      return ['doctype', event.name, event.publicId, event.systemId, event.internalSubset]
    default:
      return [event.type, event.text]
  }
}

export async function readEvents(
  source: Uint8Array | readonly Uint8Array[],
  options: XmlOptions = {},
): Promise<XmlEvent[]> {
  const all: XmlEvent[] = []
  for await (const events of readXml(source instanceof Uint8Array ? [source] : [...source], options)
    .events()
    .batches())
    all.push(...events)
  return all
}

/** The bytes of a document that `writeXml` writes. */
export async function rewrite(
  source: Uint8Array | readonly Uint8Array[],
  options: XmlOptions = {},
  writing: XmlWriteOptions = {},
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  const events = readXml(source instanceof Uint8Array ? [source] : [...source], options).events()
  for await (const bytes of writeXml(events, { namespaces: options.namespaces, ...writing })) pieces.push(bytes)
  return new Uint8Array(Buffer.concat(pieces))
}

/** The canonical form that xmllint makes of a document; undefined where it is not installed, or does not read the document. */
export function canonicalize(bytes: Uint8Array, folder?: string): string | undefined {
  const { status, stdout, stderr } = spawnSync('xmllint', ['--c14n', '--nonet', '-'], {
    input: bytes,
    cwd: folder,
    encoding: 'utf8',
  })
  return status === 0 && !/error/.test(stderr) ? stdout : undefined
}
