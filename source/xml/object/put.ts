// Properties by names from a document. An object has some names before it gets any: `constructor`, `toString`, `__proto__`.

/** Sets a property of the object's own, whatever its name. */
export function setOwn(object: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  } else (object as Record<string, unknown>)[name] = value
}

/** Adds a value that is no array: one of several with a name is in an array. `isListed`: also one that is alone. */
export function put(object: object, name: string, value: unknown, isListed: boolean): void {
  const record = object as Record<string, unknown>
  const known = record[name]
  // Names that all objects have are not undefined.
  if (known === undefined || !Object.hasOwn(object, name)) setOwn(object, name, isListed ? [value] : value)
  else if (Array.isArray(known)) known.push(value)
  else record[name] = [known, value]
}
