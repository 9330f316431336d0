// Which names are wanted: as they are written, with their prefix; as `{namespace}local`; or as `*:local`, in any namespace and with any prefix. No XML name
// begins with a brace or has an asterisk.

import { describeValue, withCode } from '../../stream/errors.ts'
import type { Name } from './names.ts'

export interface NamePattern {
  /** As it is written; the local name where a namespace is given, or any will do. Undefined for any. */
  readonly name: string | undefined
  /** Undefined for any, empty for none. */
  readonly namespace: string | undefined
  /** Whether the name is a local one, in any namespace. */
  readonly isAnywhere?: boolean
}

/** Stands before a local name that may be in any namespace. */
export const ANYWHERE = '*:'
const PATTERN = /^(?:\{(?<namespace>[^{}]*)\}|\*:(?!.*:))(?<name>[^{}]+)$/u

/** Whether a text is more than a name as it is written. Throws a `TypeError` for what is no text. */
export function isPattern(text: string): boolean {
  if (typeof text !== 'string')
    throw withCode(new TypeError(`a name must be a string, not ${describeValue(text)}`), 'invalid-option')
  return text.charCodeAt(0) === 0x7b || text.startsWith(ANYWHERE) // {
}

/**
 * Throws a `RangeError` with the code `invalid-option` for a text that begins like `{namespace}name` or `*:name` and is not of their form.
 */
export function parseNamePattern(text: string): NamePattern {
  if (!isPattern(text)) return { name: text, namespace: undefined }
  const { namespace, name } = PATTERN.exec(text)?.groups ?? {}
  if (name === undefined) throw nameError(text, 'expected {namespace}name or *:name')
  if (namespace === '*') throw nameError(text, `use *:${name} for any namespace`)
  return { name, namespace, isAnywhere: namespace === undefined }
}

/** Whether a name is wanted, which is in a namespace, or in none. */
export function matchesName(
  { name, namespace, isAnywhere }: NamePattern,
  candidate: Pick<Name, 'raw' | 'prefix' | 'localName'>,
  itsNamespace: string | undefined,
): boolean {
  // A declaration of a namespace has the prefix that it declares as its local name.
  if (isAnywhere) return candidate.localName === name && candidate.prefix !== 'xmlns'
  if (namespace === undefined) return name === undefined || candidate.raw === name
  return (itsNamespace ?? '') === namespace && (name === undefined || candidate.localName === name)
}

function nameError(text: string, what: string): RangeError {
  return withCode(new RangeError(`invalid name ${describeValue(text)}: ${what}`), 'invalid-option')
}
