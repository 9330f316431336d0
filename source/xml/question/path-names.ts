// Names in paths and in conditions: as they are written, with a namespace, or with a prefix that stands for one.

import { describeValue, withCode } from '../../stream/errors.ts'
import { findNearest } from '../../stream/nearest.ts'
import { isName } from '../../text/markup/xml-characters.ts'
import { type NamePattern, parseNamePattern } from '../names/name-pattern.ts'
import { XML_NAMESPACE } from '../names/namespaces.ts'

/** How names in paths are written. */
export interface PathNames {
  /** What prefixes stand for, if they do not stand for themselves; the empty one is for elements. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined
}

/** The name after `@`. Throws a `RangeError` with the code `invalid-option` that names the path. */
export function parseAttributeName(text: string, path: string, names: PathNames): NamePattern {
  // Without a prefix, it is in no namespace.
  const test = parseTest(text, path, text.includes(':') ? names : {})
  if (!isName(test.name ?? '')) throw pathError(path, `"${test.name}" is not an attribute name`)
  return test
}

/** The name of an element, or the asterisk for any. Throws like `parseAttributeName`. */
export function parseTest(text: string, path: string, { prefixes }: PathNames): NamePattern {
  try {
    const test = parseNamePattern(text)
    return prefixes && test.namespace === undefined && !text.startsWith('*') ? expandPrefix(test, prefixes) : test
  } catch (error) {
    throw pathError(path, (error as RangeError).message)
  }
}

/** A name with the namespace that its prefix stands for, or the empty one for a name without. `xml` need not be declared (Namespaces in XML 1.0, section 3). */
function expandPrefix(test: NamePattern, prefixes: Readonly<Record<string, string>>): NamePattern {
  const { name = '' } = test
  const colon = name.indexOf(':')
  const prefix = name.slice(0, Math.max(0, colon))
  const namespace = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : prefix === 'xml' ? XML_NAMESPACE : undefined
  if (namespace !== undefined) return { name: name.slice(colon + 1), namespace }
  if (colon === -1) return test
  const nearest = findNearest(prefix, Object.keys(prefixes))
  const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw new RangeError(`the prefix ${prefix} is not in prefixes${advice}`)
}

/** Says of what is given as a path that it is none, and why. */
export function pathError(path: unknown, what: string): RangeError {
  return withCode(new RangeError(`invalid path ${describeValue(path)}: ${what}`), 'invalid-option')
}
