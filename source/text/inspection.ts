// What objects show of themselves where they are printed, compared or copied. Without this it would be nearly nothing: their fields are private.
//
// - Node, Bun and Deno print what a method of theirs returns.
// - Comparing functions of tests look at `Symbol.toStringTag` and at own properties. A getter that gives all of the content as the tag costs
//   nothing until somebody compares; an accessor of each object, or a proxy, would make elements slower by 10 to 70 ns.
// - Copies have own enumerable properties and nothing else. So objects have two of them: `self`, which keeps the content of `{ ...node }`, and
//   `clone`, with a value that `structuredClone` refuses.

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

/** Value that `structuredClone` and `postMessage` refuse. V8 puts the description into the error. */
export const NO_CLONE: unique symbol = Symbol('an object with private content: clone what its toJSON() returns')
