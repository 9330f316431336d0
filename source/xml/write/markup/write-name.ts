// Names as they are given to a writer.

import { findLacking } from '../../../text/markup/encode-text.ts'
import { isName } from '../../../text/markup/xml-characters.ts'
import { shorten } from '../../errors/unplaced-error.ts'
import { makeName, type Name } from '../../names/names.ts'

/** A name by its namespace. */
export interface XmlQualifiedName {
  /** Undefined or empty for a name in no namespace. */
  readonly namespace: string | undefined
  readonly localName: string
  /** The prefix to prefer; empty for an element that is to have none. Another one is chosen where it stands for another namespace. */
  readonly prefix?: string | undefined
}

/** A name as it is to be written, with its prefix, or by its namespace: then declarations are written where they are needed. */
export type XmlWriteName = string | XmlQualifiedName

/** Attributes: pairs of names and values, such as those of an element that was read, or an object. */
export type XmlWriteAttributes =
  | Iterable<readonly [name: XmlWriteName, value: string]>
  | Readonly<Record<string, string>>

/** Names that are kept at most, none of them long: programs write the same ones again and again. */
const MOST_KEPT = 4096
const LONGEST_KEPT = 64

/** Names that were checked: each of them once. */
export class CheckedNames {
  readonly #known = new Map<string, Name>()
  readonly #areQualified: boolean
  readonly #lastCodePoint: number

  /** `areQualified`: whether colons separate prefixes. `lastCodePoint` is the last code point that the encoding has. */
  constructor(areQualified: boolean, lastCodePoint: number) {
    this.#areQualified = areQualified
    this.#lastCodePoint = lastCodePoint
  }

  /** The name; or what is wrong with it, as a message. */
  get(raw: string): Name | string {
    return this.#known.get(raw) ?? this.#check(raw)
  }

  #check(raw: string): Name | string {
    if (typeof raw !== 'string') return `a name must be a string, not ${String(raw)}`
    const shown = JSON.stringify(shorten(raw))
    if (!isName(raw)) return `${shown} is not a name`
    const name = makeName(raw)
    if (this.#areQualified && !name.isQualified) return `${shown} is not a name with a prefix`
    const lacking = findLacking(raw, this.#lastCodePoint)
    if (lacking !== undefined) return `the encoding does not have the character ${lacking} of the name ${shown}`
    if (raw.length > LONGEST_KEPT) return name
    if (this.#known.size === MOST_KEPT) this.#known.clear()
    this.#known.set(raw, name)
    return name
  }
}
