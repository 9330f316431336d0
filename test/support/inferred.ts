// Records of inferred shapes, as `xylem select --infer` reads them, and all that documents have to say.

import type { Tally } from '../../source/record/report.ts'
import { parseXml, readXml, type XmlElement, type XmlElementData } from '../../source/xml/index.ts'
import { AuditReport } from '../../source/xml/infer/audit/audit.ts'
import { auditedReading, readPaths } from '../../source/xml/infer/audit/audited-records.ts'
import { type InferOptions, type InferredShape, inferShape } from '../../source/xml/infer/infer-shape.ts'

type Pieces = readonly Uint8Array[] | string

export interface InferredRecords {
  readonly inferred: InferredShape
  readonly records: Record<string, unknown>[]
  /** What the report says: what is left by why and where, with the number of records; and what is in no record. */
  readonly report: {
    readonly left: readonly { readonly path: string; readonly why: string; readonly records: number }[]
    readonly outside: ReadonlyMap<string, number>
  }
}

/** Infers a shape from the beginning of a document, and reads all of it. */
export async function readInferred(
  document: Pieces,
  { lenient = false, ...options }: InferOptions & { readonly lenient?: boolean } = {},
): Promise<InferredRecords | undefined> {
  const source = () => (typeof document === 'string' ? document : document.map((piece) => piece.slice()))
  const inferred = await inferShape(source(), options)
  return inferred && (await readWith(inferred, source(), lenient))
}

/** Reads a document with a shape that was inferred before. */
export async function readWith(inferred: InferredShape, document: Pieces, lenient = false): Promise<InferredRecords> {
  const report = new AuditReport()
  const read = auditedReading(inferred, report)
  const { shape, prefixes } = inferred
  const reader = readXml(document)
  const batches = reader.writtenBatches('jsonl', readPaths(inferred), shape, { lenient, prefixes }, { read })
  let text = ''
  const decoder = new TextDecoder()
  for await (const batch of batches) text += decoder.decode((batch as { bytes: Uint8Array }).bytes)
  const records = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const { left, outside } = report.data
  const namesOf = (tally: Tally | undefined) => tally?.names ?? []
  return {
    inferred,
    records,
    report: {
      left: namesOf(left)
        .map(([name, { count }]) => ({
          path: name.replace(/^\w+ /, ''),
          why: name.replace(/ .*/s, ''),
          records: count,
        }))
        .sort((one, other) => other.records - one.records),
      outside: new Map(namesOf(outside).map(([path, { count }]) => [path, count])),
    },
  }
}

/** All texts that are not blank, and all values of attributes, of an element: how often each is there. */
export function contentOf(element: XmlElement | XmlElementData): Map<string, number> {
  const found = new Map<string, number>()
  const look = (one: XmlElement | XmlElementData): void => {
    const attributes: Iterable<readonly [string, string]> = one.attributes
    for (const [name, value] of attributes) if (!name.startsWith('xmlns')) count(found, value)
    for (const child of one.children) {
      if ('name' in child) look(child)
      else if (child.type === 'text') countText(found, child.text)
    }
  }
  look(element)
  return found
}

/** The same of a record: of the texts in its fields, of elements in its field `rest`, and of fields that are XML. */
export function contentOfRecord(values: Record<string, unknown>, prologue = ''): Map<string, number> {
  const found = new Map<string, number>()
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      count(found, value)
      const element = value.startsWith('<') ? parsed(`${prologue}${value}`) : undefined
      for (const [text, times] of element ? contentOf(element) : []) count(found, text, times)
    } else if (Array.isArray(value)) value.forEach(look)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look)
    else if (value !== undefined && value !== null) count(found, String(value))
  }
  const { rest = [], ...fields } = values
  look(fields)
  for (const element of rest as XmlElementData[]) {
    for (const [text, times] of contentOf(element)) count(found, text, times)
  }
  return found
}

/** The element that a text is; undefined for one that is none. */
function parsed(text: string): XmlElement | undefined {
  try {
    return parseXml(text, { namespaces: false }).root
  } catch {
    return undefined
  }
}

/** What of some content is not in other content. */
export function missingFrom(content: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): string[] {
  return [...content].flatMap(([text, times]) => ((other.get(text) ?? 0) < times ? [text] : []))
}

function countText(found: Map<string, number>, text: string): void {
  if (/[^ \t\r\n]/.test(text)) count(found, text)
}

function count(found: Map<string, number>, text: string, times = 1): void {
  found.set(text, (found.get(text) ?? 0) + times)
}
