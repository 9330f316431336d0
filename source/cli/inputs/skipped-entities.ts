// Counts the references that a document leaves out, to warn of them.

import { type Counter, countNames, type Tally, tally } from '../../record/report.ts'
import type { SkippedEntity } from '../../xml/doctype/skipped-entity.ts'
import { XmlError } from '../../xml/errors/errors.ts'
import { shorten } from '../../xml/errors/unplaced-error.ts'
import { describeSkipped } from './xml-readers.ts'

/** Names in the warning. References to other entities are only counted. */
const MOST_NAMES = 5

/** Counts them. */
export function countSkipped(): Counter<SkippedEntity, Tally> {
  const dataOf = ({ name, byteOffset }: SkippedEntity) => tally(name, byteOffset)
  return countNames('entities', MOST_NAMES, { on: 'entity', dataOf })
}

/** The error that it is where it is not wanted; undefined for none. */
export function findSkipped(counted: Tally | undefined): XmlError | undefined {
  const [found] = counted?.names ?? []
  return found && new XmlError(describeSkipped(found[0]), { code: 'skipped-entity', byteOffset: found[1].first })
}

/** The warning about an input, in lines. */
export function warnOfSkipped(input: string, counted: Tally | undefined): string[] {
  return counted ? [`xylem: warning: ${input}: ${describe(counted)}`] : []
}

function describe({ names, others }: Tally): string {
  const parts = names.map(([name, { count, first }]) => `&${shorten(name)}; (${count}, first at byte ${first})`)
  if (others > 0) parts.push(`others (${others})`)
  const count = names.reduce((sum, [, { count }]) => sum + count, others)
  const what = count === 1 ? '1 reference to an entity was' : `${count} references to entities were`
  return `${what} left out, because the declarations outside of the document were not read: ${parts.join(', ')}`
}
