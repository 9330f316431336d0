// What is counted: the same for every way of reading, so that a way that misses something is found out.

import { BLANK, LINE_FEED } from './text.ts'

export interface Answer {
  readonly characters: number
  /** Words with the blank or the line feed after them. */
  readonly words: number
  readonly lines: number
}

/** Counts characters, by each or by words. The text is ASCII: a byte is a character. */
export class Counter {
  /** How many promises were awaited; the ways of reading count it. It is no part of the answer. */
  awaited = 0
  #characters = 0
  #words = 0
  #lines = 0

  take(byte: number): void {
    this.#characters++
    if (byte <= BLANK) this.#takeBlank(byte)
  }

  /** So many characters, of which the last one alone may be a blank or a line feed. */
  takeWord(length: number, last: number): void {
    this.#characters += length
    if (last <= BLANK) this.#takeBlank(last)
  }

  #takeBlank(byte: number): void {
    this.#words++
    if (byte === LINE_FEED) this.#lines++
  }

  get answer(): Answer {
    return { characters: this.#characters, words: this.#words, lines: this.#lines }
  }
}

export function isSameAnswer(one: Answer, other: Answer): boolean {
  return one.characters === other.characters && one.words === other.words && one.lines === other.lines
}
