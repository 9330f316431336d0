// Pages as lines of JSON, written from their records in the machine's memory: the text of a page never becomes a string of JavaScript.
//
// What it writes is what `JSON.stringify` makes of a Page (page.ts). It takes pages of the usual shape and leaves all others to that: those with
// elements that are not listed here, or twice, or with something in them, with suppressed parts, slots, uploads, or comments.

import type { TapeOutput } from '../machine/machine.ts'
import { NodeType } from '../machine/program.ts'
import { Decode } from '../machine/registers.ts'
import type { ElementHead } from '../xml/element.ts'
import type { DocumentFacts } from '../xml/sink.ts'
import type { PageWriter } from './dump-sink.ts'

/** Which pages are written. What is not said excludes none. */
export interface PageLineFilter {
  readonly namespaces?: ReadonlySet<number> | undefined
  readonly redirects?: 'in' | 'out' | 'only' | undefined
}

/** Whether a page is one of those. `ns` is undefined where the dump gives none. */
export function isWanted(
  { namespaces, redirects = 'in' }: PageLineFilter,
  ns: number | undefined,
  isRedirect: boolean,
): boolean {
  if (redirects !== 'in' && (redirects === 'only') !== isRedirect) return false
  return !namespaces || (ns !== undefined && namespaces.has(ns))
}

/** What was written. */
export interface PageLines {
  /** Whole lines, in UTF-8. What is kept keeps up to 1 MiB. */
  readonly bytes: Uint8Array
  readonly pages: number
  /** Ids of the first page and the last one. */
  readonly firstPage: number
  readonly lastPage: number
  readonly redirects: number
  readonly revisions: number
  /** Revisions without a text that have one by their size; and those whose size says that it is suppressed. */
  readonly missingTexts: number
  readonly suppressed: number
}

/** Fields, by their places in `#fields`; the order is that of the line. */
const Field = {
  ID: 0,
  NS: 1,
  TITLE: 2,
  REDIRECT: 3,
  REVISION_ID: 4,
  PARENT_ID: 5,
  TIMESTAMP: 6,
  USERNAME: 7,
  CONTRIBUTOR_ID: 8,
  IP: 9,
  COMMENT: 10,
  ORIGIN: 11,
  MODEL: 12,
  FORMAT: 13,
  BYTES: 14,
  SHA1: 15,
  LOCATION: 16,
  TEXT_ID: 17,
  TEXT: 18,
} as const
const FIELDS = 19
/** Those that are numbers, and may be absent or empty. */
const NUMBERS = [Field.NS, Field.PARENT_ID, Field.CONTRIBUTOR_ID, Field.ORIGIN, Field.BYTES, Field.TEXT_ID] as const

/** Elements that hold others, and what is none of them. */
const Group = { PAGE: 0, REVISION: 1, CONTRIBUTOR: 2, NONE: 3 } as const
/** What an element is, besides a field. */
const Meaning = { UNKNOWN: -1, REVISION: -2, CONTRIBUTOR: -3, MINOR: -4, REDIRECT: -5 } as const

const MEANINGS: readonly Readonly<Record<string, number>>[] = [
  {
    title: Field.TITLE,
    ns: Field.NS,
    id: Field.ID,
    redirect: Meaning.REDIRECT,
    revision: Meaning.REVISION,
  },
  {
    id: Field.REVISION_ID,
    parentid: Field.PARENT_ID,
    timestamp: Field.TIMESTAMP,
    contributor: Meaning.CONTRIBUTOR,
    minor: Meaning.MINOR,
    comment: Field.COMMENT,
    origin: Field.ORIGIN,
    model: Field.MODEL,
    format: Field.FORMAT,
    text: Field.TEXT,
    sha1: Field.SHA1,
  },
  { username: Field.USERNAME, id: Field.CONTRIBUTOR_ID, ip: Field.IP },
]

const RECORD_WORDS = 4
const START = 1
const END = 2
const SYMBOL = 3
/** Bytes of a line besides what is in the dump: names, quotes and brackets. */
const LINE_OVERHEAD = 640
/** Bytes of memory that lines share. */
const BLOCK = 1024 * 1024

const NONE = { pages: 0, firstPage: 0, lastPage: 0, redirects: 0, revisions: 0, missingTexts: 0, suppressed: 0 }

