// What of a shape a range cannot know, because it depends on the document before.

import type { RecordPlan } from '../question/plan.ts'
import type { FileRange } from './range.ts'

/** Why a shape cannot be read in ranges of a file; undefined if it can. */
export function whyNotInRanges({ fields }: RecordPlan, codec: FileRange['codec']): string | undefined {
  for (const { name, kind, record } of fields) {
    if (record?.outer)
      return `fields.${name}: a range does not know what is around its records; read all of the document`
    if (kind === 'offset' && codec === 'bzip2')
      return `fields.${name}: a range of bzip2 does not know the offsets in the content; read all of the document`
    const inner = record && whyNotInRanges(record, codec)
    if (inner !== undefined) return inner
  }
  return undefined
}
