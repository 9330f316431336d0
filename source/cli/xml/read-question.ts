// A question about documents of records, of the options of a command.

import { UsageError } from '../errors/errors.ts'
import { loadShape } from '../inputs/shape-file.ts'
import type { FormatOptions } from '../options/format-options.ts'
import { readPrefixes, shapeOfFields } from '../options/shape-options.ts'
import { type XmlCommandOptions, xmlOptions } from '../options/xml-options.ts'
import type { SelectQuestion } from './select-question.ts'

/** Options that say which records are wanted, and what of them. */
export interface QuestionOptions extends XmlCommandOptions, FormatOptions {
  field?: string[]
  shape?: string
  lenient?: true
  where?: string[]
  prefix?: string[]
  nested: 'outermost' | 'innermost' | 'all'
}

/** What options ask of elements. Without fields, the elements themselves are wanted. Throws a `UsageError` for options that do not go together. */
export async function readQuestion(
  path: readonly string[],
  options: QuestionOptions,
  signal: AbortSignal,
): Promise<SelectQuestion> {
  const { shape: file, field = [], lenient, where, prefix, nested, namespaces, csvSafe, bom, elements } = options
  if (prefix && !namespaces) throw new UsageError('--prefix cannot be used together with --no-namespaces')
  const prefixes = prefix && readPrefixes(prefix)
  // The fields of the file come first.
  const shape = new Map(file === undefined ? [] : Object.entries(await loadShape(file, { prefixes }, signal)))
  for (const [name, one] of shapeOfFields(field)) {
    if (shape.has(name)) throw new UsageError(`the field name ${name} is used twice`)
    shape.set(name, one)
  }
  return {
    path,
    fields: [...shape],
    ...(prefixes && { prefixes }),
    ...(where && { where }),
    ...(lenient && { lenient }),
    ...(nested !== 'outermost' && { nested }),
    ...(csvSafe && { csvSafe }),
    ...(bom && { bom }),
    ...(elements !== undefined && { elements }),
    xml: await xmlOptions(options, signal),
  }
}
