// What a document type declaration says, as far as a processor that does not validate needs it.

import { shorten, UnplacedError } from '../errors/unplaced-error.ts'

/** A general entity. */
export interface EntityDeclaration {
  readonly name: string
  /** The replacement text (section 4.5) of an internal one. */
  readonly text?: string | undefined
  readonly publicId?: string | undefined
  readonly systemId?: string | undefined
  /** The system identifier of the entity it was declared in; undefined for the document itself. */
  readonly base?: string | undefined
  /** Of an unparsed entity. */
  readonly notation?: string | undefined
  /** Whether it was declared in the external subset or in a parameter entity. */
  readonly isExternalDeclaration: boolean
}

export interface AttributeDeclaration {
  readonly name: string
  /** Whether white space in values is collapsed: any type but CDATA. */
  readonly isTokenized: boolean
  /** The default value, normalised; undefined where there is none. */
  readonly default?: string | undefined
  readonly isExternalDeclaration: boolean
}

export interface DocumentType {
  readonly name: string
  readonly publicId: string | undefined
  readonly systemId: string | undefined
  readonly internalSubset: string | undefined
  readonly entities: ReadonlyMap<string, EntityDeclaration>
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, AttributeDeclaration>>
  /**
   * Whether an undeclared entity can be declared in a part that was not read. A reference to it is then not an error, unless `standalone`.
   */
  readonly hasUnreadDeclarations: boolean
}

/** How references to general entities are looked up where they stand (section 4.1, WFC: Entity Declared). */
export interface EntityRules {
  /** Whether what is not declared may be declared where nobody has read. */
  readonly mayBeUndeclared: boolean
  /** Whether a declaration counts that stands in the external subset or in a parameter entity. */
  readonly mayBeOutside: boolean
  /** The declaration of an entity that the document need not declare. */
  readonly known: ((name: string) => EntityDeclaration | undefined) | undefined
}

/** The declaration for a reference; undefined when it may be one that was not read. Throws an {@link UnplacedError}. */
export function findEntity(
  name: string,
  entities: ReadonlyMap<string, EntityDeclaration> | undefined,
  { mayBeUndeclared, mayBeOutside, known }: EntityRules,
): EntityDeclaration | undefined {
  const declaration = entities?.get(name) ?? known?.(name)
  if (!declaration) {
    if (mayBeUndeclared) return undefined
    throw new UnplacedError(`the entity ${shorten(name)} is not declared`, 'undeclared-entity', 'WFC: Entity Declared')
  }
  if (declaration.isExternalDeclaration && !mayBeOutside) {
    const message = `the entity ${shorten(name)} is declared outside the document, which declares standalone="yes"`
    throw new UnplacedError(message, 'undeclared-entity', 'WFC: Entity Declared')
  }
  if (declaration.notation !== undefined) {
    throw new UnplacedError(
      `the entity ${shorten(name)} is unparsed and cannot be referenced here`,
      'unparsed-entity',
      'WFC: Parsed Entity',
    )
  }
  return declaration
}

/** Blanks at the ends go, and several become one (section 3.3.3). */
export function collapse(value: string): string {
  return value.replace(/ +/g, ' ').replace(/^ | $/g, '')
}