const KEYS = [
  '{"id":',
  ',"ns":',
  ',"title":"',
  ',"redirect":"',
  ',"revision":{"id":',
  ',"parentid":',
  ',"timestamp":"',
  ',"contributor":{"username":"',
  ',"id":',
  ',"contributor":{"ip":"',
  ',"comment":"',
  ',"origin":',
  ',"model":"',
  ',"format":"',
  ',"bytes":',
  ',"sha1":"',
  ',"location":"',
  ',"textid":',
  ',"text":"',
].map((key) => new TextEncoder().encode(key))
const MINOR = new TextEncoder().encode(',"minor":true')

export class PageLineWriter implements PageWriter {
  readonly #getOutput: () => TapeOutput | undefined
  readonly #filter: PageLineFilter
  readonly #give: (lines: PageLines) => void
  #facts: DocumentFacts | undefined
  /** By group and symbol what an element of that name is; undefined where it was not looked up yet. */
  #meanings: (number | undefined)[][] = [[], [], []]
  /** Symbols of attributes that mean something. */
  #attributes: (string | undefined)[] = []
  /** For each field where its text begins and ends, modulo 2^32, its kind, and whether it is there. */
  readonly #fields = new Int32Array(FIELDS * 4)
  #isMinor = false
  #hasRevision = false
  #output: TapeOutput | undefined
  #at = 0
  #block = new Uint8Array(0)
  #blockLength = 0
  #counts = { ...NONE }

  /** `getOutput` says where output may be written while records are there; `give` takes lines. */
  constructor(getOutput: () => TapeOutput | undefined, filter: PageLineFilter, give: (lines: PageLines) => void) {
    this.#getOutput = getOutput
    this.#filter = filter
    this.#give = give
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#meanings = [[], [], []]
    this.#attributes = []
  }

