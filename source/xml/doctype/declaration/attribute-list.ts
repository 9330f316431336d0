// What a declaration says of the attributes of an element (section 3.3). Each function is named after its production.

import { isName, isNcName, isNmtoken } from '../../../text/markup/xml-characters.ts'
import { shorten } from '../../errors/unplaced-error.ts'
import { type AttributeDeclaration, collapse } from '../document-type.ts'
import type { Literal, Steps } from './doctype-scanner.ts'
import { type DoctypeTokens, TOKEN } from './doctype-tokens.ts'

const TYPES = new Set(['CDATA', 'ID', 'IDREF', 'IDREFS', 'ENTITY', 'ENTITIES', 'NMTOKEN', 'NMTOKENS'])

/** Where attributes are declared. */
export interface AttributeContext {
  readonly hasNamespaces: boolean
  /** Whether what is declared now is declared outside of the document entity, or in a parameter entity. */
  readonly isOutside: boolean
  /** [10] AttValue: the value that a default stands for. Throws an `UnplacedError`. */
  readDefault(literal: Literal): string
}

/** [53] AttDef */
export function* readAttributeDefinition(
  tokens: DoctypeTokens,
  context: AttributeContext,
): Steps<AttributeDeclaration> {
  const { scanner } = tokens
  const name = tokens.qualifiedName('of an attribute')
  yield* scanner.requireSpace(`after ${shorten(name)}`)
  const isTokenized = yield* readAttributeType(tokens, name, context.hasNamespaces)
  yield* scanner.requireSpace(`after the type of ${shorten(name)}`)
  const isExternalDeclaration = context.isOutside
  if (scanner.match(/#(?:REQUIRED|IMPLIED)(?![^\s>%])/y) !== undefined) {
    return { name, isTokenized, default: undefined, isExternalDeclaration }
  }
  if (scanner.match(/#FIXED/y) !== undefined) yield* scanner.requireSpace('after #FIXED')
  const value = context.readDefault(tokens.literal(`the default of ${shorten(name)}`))
  return { name, isTokenized, default: isTokenized ? collapse(value) : value, isExternalDeclaration }
}

/** [54] to [59] AttType; whether white space is collapsed in values. */
function* readAttributeType(tokens: DoctypeTokens, attribute: string, hasNamespaces: boolean): Steps<boolean> {
  const { scanner } = tokens
  if (scanner.startsWith('(')) {
    yield* readEnumeration(tokens, isNmtoken, 'a name token')
    return true
  }
  const { position } = scanner
  const type = scanner.match(TOKEN)
  if (type === 'NOTATION') {
    yield* scanner.requireSpace('after NOTATION')
    yield* readEnumeration(tokens, hasNamespaces ? isNcName : isName, 'the name of a notation')
    return true
  }
  if (type === undefined || !TYPES.has(type)) {
    const message = `expected the type of the attribute ${shorten(attribute)}`
    throw scanner.fault(message, undefined, undefined, position)
  }
  return type !== 'CDATA'
}

/** [58], [59] */
function* readEnumeration(tokens: DoctypeTokens, isValid: (token: string) => boolean, what: string): Steps<void> {
  const { scanner } = tokens
  scanner.expect('(', 'before a list')
  do {
    yield* scanner.skipSpace()
    const { position } = scanner
    if (!isValid(scanner.match(TOKEN) ?? '')) throw scanner.fault(`expected ${what}`, undefined, undefined, position)
    yield* scanner.skipSpace()
  } while (scanner.match(/\|/y) !== undefined)
  scanner.expect(')', 'or "|" in a list')
}
