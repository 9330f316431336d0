// Where elements end, written into the records of their start tags.

import type { PartTypes } from './part-types.ts'
import { PARTNER, RECORD_WORDS } from './tape-frame.ts'

/**
 * Links the tags among the records from `first` to `end`: to look for the end of each element in its content would take time with the square of its depth.
 * Into the last word of each start tag it writes how many records later the tag is that ends its element; 0 if it is not there. The kernel does the
 * same for records on the tape (`link` in xml/kernel/tape.ts).
 */
export function linkTags(
  words: Int32Array,
  { startTag, endTag, emptyTag }: PartTypes,
  first: number,
  end: number,
): void {
  // Tags that are open are chained: where the distance will stand, there stands the tag that was open before.
  let open = -1
  for (let at = first * RECORD_WORDS; at < end * RECORD_WORDS; at += RECORD_WORDS) {
    const type = words[at] as number
    if (type === startTag) {
      words[at + PARTNER] = open
      open = at
    } else if ((type === endTag || type === emptyTag) && open !== -1) {
      const before = words[open + PARTNER] as number
      words[open + PARTNER] = (at - open) / RECORD_WORDS
      open = before
    }
  }
  while (open !== -1) {
    const before = words[open + PARTNER] as number
    words[open + PARTNER] = 0
    open = before
  }
}
