// What a document type declaration says, as far as a processor that does not validate needs it.

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
  /** Whether an entity that is not declared may be declared where nobody has read: it is then no fault, unless `standalone`. */
  readonly hasUnreadDeclarations: boolean
}
