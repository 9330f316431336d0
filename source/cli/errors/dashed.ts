// Names of options as users write them.

/** `csv-safe` for `csvSafe`. */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
