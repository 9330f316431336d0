// Names of encodings.

/**
 * What `TextDecoder` takes for windows-1252, which has other characters from 0x80 to 0x9F, and what it takes for little-endian UTF-16, which
 * may be in either order (the names that IANA registers).
 */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'utf-8': ['utf8'],
    'utf-16': ['utf16', 'ucs-2', 'iso-10646-ucs-2', 'csunicode'],
    'iso-8859-1': [
      ...['iso8859-1', 'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'iso-ir-100', 'csisolatin1'],
      ...['latin1', 'l1', 'ibm819', 'cp819'],
    ],
    'us-ascii': ['ascii', 'ansi_x3.4-1968', 'iso646-us', 'iso-ir-6', 'us', 'ibm367', 'cp367', 'csascii'],
  }).flatMap(([name, aliases]) => aliases.map((alias) => [alias, name] as const)),
)
const OWN = new Set(['utf-8', 'utf-16', 'utf-16le', 'utf-16be', 'iso-8859-1', 'us-ascii'])

/** The name of an encoding as we write it; undefined for one that this platform does not know. */
export function normalizeEncoding(label: string): string | undefined {
  const name = label.toLowerCase()
  const own = ALIASES.get(name) ?? name
  if (OWN.has(own)) return own
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}
