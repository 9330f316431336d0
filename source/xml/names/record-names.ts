// The names of records: by these, a start tag is found before anything is parsed.

import { decodeUtf8 } from '../../text/units.ts'
import type { Path } from '../question/path.ts'
import type { Name } from './names.ts'

/** Bytes after a `<` in which a name has to end that is looked for. */
export const LONGEST_NAME = 256
const LESS_THAN = 0x3c

/** The names of elements that may be records, whatever is around them. */
export class RecordNames {
  /** Names as they are written, and local names. */
  readonly #written = new Set<string>()
  readonly #local = new Set<string>()

  /** The names in which paths end; undefined if that may be any name, or if what is around a record decides by more than its name. */
  static of(paths: readonly Path[]): RecordNames | undefined {
    const names = new RecordNames()
    for (const path of paths) {
      const { name, namespace, isAnywhere } = path.names.at(-1) ?? {}
      if (name === undefined || name.length > LONGEST_NAME / 4 || path.hasEarlyConditions) return undefined
      if (namespace === undefined && !isAnywhere) names.#written.add(name)
      else names.#local.add(name)
    }
    return names
  }

  has({ raw, localName }: Pick<Name, 'raw' | 'localName'>): boolean {
    return this.#written.has(raw) || this.#local.has(localName)
  }

  /** Whether bytes begin with the start tag of one of these, as it seems. Undefined if that depends on what follows them. */
  begin(bytes: Uint8Array): boolean | undefined {
    let end = 1
    while (end < bytes.length && !endsName(bytes[end] as number)) end++
    if (end >= bytes.length) return undefined
    if (end === 1) return false
    const raw = decodeUtf8(bytes, 1, end)
    return this.has({ raw, localName: raw.slice(raw.indexOf(':') + 1) })
  }
}

/** Whether a byte ends the name in a start tag: a blank, a slash or `>`; or shows that it is no name. */
function endsName(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2f || byte === 0x3e || byte === LESS_THAN
}
