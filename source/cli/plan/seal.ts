// Objects that carry a digest of themselves, so that an edit or a cut is noticed when they are read again. It protects against accidents, not
// against an attacker: anybody can compute the digest again.

import { createHash } from 'node:crypto'

/** An object with its digest. */
export type Sealed<T extends object> = T & { readonly seal: string }

/** A copy of an object, with the SHA-256 of its JSON in hexadecimal as last property. */
export function sealObject<T extends object>(value: T): Sealed<T> {
  return { ...value, seal: sha256Of(JSON.stringify(value)) }
}

/** Whether a value that was parsed from JSON is what was once sealed. */
export function isSealed(value: unknown): value is Sealed<object> {
  if (typeof value !== 'object' || value === null) return false
  const { seal, ...rest } = value as { seal?: unknown }
  return seal === sha256Of(JSON.stringify(rest))
}

/** The SHA-256 of a text, in hexadecimal. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
