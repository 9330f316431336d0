// The names of a document: each is taken apart once, however often it occurs. Those of small documents are mostly those of the one before.

import { isNcName } from '../../text/markup/xml-characters.ts'
import { decodeUtf8, StringTooLong } from '../../text/units.ts'

/** A name as Namespaces in XML sees it. */
export interface Name {
  /** As it is written. */
  readonly raw: string
  /** What stands before the colon; empty when there is none. */
  readonly prefix: string
  /** The part after the colon; the complete name when there is none. */
  readonly localName: string
  /** The prefix that an attribute of this name declares: empty for `xmlns`; undefined when it declares none. */
  readonly declares: string | undefined
  /** Whether it needs no look at namespaces: it has no prefix but `xml`, and declares none. */
  readonly isPlain: boolean
  /** Whether its colons are where they may be. */
  readonly isQualified: boolean
}

/** Takes a name apart. */
export function makeName(raw: string): Name {
  const colon = raw.indexOf(':')
  const isDeclaration = raw === 'xmlns' || raw.startsWith('xmlns:')
  const prefix = colon === -1 ? '' : raw.slice(0, colon)
  const localName = raw.slice(colon + 1)
  const isQualified = colon === -1 || (prefix !== '' && isNcName(localName))
  return {
    raw,
    prefix,
    localName,
    declares: isDeclaration ? raw.slice(6) : undefined,
    isPlain: !isDeclaration && isQualified && (prefix === '' || prefix === 'xml'),
    isQualified,
  }
}

/** Names that were read lately, none of them long. */
const recent = new Map<string, Name>()
const MOST_RECENT = 1024
const LONGEST_RECENT = 64

/** The name of the bytes from one index to another. */
export function readName(bytes: Uint8Array, from: number, to: number): Name {
  const raw = decodeUtf8(bytes, from, to)
  const known = recent.get(raw)
  if (known) return known
  const name = makeName(raw)
  if (raw.length > LONGEST_RECENT) return name
  if (recent.size === MOST_RECENT) recent.clear()
  recent.set(raw, name)
  return name
}

/** Names by the machine's symbols. */
export class NameTable {
  readonly #names: (Name | undefined)[] = []
  readonly #read: (symbol: number) => Name

  constructor(read: (symbol: number) => Name) {
    this.#read = read
  }

  /** The names that were asked for so far, by their symbols. It grows. */
  get known(): readonly (Name | undefined)[] {
    return this.#names
  }

  get(symbol: number): Name {
    const known = this.#names[symbol]
    if (known) return known
    const name = this.#readName(symbol)
    this.#names[symbol] = name
    return name
  }

  #readName(symbol: number): Name {
    try {
      return this.#read(symbol)
    } catch {
      // There is nothing else that could be wrong with what the machine has matched.
      throw new StringTooLong()
    }
  }
}
