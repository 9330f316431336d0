// What grammars give where their types are not known.

/** The value of a rule. `xylem types` writes the types of a grammar's own values. */
export type GrammarValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly GrammarValue[]
  | { readonly [field: string]: GrammarValue }
