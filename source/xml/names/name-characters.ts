// Which characters names are made of (XML 1.0, fifth edition, [4] and [4a]).

const START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const REST = `${START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}`
const NAME = new RegExp(`^[:${START}][:${REST}]*$`, 'u')
const NMTOKEN = new RegExp(`^[:${REST}]+$`, 'u')
const NC_NAME = new RegExp(`^[${START}][${REST}]*$`, 'u')

/** Whether a text is a Name [5]. */
export function isName(text: string): boolean {
  return NAME.test(text)
}

/** Whether a text is a Nmtoken [7]. */
export function isNmtoken(text: string): boolean {
  return NMTOKEN.test(text)
}

/** Whether a text is an NCName: a Name without a colon (Namespaces in XML 1.0, [4]). */
export function isNcName(text: string): boolean {
  return NC_NAME.test(text)
}
