// Objects of JSON whose keys stand in a given order. In objects of JavaScript, names that are whole numbers come before all others.

/**
 * What `JSON.stringify` would make of an object with these keys and values if it had them in this order, without those that are absent. `replace` is
 * called as that of `JSON.stringify`.
 */
export function formatObject(
  keys: readonly string[],
  valueAt: (i: number) => unknown,
  replace?: (key: string, value: unknown) => unknown,
): string {
  const members = keys.flatMap((key, i) => {
    // Undefined for what is absent.
    const value = JSON.stringify(valueAt(i), replace)
    return value === undefined ? [] : `${JSON.stringify(key)}:${value}`
  })
  return `{${members.join()}}`
}
