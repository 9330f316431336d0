// Names of types that are those of nothing else.

/** Types that everybody has: ECMAScript's own, and TypeScript's. A type with such a name would hide them. */
const GLOBAL =
  'AggregateError Array ArrayBuffer ArrayLike AsyncGenerator AsyncIterable AsyncIterator Atomics Awaited BigInt Boolean Capitalize ConstructorParameters ' +
  'DataView Date Error EvalError Exclude Extract FinalizationRegistry Function Generator Infinity InstanceType Intl Iterable Iterator JSON Lowercase Map Math ' +
  'NaN NoInfer NonNullable Number Object Omit Parameters Partial Pick Promise PromiseLike PropertyKey Proxy RangeError Readonly ReadonlyArray ReadonlyMap ' +
  'ReadonlySet Record ReferenceError Reflect RegExp Required ReturnType Set SharedArrayBuffer String Symbol SyntaxError ThisType TypeError URIError Uncapitalize ' +
  'Uppercase WeakMap WeakRef WeakSet'

export class TypeNames {
  readonly #taken: Set<string>

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...GLOBAL.split(' '), ...taken])
  }

  /** A name for what is called so in the grammar: with a capital; with more after it if a type has this name. */
  make(name: string): string {
    const capital = name.slice(0, 1).toUpperCase() + name.slice(1)
    let made = capital
    for (let i = 1; this.#taken.has(made); i++) made = i === 1 ? `${capital}Value` : `${capital}Value${i}`
    this.#taken.add(made)
    return made
  }
}
