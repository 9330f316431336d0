// Shapes that are inferred of several documents, and these documents as they are read with one: the same however the input is cut, and what an input has
// is in records or is said.

import { LimitError } from '../../../source/stream/errors.ts'
import { parseXml, XmlError } from '../../../source/xml/index.ts'
import { type InferredShape, inferShape } from '../../../source/xml/infer/index.ts'
import { readWith } from '../../../test/support/inferred.ts'
import { Random } from '../../../test/support/random.ts'
import { cutAtRandom } from '../cuts.ts'
import { makeDocument } from '../documents.ts'
import type { FuzzCase, Target } from '../target.ts'

/** What something gives, or the place of its error. */
async function attempt<Value>(make: () => Promise<Value>): Promise<Value | string> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof XmlError || error instanceof LimitError)) throw error
    return `${error.code} ${error.byteOffset}`
  }
}

/** An inferred shape as a text. */
function describe(inferred: InferredShape | string | undefined): string {
  if (typeof inferred !== 'object') return String(inferred)
  const { source: _, error, ...rest } = inferred
  return JSON.stringify({ ...rest, error: error instanceof XmlError && `${error.code} ${error.byteOffset}` })
}

/** What is read with a shape, and what is said of it, as a text. */
async function read(inferred: InferredShape, pieces: Uint8Array[], lenient: boolean): Promise<string> {
  const read = await attempt(() => readWith(inferred, pieces, lenient))
  if (typeof read === 'string') return read
  const { records, report } = read
  return JSON.stringify([records, report.left, [...report.outside]])
}

async function judge({ parts, settings }: FuzzCase): Promise<string | undefined> {
  const random = new Random(settings.options as number)
  const bytes = random.oneIn(2) ? Number.POSITIVE_INFINITY : 1 + random.below(2000)
  const lenient = random.oneIn(2)
  const seed = settings.cuts as number
  const infer = (documents: readonly (Uint8Array | Uint8Array[])[]) => {
    const [first = new Uint8Array(), ...more] = documents
    return attempt(() => inferShape(first, { more, bytes }))
  }
  const inferred = await infer(parts)
  const cut = await infer(parts.map((part) => cutAtRandom(part, seed)))
  if (describe(cut) !== describe(inferred)) return `cuts change a shape: ${describe(cut)} / ${describe(inferred)}`
  if (typeof inferred !== 'object') return undefined
  for (const part of parts) {
    const whole = await read(inferred, [part.slice()], lenient)
    const inPieces = await read(inferred, cutAtRandom(part, seed), lenient)
    if (whole !== inPieces) return `cuts change records of an inferred shape: ${inPieces} / ${whole}`
    if (whole === '[[],[],[]]' && parseXml(part).root.text.trim() !== '')
      return `a text is lost in silence: ${inferred.paths}`
  }
  return undefined
}

export const inferences: Target = {
  name: 'inferences',
  open: async () => 'the same documents in other pieces',
  make(random) {
    const settings = { cuts: random.below(2 ** 31), options: random.below(2 ** 31) }
    const first = makeDocument(random)
    return { parts: [first, random.oneIn(2) ? first : makeDocument(random), makeDocument(random)], settings }
  },
  judge: async (fuzzCase) => (await judge(fuzzCase))?.slice(0, 4000),
}
