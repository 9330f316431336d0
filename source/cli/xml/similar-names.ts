// The element that was probably meant, where a path leads to nothing.

import { findNearest } from '../../stream/nearest.ts'
import { isName } from '../../text/markup/xml-characters.ts'
import type { XmlOptions } from '../../xml/options.ts'
import { splitSteps } from '../../xml/question/path.ts'
import { readXml } from '../../xml/reader.ts'
import type { Input } from '../inputs/inputs.ts'
import { openCache, type ReadingOptions } from '../inputs/read-inputs.ts'
import type { RecordQuestion } from '../read/question.ts'

/** Bytes of a document whose names are compared. */
const MUCH = 1024 * 1024

/**
 * Advice on the first name in the paths that the beginning of an input has not: the name that is most like it, or any namespace where it stands with a
 * prefix alone. Empty where there is none, and for inputs that cannot be read twice, or would have to be fetched again.
 */
export async function adviseOnNames(
  input: Input | undefined,
  { path: paths, prefixes = {} }: Pick<RecordQuestion, 'path' | 'prefixes'>,
  xml: XmlOptions,
  reading: ReadingOptions,
): Promise<string> {
  if (input?.size === undefined) return ''
  const names = await readNames(input, xml, reading)
  for (const step of paths.flatMap(splitSteps)) {
    const name = step.replace(/\[.*/s, '')
    const [prefix = ''] = name.split(':')
    if (!isName(name) || names.has(name) || Object.hasOwn(prefixes, prefix)) continue
    const isPrefixed = [...names].some((other) => other.endsWith(`:${name}`))
    const meant = isPrefixed ? `*:${name}` : findNearest(name, names)
    if (meant !== undefined) return `; did you mean ${meant}?`
  }
  return ''
}

/** The names of elements at the beginning of an input, as they are written. What is wrong with it was reported before. */
async function readNames(input: Input, xml: XmlOptions, reading: ReadingOptions): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  const cache = openCache(input, reading)
  try {
    for await (const events of readXml(cache, xml).events().batches()) {
      for (const event of events) if (event.type === 'start') names.add(event.name)
      if (cache.progress.bytesRead > MUCH) break
    }
  } catch {
    // As far as it can be read.
  }
  return names
}
