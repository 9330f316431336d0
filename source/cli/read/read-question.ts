// A question about documents of records, of the options of a command.

import type { FormatOptions } from '../../record/format/format.ts'
import { UsageError } from '../errors/errors.ts'
import { loadShape } from '../inputs/shape-file.ts'
import type { SelectOptions } from '../options/document-options.ts'
import type { OnError } from '../options/dump-options.ts'
import { readPrefixes, shapeOfFields } from '../options/shape-options.ts'
import { type XmlCommandOptions, xmlOptions } from '../options/xml-options.ts'
import type { RecordQuestion } from './question.ts'

/** Options that say which records are wanted, and what of them. */
export type QuestionOptions = XmlCommandOptions &
  Pick<SelectOptions, 'field' | 'shape' | 'lenient' | 'where' | 'prefix' | 'nested'> & {
    readonly written?: FormatOptions | undefined
    readonly onError?: OnError
  }

/** What options ask of elements. Without fields, the elements themselves are wanted. Throws a `UsageError` for options that do not go together. */
export async function readQuestion(
  path: readonly string[],
  options: QuestionOptions,
  signal: AbortSignal,
): Promise<RecordQuestion> {
  const { shape: file, field = [], lenient, where, prefix, nested, namespaces, written, onError } = options
  if (prefix && !namespaces) throw new UsageError('--prefix cannot be used together with --no-namespaces')
  const prefixes = prefix && readPrefixes(prefix)
  // The fields of the file come first.
  const shape = new Map(file === undefined ? [] : Object.entries(await loadShape(file, { prefixes }, signal)))
  for (const [name, one] of shapeOfFields(field)) {
    if (shape.has(name)) throw new UsageError(`the field name ${name} is used twice`)
    shape.set(name, one)
  }
  return {
    kind: 'records',
    path,
    fields: [...shape],
    ...(prefixes && { prefixes }),
    ...(where && { where }),
    ...(lenient && { lenient }),
    ...(nested !== 'outermost' && { nested }),
    ...(written && { written }),
    ...(onError && onError !== 'stop' && { onError: onError === 'skip-block' ? onError : 'skip' }),
    xml: await xmlOptions(options, signal),
  }
}
