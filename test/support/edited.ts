// Documents that are edited, in pieces.

import { type EditOptions, editXml, type XmlEdits } from '../../source/xml/edit/index.ts'

/** What came of an edited document: its bytes, and the error after them. */
export interface Edited {
  readonly bytes: Buffer
  readonly error: Error | undefined
}

export async function editPieces(
  pieces: readonly Uint8Array[],
  edits: XmlEdits,
  options: EditOptions = {},
): Promise<Edited> {
  const yielded: Uint8Array[] = []
  try {
    for await (const bytes of editXml(pieces, edits, options)) yielded.push(bytes)
    return { bytes: Buffer.concat(yielded), error: undefined }
  } catch (error) {
    return { bytes: Buffer.concat(yielded), error: error as Error }
  }
}

/** The result of a document as text, which is the same complete, byte by byte and at every cut; and the message of the error after it. */
export async function edit(text: string, edits: XmlEdits, options: EditOptions = {}): Promise<string> {
  const bytes = Buffer.from(text)
  const cuts = Array.from(bytes, (_, i) => [bytes.subarray(0, i), bytes.subarray(i)])
  let expected: string | undefined
  for (const pieces of [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte)), ...cuts]) {
    const { bytes: edited, error } = await editPieces(pieces, edits, options)
    const result = `${edited}${error ? `!! ${error.message}` : ''}`
    expected ??= result
    if (result === expected) continue
    throw new Error(`cut in ${pieces.map(({ length }) => length).join()}: ${result} instead of ${expected}`)
  }
  return expected as string
}
