// The names of a document: each is taken apart once, however often it occurs.

import { StringTooLong } from '../text/units.ts'
import { isNcName } from './name-characters.ts'

/** A name as Namespaces in XML sees it. */
export interface Name {
  /** As it is written. */
  readonly raw: string
  /** What stands before the colon; empty when there is none. */
  readonly prefix: string
  /** What stands behind the colon; the whole name when there is none. */
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

/** Names by the machine's symbols. */
export class NameTable {
  readonly #names: (Name | undefined)[] = []
  readonly #raw: string[] = []
  readonly #read: (symbol: number) => string

  constructor(read: (symbol: number) => string) {
    this.#read = read
  }

  /** The names that were asked for so far, by their symbols. It grows. */
  get known(): readonly (Name | undefined)[] {
    return this.#names
  }

  /** The same as they are written: a look at a name less, which is seldom in the processor's cache. */
  get knownRaw(): readonly string[] {
    return this.#raw
  }

  get(symbol: number): Name {
    const known = this.#names[symbol]
    if (known) return known
    const name = makeName(this.#readName(symbol))
    this.#names[symbol] = name
    this.#raw[symbol] = name.raw
    return name
  }

  #readName(symbol: number): string {
    try {
      return this.#read(symbol)
    } catch {
      // There is nothing else that could be wrong with what the machine has matched.
      throw new StringTooLong()
    }
  }
}
