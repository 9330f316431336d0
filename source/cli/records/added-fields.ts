// Fields that are added to records on the command line.

import { addFields, nameOfField, parseAddedField, type RecordKind } from '../../mediawiki/lines/added-fields.ts'
import { planConditions } from '../../mediawiki/lines/page-form.ts'
import { PAGE } from '../../mediawiki/shape/page.ts'
import { PAGE_REVISION } from '../../mediawiki/shape/page-revision.ts'
import { planShape } from '../../xml/question/plan.ts'
import { UsageError } from '../errors/errors.ts'
import { parseConditions } from '../options/where-options.ts'

/** Throws a `UsageError` for a name that is used twice, for an invalid path of a field that is added, and for an invalid condition. */
export function requireAddedFields(
  kind: RecordKind,
  { fields: names = [], where = [] }: { readonly fields?: readonly string[]; readonly where?: readonly string[] },
): void {
  parseConditions(where, planConditions(kind))
  const known = new Set<string>()
  for (const name of names.map((text) => nameOfField(kind, text))) {
    if (known.has(name)) throw new UsageError(`the field name ${name} is used twice`)
    known.add(name)
  }
  const added = names.flatMap((name) => parseAddedField(kind, name) ?? [])
  if (added.length === 0) return
  const list = added.find(({ isList, isOfOther }) => isList && isOfOther)
  if (kind === 'revisions' && list)
    throw new UsageError(
      `the field ${list.name}[] cannot be an array: of the page of a revision only single values are known`,
    )
  try {
    planShape(addFields(kind, kind === 'pages' ? PAGE : PAGE_REVISION, names))
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(added.reduce((text, { key, name }) => text.replace(key, name), message))
  }
}
