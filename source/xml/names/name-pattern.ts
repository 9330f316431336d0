// Which names are wanted: as they are written, with their prefix, or as `{namespace}local`. No XML name begins with a brace.

import { describeValue, withCode } from '../../stream/errors.ts'
import type { Name } from './names.ts'

export interface NamePattern {
  /** As it is written; the local name where a namespace is given. Undefined for any. */
  readonly name: string | undefined
  /** Undefined for any, empty for none. */
  readonly namespace: string | undefined
}

const EXPANDED = /^\{(?<namespace>[^{}]*)\}(?<name>[^{}]+)$/u

/** Whether a text gives a namespace. */
export function isExpanded(text: string): boolean {
  return text.charCodeAt(0) === 0x7b // {
}

/** Throws a `RangeError` with the code `invalid-option` for a text that begins with a brace and is not `{namespace}name`. */
export function parseNamePattern(text: string): NamePattern {
  if (!isExpanded(text)) return { name: text, namespace: undefined }
  const { namespace, name } = EXPANDED.exec(text)?.groups ?? {}
  if (namespace === '*') throw nameError(text, 'omit the namespace to match any namespace')
  if (name === undefined) throw nameError(text, 'expected {namespace}name')
  return { name, namespace }
}

/** Whether a name is wanted, which is in a namespace, or in none. */
export function matchesName(
  { name, namespace }: NamePattern,
  candidate: Name,
  itsNamespace: string | undefined,
): boolean {
  if (namespace === undefined) return name === undefined || candidate.raw === name
  return (itsNamespace ?? '') === namespace && (name === undefined || candidate.localName === name)
}

function nameError(text: string, what: string): RangeError {
  return withCode(new RangeError(`invalid name ${describeValue(text)}: ${what}`), 'invalid-option')
}
