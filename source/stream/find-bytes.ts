// Finding bytes in others.

/** The index of the first occurrence of some bytes, at least one, that begins at an index or after it; -1 if there is none. */
export function findBytes(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  const [first] = wanted as unknown as [number]
  const last = bytes.length - wanted.length
  for (let at = bytes.indexOf(first, from); at !== -1 && at <= last; at = bytes.indexOf(first, at + 1)) {
    let matched = 1
    while (matched < wanted.length && bytes[at + matched] === wanted[matched]) matched++
    if (matched === wanted.length) return at
  }
  return -1
}
