// The titles of many pages, in little memory: a string of each 1,024, and not an object of each.

const BLOCK = 1024
const END = '\n'

/** Titles by their numbers, from 0. */
export class Titles {
  readonly #blocks: string[] = []
  /** Those that do not fill a block yet. */
  #open: string[] = []
  /** The block that was asked for last, as titles. */
  #split: { readonly block: number; readonly titles: readonly string[] } | undefined

  get length(): number {
    return this.#blocks.length * BLOCK + this.#open.length
  }

  /** Titles have one line; an end of a line in one becomes a space. */
  add(title: string): void {
    this.#open.push(title.includes(END) ? title.replaceAll(END, ' ') : title)
    if (this.#open.length < BLOCK) return
    this.#blocks.push(this.#open.join(END))
    this.#open = []
  }

  /** The title of a number; undefined if there is none. */
  at(index: number): string | undefined {
    return this.#titlesOf(Math.floor(index / BLOCK))[index % BLOCK]
  }

  /**
   * Passes over titles from a number on, and gives the first number that is not passed over: either its title may contain a text, in any case, or all were
   * passed over. `text` is in lower case.
   */
  skipWithout(text: string, from: number): number {
    let index = from
    while (index % BLOCK === 0 && index < this.#blocks.length * BLOCK) {
      if (this.#blocks[index / BLOCK]?.toLowerCase().includes(text)) break
      index += BLOCK
    }
    return index
  }

  /** The number of a title, exactly as it is; undefined if it is not there. */
  find(title: string): number | undefined {
    if (title.includes(END)) return undefined
    for (const [number, block] of this.#blocks.entries()) {
      if (hasLine(block, title)) return number * BLOCK + block.split(END).indexOf(title)
    }
    const place = this.#open.indexOf(title)
    return place < 0 ? undefined : this.#blocks.length * BLOCK + place
  }

  #titlesOf(block: number): readonly string[] {
    if (block >= this.#blocks.length) return block === this.#blocks.length ? this.#open : []
    if (this.#split?.block !== block) {
      this.#split = { block, titles: (this.#blocks[block] as string).split(END) }
    }
    return this.#split.titles
  }
}

function hasLine(lines: string, line: string): boolean {
  return lines.includes(`${END}${line}${END}`) || lines.startsWith(`${line}${END}`) || lines.endsWith(`${END}${line}`)
}
