// How the text of a grammar looks: which part of it is a name, a literal, a comment. Wrong grammars are read as well, so this knows no rules.

export type NotationKind = 'comment' | 'definition' | 'name' | 'literal' | 'class' | 'message' | 'operator'

export interface NotationPart {
  readonly kind: NotationKind
  readonly from: number
  readonly to: number
}

/** What begins at a place. A literal or a class that is not closed ends with its line. */
const PARTS: readonly (readonly [kind: NotationKind, pattern: RegExp])[] = [
  ['comment', /#[^\n]*/y],
  ['operator', /[A-Za-z_]\w*\??:(?!:=)<?/y],
  ['message', /@[a-z]+(?:-[a-z]+)*/y],
  ['message', /@\s*"(?:\\[\s\S]|[^"\\])*"/y],
  ['literal', /~?"(?:\\[\s\S]|[^"\\])*"/y],
  ['literal', /~?"[^\n]*/y],
  ['class', /\[(?:\\[\s\S]|[^\]\\\n])*\]?/y],
  ['definition', /[A-Za-z]\w*(?=\s*(?:@(?:[a-z-]+|\s*"(?:\\[\s\S]|[^"\\])*")\s*)*::=)/y],
  ['name', /[A-Za-z]\w*/y],
  ['operator', /::=|->|~>|\.\.\.|\{\d+(?:,\d*)?\}|[;|()%!&^?*+]/y],
]

/** The parts of a grammar's text, in its order, without blanks and what is unknown. */
export function readNotation(text: string): NotationPart[] {
  const parts: NotationPart[] = []
  let from = 0
  while (from < text.length) {
    const part = readPart(text, from)
    if (part) parts.push(part)
    from = part?.to ?? from + 1
  }
  return parts
}

function readPart(text: string, from: number): NotationPart | undefined {
  for (const [kind, pattern] of PARTS) {
    pattern.lastIndex = from
    if (pattern.test(text)) return { kind, from, to: pattern.lastIndex }
  }
  return undefined
}
