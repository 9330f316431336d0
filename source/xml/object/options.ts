// Options for objects, checked and with their defaults.

import { withCode } from '../../stream/errors.ts'
import { type OptionKinds, requireOptions } from '../../stream/options.ts'
import { ATTRIBUTE_PREFIX, type ObjectNames, TEXT_NAME, type XmlObjectOptions } from './xml-object.ts'

const OPTIONS: OptionKinds<XmlObjectOptions> = {
  attributePrefix: 'string',
  textName: 'string',
  arrays: 'any',
  trim: 'boolean',
  values: 'boolean',
  ordered: 'boolean',
}

/**
 * Throws a `TypeError` or a `RangeError` with the code `invalid-option` for options that do not exist, are of the wrong kind, or do not go together.
 */
export function readNames(options: XmlObjectOptions): ObjectNames {
  requireOptions(options, OPTIONS)
  const { attributePrefix, textName, arrays, ordered } = options
  const isNamed = attributePrefix !== undefined || textName !== undefined || arrays !== undefined
  if (ordered && isNamed)
    throw invalid(TypeError, 'attributePrefix, textName and arrays cannot be used together with ordered')
  if (textName === '') throw invalid(RangeError, 'textName must not be empty')
  const names = { prefix: attributePrefix ?? ATTRIBUTE_PREFIX, textName: textName ?? TEXT_NAME }
  if (names.prefix !== '' && names.textName.startsWith(names.prefix)) {
    throw invalid(RangeError, `textName ${JSON.stringify(names.textName)} must not begin with attributePrefix`)
  }
  return names
}

function invalid(type: typeof TypeError | typeof RangeError, message: string): Error {
  return withCode(new type(message), 'invalid-option')
}
