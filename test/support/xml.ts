// Documents cut in pieces, and what becomes of them.

import { XmlError } from '../../source/xml/errors/errors.ts'
import type { XmlEvent } from '../../source/xml/events.ts'
import { readXml, type XmlOptions } from '../../source/xml/index.ts'
import type { XmlEventOptions } from '../../source/xml/options.ts'
import { cutsFor } from './machine.ts'

/** An event as a short text: `<a b="c">`, `</a>`, `"text"`. */
function formatEvent(event: XmlEvent): string {
  switch (event.type) {
    case 'start': {
      const attributes = Array.from(event.attributes, ([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('')
      return `<${event.name}${attributes}${event.selfClosing ? '/' : ''}>`
    }
    case 'end':
      return `</${event.name}>`
    case 'text':
      return `${event.cdata ? 'cdata ' : ''}${JSON.stringify(event.text)}`
    case 'comment':
      return `<!--${event.text}-->`
    case 'instruction':
      return `<?${event.target} ${event.data}?>`
    case 'declaration':
      return `<?xml ${event.version} ${event.encoding} ${event.standalone}?>`
    case 'doctype':
      return `<!DOCTYPE ${event.name}>`
  }
}

/** What a document gives: events with their places, and the error after them. */
export interface Reading {
  readonly events: readonly string[]
  readonly places: readonly string[]
  readonly error: XmlError | undefined
}

export async function readPieces(
  pieces: readonly Uint8Array[],
  options: XmlOptions & XmlEventOptions = {},
): Promise<Reading> {
  const events: string[] = []
  const places: string[] = []
  try {
    const { cdata, maxText, ...reading } = options
    for await (const batch of readXml(pieces, reading).events({ cdata, maxText }).batches()) {
      for (const event of batch) {
        events.push(formatEvent(event))
        const { start, end, entity } = event
        places.push(`${start}-${end}${entity === undefined ? '' : ` of ${entity}`}`)
      }
    }
    return { events, places, error: undefined }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return { events, places, error }
  }
}

/** The reading of a document, which is the same on both engines, complete, byte by byte and at every cut; and `check` agrees. */
export async function read(text: string | Uint8Array, options: XmlOptions & XmlEventOptions = {}): Promise<Reading> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const whole = await readPieces([bytes], options)
  const expected = comparable(whole)
  for (const engine of ['wasm', 'plain'] as const) {
    for (const pieces of cutsFor(engine, bytes)) {
      const reading = comparable(await readPieces(pieces, { ...options, engine }))
      if (JSON.stringify(reading) !== JSON.stringify(expected)) {
        const cut = pieces.map(({ length }) => length).join()
        throw new Error(`cut in ${cut} (${engine}): ${JSON.stringify(reading)} instead of ${JSON.stringify(expected)}`)
      }
    }
  }
  const { cdata: _, maxText: __, ...reading } = options
  const fault = await readXml([bytes], reading)
    .check()
    .catch((error: unknown) => error)
  const [checked, found] = [fault, whole.error].map((error) => (error as XmlError | undefined)?.byteOffset)
  if (checked !== found) throw new Error(`check says ${String(fault)}, events say ${String(whole.error)}`)
  return whole
}

/** Without the excerpt: what stands after the error may not have arrived. */
function comparable({ events, places, error }: Reading): object {
  if (!error) return { events, places }
  const { message, code, byteOffset, line, column } = error
  return { events, places, message, code, byteOffset, line, column }
}

/** The bytes in pieces of so many; the last may have fewer. */
export function piecesOf(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}

/** What is compared of errors. */
export function describeError(error: unknown): unknown {
  const { name, code, message } = error as { name: string; code?: string; message: string }
  return { name, code, message }
}
