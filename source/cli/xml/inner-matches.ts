// Elements that match, but lie in another one that does: by default the outer one becomes a record, and they do not.

import type { RecordView } from '../../xml/output/record-view.ts'
import { tell } from '../terminal/terminal.ts'

export interface InnerCount {
  readonly matches: number
  readonly records: number
}

export class InnerMatches {
  #matches = 0
  #records = 0

  look({ innerMatches }: RecordView): void {
    if (innerMatches > 0) this.add({ matches: innerMatches, records: 1 })
  }

  /** Adds what others have seen: so many matches, in so many records. */
  add({ matches, records }: InnerCount): void {
    this.#matches += matches
    this.#records += records
  }

  get count(): InnerCount {
    return { matches: this.#matches, records: this.#records }
  }

  /** Warns on standard error, if there were any. */
  report(): void {
    if (this.#matches === 0) return
    const [lie, were] = this.#matches === 1 ? ['element lies', 'was'] : ['elements lie', 'were']
    const records = this.#records === 1 ? 'record' : 'records'
    const [matches, outer] = [this.#matches, this.#records].map((count) => count.toLocaleString('en'))
    tell(
      `xylem: warning: ${matches} matching ${lie} in ${outer} ${records} and ${were} left out; --nested all gives all of them`,
    )
  }
}
