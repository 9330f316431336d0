// Where expat and libxml2 are known to decide otherwise than the specification says. Each is a place to look first when fuzzing finds something.

/** What a program says: why it refuses the document, or null; and what is in it, if the program reports it. */
export interface Opinion {
  readonly refused: string | null
  readonly form?: string | null
}

/** What xylem says of a document. */
interface Ours {
  readonly error?: string | undefined
  readonly code?: string | undefined
}

export function isKnownDifference(program: string, bytes: Uint8Array, ours: Ours, theirs: Opinion): boolean {
  const text = decode(bytes)
  return program === 'libxml2' ? isKnownOfLibxml2(text, ours, theirs) : isKnownOfExpat(text, ours, theirs)
}

/** Codes of what is wrong in a value. */
const REFERENCES = ['reference', 'character-reference', 'parameter-entity']

function isKnownOfExpat(text: string, { code }: Ours, { refused }: Opinion): boolean {
  // After a parameter entity that is not declared it does not look into values any more.
  if (refused === null && REFERENCES.includes(code ?? '') && /%[\w.]+;/.test(text)) return true
  // With namespaces it wants no colons in references either, although nothing of that name may be declared.
  if (code === undefined && refused?.includes('invalid token') && /&[^;]*:[^;]*;/.test(text)) return true
  // It takes any version, UTF-16 that says nothing of it, and half of a surrogate pair; and Python gives it more encodings.
  return ['malformed-declaration', 'unknown-encoding', 'undeclared-encoding', 'malformed-text'].includes(code ?? '')
}

function isKnownOfLibxml2(text: string, { error, code }: Ours, { refused }: Opinion): boolean {
  if (refused !== null && error === undefined) {
    // That a parameter entity is declared is a matter of validity, namespaces need not be URIs, and an entity may be declared in what is not read.
    // A fragment in a system identifier is an error, but not a fatal one; and it cannot read a parameter entity twice.
    if (/PEReference: .* not found|is not a valid URI|Invalid URI|Fragment not allowed/.test(refused)) return true
    // That the tokens of an enumeration differ is a matter of validity as well.
    if (/value token .* duplicated/.test(refused)) return true
    if (/xmlParseInternalSubset/.test(refused) && /%pe;.*%pe;/s.test(text)) return true
    if (/Entity '.*' not defined/.test(refused) && /SYSTEM|PUBLIC|%[\w.]+;/.test(text)) return true
    // It reads declarations also after a parameter entity that is not declared.
    const isDeclared = /<!ENTITY\s+%\s+pe\s/.test(text)
    return (isDeclared ? /%(?!pe;)[\w.]+;/ : /%[\w.]+;/).test(text)
  }
  // It takes any version, colons where names are declared, and what stands right after <!DOCTYPE for its name.
  return (
    ['malformed-declaration', 'qualified-name', 'undeclared-encoding'].includes(code ?? '') ||
    /<!DOCTYPE[^\s]/.test(text)
  )
}

/** Text in UTF-8 or UTF-16; characters of other encodings do not matter here. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const label =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(label).decode(bytes)
}
