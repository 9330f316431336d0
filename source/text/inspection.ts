// What objects show of themselves where Node, Bun and Deno print them: their fields are private, and next to nothing would be seen.

/** The name of the method that `console.log` calls (Node's documentation, "Custom inspection functions on objects"). */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom')

/** What the method is called with: how many levels more may be shown, null for all; the options that hold; and `util.inspect`. */
export type InspectArguments = [
  depth: number | null,
  options: object,
  inspect: (value: unknown, options: object) => string,
]

/** A class and what is of interest in one of its objects; at a depth that is not shown any more only the class, and what names the object. */
export function show(
  className: string,
  name: string,
  fields: object,
  [depth, options, inspect]: InspectArguments,
): string {
  if (depth !== null && depth < 0) return `[${[className, name].join(' ').trim()}]`
  return `${className} ${inspect(fields, { ...options, depth })}`
}
