// Records for engines that report tags and text only: what a program writes on top of them to get at a few fields.

import type { RecordKind } from './engine.ts'
import type { StringTaker } from './string-digest.ts'

/** Gets tags and text in their order, and gives the strings of each record to a digest. */
export interface RecordCollector {
  open(name: string): void
  /** Text, or a piece of it. */
  text(piece: string): void
  close(): void
}

export function collectRecords(kind: RecordKind, digest: StringTaker): RecordCollector {
  return kind === 'pages' ? new PageCollector(digest) : new ThirdLevelCollector(digest)
}

const PAGE_LEVEL = 2

type PageField = 'title' | 'id' | 'text'

/** Of each page of a dump: its title, its id, and the text of its last revision. */
class PageCollector implements RecordCollector {
  readonly #digest: StringTaker
  #level = 0
  #isInPage = false
  #isInRevision = false
  /** The field that text belongs to; fields hold no elements. */
  #field: PageField | undefined
  #values: Record<PageField, string> = { title: '', id: '', text: '' }

  constructor(digest: StringTaker) {
    this.#digest = digest
  }

  open(name: string): void {
    this.#level++
    if (this.#level === PAGE_LEVEL) {
      this.#isInPage = name === 'page'
      this.#values = { title: '', id: '', text: '' }
    } else if (this.#level === PAGE_LEVEL + 1) this.#isInRevision = name === 'revision'
    this.#field = this.#isInPage ? this.#findField(name) : undefined
    if (this.#field) this.#values[this.#field] = ''
  }

  text(piece: string): void {
    if (this.#field) this.#values[this.#field] += piece
  }

  close(): void {
    this.#field = undefined
    if (this.#level === PAGE_LEVEL && this.#isInPage) {
      const { title, id, text } = this.#values
      this.#digest.add(title)
      this.#digest.add(id)
      this.#digest.add(text)
    }
    this.#level--
  }

  #findField(name: string): PageField | undefined {
    if (this.#level === PAGE_LEVEL + 1) return name === 'title' || name === 'id' ? name : undefined
    if (this.#level === PAGE_LEVEL + 2) return this.#isInRevision && name === 'text' ? name : undefined
    return undefined
  }
}

const THIRD_LEVEL = 3

/** Of each child of a child of the root: its name, and all text in it. */
class ThirdLevelCollector implements RecordCollector {
  readonly #digest: StringTaker
  #level = 0
  #name = ''
  #text = ''

  constructor(digest: StringTaker) {
    this.#digest = digest
  }

  open(name: string): void {
    this.#level++
    if (this.#level !== THIRD_LEVEL) return
    this.#name = name
    this.#text = ''
  }

  text(piece: string): void {
    if (this.#level >= THIRD_LEVEL) this.#text += piece
  }

  close(): void {
    if (this.#level === THIRD_LEVEL) {
      this.#digest.add(this.#name)
      this.#digest.add(this.#text)
    }
    this.#level--
  }
}
