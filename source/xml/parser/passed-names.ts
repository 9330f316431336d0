// Names in tags that need no inspection the next time.

import type { TapeFrame } from '../tape/tape-frame.ts'
import type { XmlTape } from '../tape/xml-tape.ts'
import type { StartTagReader } from './start-tag.ts'

export class PassedNames {
  readonly #tape: XmlTape
  readonly #tags: StartTagReader
  /** Symbols of names with prefixes that need no inspection as long as the same declarations hold, which this number stands for. */
  readonly #inScope: number[] = []
  #scopesVersion = 0

  constructor(tape: XmlTape, tags: StartTagReader) {
    this.#tape = tape
    this.#tags = tags
  }

  /** Adds the names in the tag that was inspected. */
  add(frame: TapeFrame): void {
    for (let record = frame.part - 1; record >= frame.first; record--) {
      if (!frame.isName(record)) continue
      const symbol = frame.symbolOf(record)
      const name = frame.names.get(symbol)
      if (this.#tags.isPassable(name)) {
        this.#tape.passName(symbol)
      } else if (this.#tags.isPassableInScope(name)) {
        this.#tape.passName(symbol)
        this.#inScope.push(symbol)
      }
    }
  }

  /** Names with prefixes need inspection again when other declarations hold. */
  followScopes(): void {
    if (this.#tags.scopesVersion === this.#scopesVersion) return
    this.#scopesVersion = this.#tags.scopesVersion
    for (const symbol of this.#inScope) this.#tape.passName(symbol, false)
    this.#inScope.length = 0
  }
}
