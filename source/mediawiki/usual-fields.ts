// What is asked of the record that a kernel of usual records is looking at.

import type { ScannedFields } from '../kernel/record-scanner.ts'
import { Decode } from '../machine/program/registers.ts'
import { decodeUtf8 } from '../text/units.ts'
import { decodePlainly } from '../xml/text/character-data.ts'
import { NoteBit } from './line-output.ts'
import type { WrittenContent } from './page-lines.ts'
import type { FieldTexts } from './traits.ts'

/** A kernel, and its fields by their names in the shape. */
export interface UsualKernel {
  /** The module, as text (kernel/embedded-bytes.ts). */
  readonly module: string
  readonly fields: Readonly<Record<string, { readonly number: number; readonly isValue: boolean }>>
  /** What the names of the fields of a revision begin with. */
  readonly revision: string
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Whether a byte stands for itself, in content as in values. */
function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte !== 0x26 && byte !== 0x3c
}

export class UsualFields implements FieldTexts {
  readonly #kernel: UsualKernel
  readonly #scanned: ScannedFields

  constructor(kernel: UsualKernel, scanned: ScannedFields) {
    this.#kernel = kernel
    this.#scanned = scanned
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined
  }

  text(name: string): string | undefined {
    const field = this.#find(name)
    if (!field) return undefined
    const bytes = this.#scanned.bytesOf(field.number)
    if (bytes.every(isPlain)) return decodeUtf8(bytes, 0, bytes.length)
    return decodePlainly(bytes, field.isValue ? Decode.VALUE : Decode.CONTENT)
  }

  /** What is to be compared of the revision of a line, by the notes of the line; undefined if there is no revision. */
  contentOf(notes: number): WrittenContent | undefined {
    if ((notes & (1 << NoteBit.REVISION)) === 0) return undefined
    const { revision } = this.#kernel
    const field = this.#find(`${revision}text`)
    const hasText = (notes & (1 << NoteBit.TEXT)) !== 0
    const utf8 = hasText && field ? this.#scanned.textOf(field.number) : undefined
    const bytes = this.text(`${revision}content.bytes`)
    const sha1 = this.text(`${revision}sha1`)
    return {
      id: Number(this.text(`${revision}id`)),
      ...(bytes && { bytes: Number(bytes) }),
      ...(sha1 && { sha1 }),
      utf8,
      get text() {
        return utf8 && decoder.decode(utf8)
      },
    }
  }

  /** A field that is there. */
  #find(name: string): UsualKernel['fields'][string] | undefined {
    const field = this.#kernel.fields[name]
    return field && this.#scanned.has(field.number) ? field : undefined
  }
}
