// Which element of a document is its record: what is repeated, and has fields; or else, what is repeated, and has a text.

/** An element of a structure. */
export interface CountedElement<Inside> {
  /** The largest number of such elements in one element around them. */
  readonly most: number
  readonly attributes: { readonly size: number } | undefined
  /** A text that it has; undefined if it has none. */
  readonly example: string | undefined
  readonly children: ReadonlyMap<string, Inside> | undefined
}

/**
 * An element inside of one that is repeated, too, is rather one of its fields, unless it is so many times as often there as the one around it: three
 * shelves with hundreds of books each are not three records.
 */
const MUCH_MORE = 20

/** The element that is repeated most often in one place; undefined if none is repeated. `root` is around the document. */
export function findLikelyRecord<Seen extends CountedElement<Seen>>(root: Seen): Seen | undefined {
  let likely: Seen | undefined
  let text: Seen | undefined
  const open: { readonly seen: Seen; readonly least: number }[] = [{ seen: root, least: 2 }]
  for (const { seen, least } of open) {
    const hasFields = (seen.attributes?.size ?? 0) + (seen.children?.size ?? 0) > 0
    const isRecord = seen !== root && hasFields && seen.most >= least
    if (isRecord && (!likely || seen.most > likely.most)) likely = seen
    const isText = !hasFields && seen.example !== undefined && seen.most > 1
    if (isText && (!text || seen.most > text.most)) text = seen
    const leastInside = isRecord ? seen.most * MUCH_MORE : least
    for (const child of seen.children?.values() ?? []) open.push({ seen: child, least: leastInside })
  }
  return likely ?? text
}