  take(_head: ElementHead, start: number, end: number, words: Int32Array, first: number, last: number): boolean {
    if (!this.#output) {
      this.#output = this.#getOutput()
      this.#at = this.#output?.address ?? 0
    }
    const output = this.#output
    if (!output) return false
    const room = 2 * (end - start) + LINE_OVERHEAD
    if (this.#at - output.address + room > output.size) this.flush()
    if (room > output.size || !this.#find(words, first, last) || !this.#isUsual()) return false
    const ns = this.#numberOf(Field.NS)
    if (isWanted(this.#filter, ns, this.#has(Field.REDIRECT))) this.#write()
    return true
  }

  leave(): void {
    this.flush()
    this.#output = undefined
  }

  /** Hands over what was written. */
  flush(): void {
    const output = this.#output
    if (!output || this.#at === output.address) return
    this.#give({ bytes: this.#copy(output.bytes.subarray(output.address, this.#at)), ...this.#counts })
    this.#counts = { ...NONE }
    this.#at = output.address
  }

  /** A copy, in a block that many share: a memory of its own for each would keep the garbage collector busy. */
  #copy(lines: Uint8Array): Uint8Array {
    if (lines.length > BLOCK / 4) return lines.slice()
    if (this.#blockLength + lines.length > this.#block.length) {
      this.#block = new Uint8Array(BLOCK)
      this.#blockLength = 0
    }
    const copy = this.#block.subarray(this.#blockLength, this.#blockLength + lines.length)
    copy.set(lines)
    this.#blockLength += lines.length
    return copy
  }

  /** Finds the fields of a page. False when it is not of the usual shape. */
  #find(words: Int32Array, first: number, last: number): boolean {
    const { types } = this.#facts as DocumentFacts
    const { isPart, startTag, endTag, emptyTag, text } = types
    const fields = this.#fields.fill(0)
    this.#isMinor = false
    this.#hasRevision = false
    let group: number = Group.PAGE
    /** The field whose element is open; -1 for none, -2 for an element that is passed over. */
    let field = -1
    let part = first
    for (let record = first; record < last; record++) {
      const type = words[record * RECORD_WORDS] as number
      if (!isPart[type]) continue
      if (type === text) {
        if (field >= 0) {
          if (fields[field * 4 + 3] === 2) return false
          this.#set(field, words, record, part === record ? Decode.PLAIN : Decode.TEXT)
          fields[field * 4 + 3] = 2
        } else if (field === -2) return false
      } else if (type === startTag) {
        if (field !== -1) return false
        const meaning = this.#meaningOf(group, words[part * RECORD_WORDS + SYMBOL] as number)
        if (meaning === Meaning.UNKNOWN) return false
        if (part + 1 < record && !this.#readAttributes(meaning, words, part + 1, record)) return false
        if (meaning === Meaning.REVISION) {
          fields.fill(0, Field.REVISION_ID * 4)
          this.#isMinor = false
          this.#hasRevision = true
          group = Group.REVISION
        } else if (meaning === Meaning.CONTRIBUTOR) {
          if (fields[Field.USERNAME * 4 + 3] !== 0 || fields[Field.IP * 4 + 3] !== 0) return false
          group = Group.CONTRIBUTOR
        } else if (meaning < 0) {
          if (meaning === Meaning.MINOR) this.#isMinor = true
          field = -2
        } else {
          if (fields[meaning * 4 + 3] !== 0) return false
          fields[meaning * 4 + 3] = 1
          field = meaning
        }
      } else if (type === endTag || type === emptyTag) {
        if (field !== -1) field = -1
        else group--
      } else {
        return false
      }
      part = record + 1
    }
    return true
  }

  /** Reads the attributes between two records. False when one of them says that something is suppressed. */
  #readAttributes(meaning: number, words: Int32Array, from: number, to: number): boolean {
    for (let record = from; record < to; record++) {
      const name = this.#attributeOf(words[record * RECORD_WORDS + SYMBOL] as number)
      const first = record
      while (words[record * RECORD_WORDS] !== NodeType.LITERAL) record++
      if (name === 'deleted') return false
      let field = -1
      if (meaning === Field.TEXT) {
        field =
          name === 'bytes' ? Field.BYTES : name === 'location' ? Field.LOCATION : name === 'id' ? Field.TEXT_ID : -1
      } else if (meaning === Meaning.REDIRECT && name === 'title') field = Field.REDIRECT
      if (field === -1) continue
      if (this.#fields[field * 4 + 3] !== 0) return false
      this.#set(field, words, record, record === first + 1 ? Decode.PLAIN : Decode.VALUE)
      this.#fields[field * 4 + 3] = 2
    }
    return true
  }

  #set(field: number, words: Int32Array, record: number, kind: number): void {
    this.#fields[field * 4] = words[record * RECORD_WORDS + START] as number
    this.#fields[field * 4 + 1] = words[record * RECORD_WORDS + END] as number
    this.#fields[field * 4 + 2] = kind
  }

  /** Whether what must be there is there, and all numbers are written as JSON has them: then the line can be written. */
  #isUsual(): boolean {
    if (!this.#has(Field.TITLE) || this.#numberOf(Field.ID) === undefined) return false
    if (this.#hasRevision && this.#numberOf(Field.REVISION_ID) === undefined) return false
    for (const field of NUMBERS) if (!this.#isEmpty(field) && this.#numberOf(field) === undefined) return false
    return true
  }

  #write(): void {
    this.#putNumber(Field.ID)
    this.#putNumber(Field.NS)
    this.#putText(Field.TITLE)
    this.#putText(Field.REDIRECT)
    if (this.#hasRevision) this.#writeRevision()
    this.#putBytes(0x7d, 0x0a)
    const id = this.#numberOf(Field.ID) as number
    if (this.#counts.pages === 0) this.#counts.firstPage = id
    this.#counts.lastPage = id
    this.#counts.pages++
    if (this.#has(Field.REDIRECT)) this.#counts.redirects++
  }

  #writeRevision(): void {
    this.#putNumber(Field.REVISION_ID)
    this.#putNumber(Field.PARENT_ID)
    this.#putText(Field.TIMESTAMP)
    if (this.#has(Field.IP)) {
      this.#putText(Field.IP)
      this.#putBytes(0x7d)
    } else if (this.#has(Field.USERNAME)) {
      this.#putText(Field.USERNAME)
      this.#putNumber(Field.CONTRIBUTOR_ID)
      this.#putBytes(0x7d)
    }
    if (this.#isMinor) this.#putKey(MINOR)
    this.#putText(Field.COMMENT)
    this.#putNumber(Field.ORIGIN)
    this.#putText(Field.MODEL)
    this.#putText(Field.FORMAT)
    this.#putNumber(Field.BYTES)
    if (!this.#isEmpty(Field.SHA1)) this.#putText(Field.SHA1)
    this.#putText(Field.LOCATION)
    this.#putNumber(Field.TEXT_ID)
    const bytes = this.#numberOf(Field.BYTES) ?? 0
    // A text that is empty is absent where the dump gives a size, or says that there is one without giving it.
    const hasText =
      this.#has(Field.TEXT) && (!this.#isEmpty(Field.TEXT) || (bytes === 0 && !this.#isBlank(Field.BYTES)))
    if (hasText) this.#putText(Field.TEXT)
    this.#putBytes(0x7d)
    this.#counts.revisions++
    if (bytes > 0 && !hasText) this.#counts.missingTexts++
    if (bytes < 0) this.#counts.suppressed++
  }

  #has(field: number): boolean {
    return this.#fields[field * 4 + 3] !== 0
  }

  /** Whether a field has no content, or is not there. */
  #isEmpty(field: number): boolean {
    return this.#fields[field * 4] === this.#fields[field * 4 + 1]
  }

  /** Whether a field is there without content. */
  #isBlank(field: number): boolean {
    return this.#has(field) && this.#isEmpty(field)
  }

  /** The address of an offset modulo 2^32. */
  #addressOf(offset: number): number {
    const { window, windowStart } = this.#output as TapeOutput
    return window + ((offset - windowStart) | 0)
  }

  #putText(field: number): void {
    if (!this.#has(field)) return
    this.#putKey(KEYS[field] as Uint8Array)
    const fields = this.#fields
    const from = fields[field * 4] as number
    const to = fields[field * 4 + 1] as number
    if (from !== to) {
      const { escapeJson } = this.#output as TapeOutput
      this.#at = escapeJson(this.#addressOf(from), this.#addressOf(to), this.#at, fields[field * 4 + 2] as number)
    }
    this.#putBytes(0x22)
  }

  #putNumber(field: number): void {
    if (this.#isEmpty(field)) return
    this.#putKey(KEYS[field] as Uint8Array)
    const { bytes } = this.#output as TapeOutput
    const from = this.#addressOf(this.#fields[field * 4] as number)
    const to = this.#addressOf(this.#fields[field * 4 + 1] as number)
    for (let at = from; at < to; at++) bytes[this.#at++] = bytes[at] as number
  }

  /** A number of up to 15 digits without zeros in front; undefined for anything else, and where there is none. */
  #numberOf(field: number): number | undefined {
    const { bytes } = this.#output as TapeOutput
    let at = this.#addressOf(this.#fields[field * 4] as number)
    const to = this.#addressOf(this.#fields[field * 4 + 1] as number)
    const isNegative = bytes[at] === 0x2d
    if (isNegative) at++
    const length = to - at
    if (length < 1 || length > 15 || (bytes[at] === 0x30 && (length > 1 || isNegative))) return undefined
    let value = 0
    for (; at < to; at++) {
      const digit = (bytes[at] as number) - 0x30
      if (digit < 0 || digit > 9) return undefined
      value = value * 10 + digit
    }
    return isNegative ? -value : value
  }

  #putKey(key: Uint8Array): void {
    const { bytes } = this.#output as TapeOutput
    let at = this.#at
    for (let i = 0; i < key.length; i++) bytes[at++] = key[i] as number
    this.#at = at
  }

  #putBytes(one: number, two?: number): void {
    const { bytes } = this.#output as TapeOutput
    bytes[this.#at++] = one
    if (two !== undefined) bytes[this.#at++] = two
  }

  #meaningOf(group: number, symbol: number): number {
    const known = this.#meanings[group] as (number | undefined)[]
    const meaning = known[symbol]
    if (meaning !== undefined) return meaning
    const { names } = this.#facts as DocumentFacts
    const meanings = MEANINGS[group] as Readonly<Record<string, number>>
    const name = names[symbol]?.raw ?? ''
    const found = Object.hasOwn(meanings, name) ? (meanings[name] as number) : Meaning.UNKNOWN
    known[symbol] = found
    return found
  }

  #attributeOf(symbol: number): string {
    this.#attributes[symbol] ??= (this.#facts as DocumentFacts).names[symbol]?.raw ?? ''
    return this.#attributes[symbol] as string
  }
}
